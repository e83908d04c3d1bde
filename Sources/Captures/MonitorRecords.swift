internal import Measurements

/// The octets of a btsnoop file of the Linux monitor (data link 2001), record by record.
///
/// Source: BlueZ, src/shared/btsnoop.c and monitor/packet.c.
struct MonitorRecords: Sendable {
    /// What has been written and not yet been taken; a file begins with its header.
    private(set) var octets: [UInt8] = Array("btsnoop\0".utf8) + [0, 0, 0, 1, 0, 0, 0x07, 0xD1]

    /// A file without records.
    init() {}

    /// Gives away what has been written, and goes on behind it.
    mutating func take() -> [UInt8] {
        defer { octets.removeAll(keepingCapacity: true) }
        return octets
    }

    /// Writes a record of one of `MonitorKind`, which has at most 65,539 octets, as every packet has.
    mutating func put(_ kind: UInt16, _ adapter: UInt16, _ instant: Instant, _ body: [UInt8]) {
        let length = UInt32(truncatingIfNeeded: body.count)
        let microseconds =
            instant.milliseconds * 1000 + BtsnoopReader.epoch.btsnoop - BtsnoopReader.epoch.unix
        octets += length.bigOctets + length.bigOctets
        octets += adapter.bigOctets + kind.bigOctets + UInt32(0).bigOctets
        octets += microseconds.bigOctets
        octets += body
    }

    /// Writes an event of the controller, whose parameters have at most 255 octets.
    mutating func put(
        event code: UInt8, _ adapter: UInt16, _ instant: Instant, _ parameters: [UInt8]
    ) {
        let head = [code, UInt8(truncatingIfNeeded: parameters.count)]
        put(MonitorKind.event, adapter, instant, head + parameters)
    }
}

extension FixedWidthInteger {
    /// The octets, the highest first.
    var bigOctets: [UInt8] { littleOctets.reversed() }

    /// The octets, the lowest first, as Bluetooth sends them.
    var littleOctets: [UInt8] {
        stride(from: 0, to: bitWidth, by: 8).map { UInt8(truncatingIfNeeded: self >> $0) }
    }
}

extension DeviceAddress {
    /// The six octets, the lowest first.
    var littleOctets: [UInt8] { Array(bits.littleOctets.prefix(6)) }
}

extension BluetoothUUID {
    /// The 2 or 16 octets, the lowest first.
    var littleOctets: [UInt8] {
        if let short { return short.littleOctets }
        return (hexOctets(description.utf8.filter { $0 != UInt8(ascii: "-") }) ?? []).reversed()
    }
}
