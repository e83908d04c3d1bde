package import Measurements

/// What real sensors do wrong, by name.
package enum SensorFault: String, CaseIterable, Sendable {
    /// No finger is in the oximeter: it sends on, without values.
    case noFinger = "no-finger"
    /// Every fifth packet holds a special value in the place of its first number.
    case specialValues = "special-values"
    /// Every fifth packet ends in the middle.
    case truncated
    /// The sensor's clock was never set.
    case clockNotSet = "clock-not-set"
    /// Each packet comes twice.
    case repeats
    /// The link is lost after every twentieth packet, and is up again before the next.
    case drops
    /// After ten packets nothing comes, though the link stays up.
    case silence

    /// What it is, in a few words.
    package var summary: String {
        switch self {
        case .noFinger: "no finger is in it: values are missing"
        case .specialValues: "every fifth packet holds NaN, NRes or an infinity"
        case .truncated: "every fifth packet is cut"
        case .clockNotSet: "its clock was never set"
        case .repeats: "each packet comes twice"
        case .drops: "the link is lost after every twentieth packet"
        case .silence: "after ten packets nothing comes any more"
        }
    }
}

/// Does to the events of a session what faults do to them.
package struct FaultInjector: Sendable {
    private let faults: Set<SensorFault>
    private var packets = 0

    /// One that brings these faults about.
    package init(_ faults: Set<SensorFault>) {
        self.faults = faults
    }

    /// What comes in the place of an event; none where it is lost.
    package mutating func pass(_ event: GATTEvent) -> [GATTEvent] {
        guard event.kind == .notify || event.kind == .indicate else { return [event] }
        packets += 1
        if faults.contains(.silence), packets > 10 { return [] }
        var event = event
        event.value = damaged(event.value, of: event.characteristic)
        let copies = faults.contains(.repeats) ? [event, event] : [event]
        return copies + (faults.contains(.drops) && packets % 20 == 0 ? Self.drop(event) : [])
    }

    private func damaged(_ octets: [UInt8], of characteristic: BluetoothUUID?) -> [UInt8] {
        var octets = octets
        let isFifth = packets % 5 == 0
        if faults.contains(.noFinger), characteristic == .plxContinuousMeasurement {
            octets = Self.noFinger
        }
        if faults.contains(.specialValues), isFifth { special(&octets, characteristic) }
        if faults.contains(.clockNotSet), characteristic == .temperatureMeasurement {
            octets.replaceSubrange(5..<12, with: repeatElement(0, count: 7))
        }
        return faults.contains(.truncated) && isFifth
            ? Array(octets.prefix(octets.count / 2)) : octets
    }

    /// Measurement unavailable and sensor unconnected to user, with NaN for every number.
    private static let noFinger: [UInt8] =
        [0x1F] + Array(repeatElement([0xFF, 0x07], count: 6).joined())
        + [0x00, 0x20, 0x00, 0x08, 0x00, 0xFF, 0x07]

    /// NaN, NRes, +INFINITY and -INFINITY in turn, as SFLOAT or as FLOAT; a strap has none of them.
    private func special(_ octets: inout [UInt8], _ characteristic: BluetoothUUID?) {
        let turn = packets / 5 % 4
        switch characteristic {
        case .plxContinuousMeasurement:
            let words: [[UInt8]] = [[0xFF, 0x07], [0x00, 0x08], [0xFE, 0x07], [0x02, 0x08]]
            octets.replaceSubrange(1..<3, with: words[turn])
        case .temperatureMeasurement:
            let words: [[UInt8]] = [
                [0xFF, 0xFF, 0x7F, 0], [0, 0, 0x80, 0], [0xFE, 0xFF, 0x7F, 0], [2, 0, 0x80, 0],
            ]
            octets.replaceSubrange(1..<5, with: words[turn])
        default: break
        }
    }

    private static func drop(_ event: GATTEvent) -> [GATTEvent] {
        [(GATTEvent.Kind.disconnect, Int64(100)), (.connect, 400)].map { kind, delay in
            GATTEvent(
                kind, origin: event.origin, device: event.device,
                at: event.at.advanced(byMilliseconds: delay))
        }
    }
}
