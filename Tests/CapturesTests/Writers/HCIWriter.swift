import Measurements

/// A packet between host and controller.
struct HCIPacket {
    enum Kind: UInt8 {
        case command = 1
        case data = 2
        case event = 4
    }

    let kind: Kind
    let isReceived: Bool
    let octets: [UInt8]
    /// Microseconds since 1970.
    let time: Int64
}

/// Writes a scene as a host's driver sees it.
struct HCIWriter {
    enum Version {
        case legacy
        case enhanced
        case enhanced2
    }

    /// Which event tells of a link.
    var version = Version.legacy
    /// Octets of a fragment from the controller.
    var fragment = 27
    /// Octets of a fragment to the controller.
    var sentFragment = 251
    /// Whether other traffic stands between.
    var hasOthers = true

    private var handles: [DeviceAddress: UInt16] = [:]
    private var packets: [HCIPacket] = []

    init(version: Version = .legacy, fragment: Int = 27, sentFragment: Int = 251) {
        self.version = version
        self.fragment = fragment
        self.sentFragment = sentFragment
    }

    /// The packets of a scene in order.
    static func packets(_ scene: Scene, _ writer: HCIWriter = HCIWriter()) -> [HCIPacket] {
        var writer = writer
        if writer.hasOthers { writer.writeOthers(at: scene.steps[0].time) }
        for step in scene.steps { writer.write(step) }
        return writer.packets
    }

    private mutating func write(_ step: SceneStep) {
        switch step.kind {
        case .advertisement(let name, let rssi, let isResponse):
            writeAdvertisement(step, name, rssi, isResponse)
        case .connect: writeConnection(step)
        case .disconnect:
            let handle = handles.removeValue(forKey: step.address) ?? 0
            event(0x05, [0] + handle.octets + [0x13], step.time)
        case .operation(let operation, let fromSensor):
            write(operation, isReceived: fromSensor, handles[step.address] ?? 0, step.time)
            if hasOthers { event(0x13, [1, 0x40, 0, 1, 0], step.time) }
        }
    }

    private mutating func event(_ code: UInt8, _ parameters: [UInt8], _ time: Int64) {
        packets.append(
            HCIPacket(
                kind: .event, isReceived: true,
                octets: [code, UInt8(parameters.count)] + parameters, time: time))
    }

    private mutating func writeAdvertisement(
        _ step: SceneStep, _ name: String?, _ rssi: Int, _ isResponse: Bool
    ) {
        let data = advertisingData(name)
        let strength = UInt8(bitPattern: Int8(rssi))
        let type = [step.isRandom ? 1 : 0] + step.address.octets
        switch version {
        case .legacy:
            let report = [isResponse ? 4 : 0] + type + [UInt8(data.count)] + data + [strength]
            event(0x3E, [0x02, 1] + report, step.time)
        case .enhanced, .enhanced2:
            let middle: [UInt8] = [1, 0, 0xFF, 127, strength, 0, 0, 0, 0, 0, 0, 0, 0, 0]
            let report = [isResponse ? 0x1B : 0x13, 0] + type + middle + [UInt8(data.count)] + data
            event(0x3E, [0x0D, 1] + report, step.time)
        }
    }

    /// The lowest handle that is free is taken again, as controllers do.
    private mutating func writeConnection(_ step: SceneStep) {
        let handle = (UInt16(0x40)...).first { !handles.values.contains($0) } ?? 0
        handles[step.address] = handle
        let head = [0] + handle.octets + [0, step.isRandom ? 1 : 0] + step.address.octets
        let tail: [UInt8] = [24, 0, 0, 0, 72, 0, 0]
        let resolved = [UInt8](repeating: 0, count: 12)
        switch version {
        case .legacy: event(0x3E, [0x01] + head + tail, step.time)
        case .enhanced: event(0x3E, [0x0A] + head + resolved + tail, step.time)
        case .enhanced2:
            event(0x3E, [0x29] + head + resolved + tail + [0xFF, 0xFF, 0xFF], step.time)
        }
    }

    private mutating func write(
        _ operation: [UInt8], isReceived: Bool, _ handle: UInt16, channel: UInt16 = 4,
        _ time: Int64
    ) {
        var rest = (UInt16(operation.count).octets + channel.octets + operation)[...]
        var boundary: UInt16 = isReceived ? 2 : 0
        repeat {
            let part = Array(rest.prefix(isReceived ? fragment : sentFragment))
            rest = rest.dropFirst(part.count)
            let word = handle | boundary << 12
            packets.append(
                HCIPacket(
                    kind: .data, isReceived: isReceived,
                    octets: word.octets + UInt16(part.count).octets + part, time: time))
            boundary = 1
        } while !rest.isEmpty
    }

    /// A reset, a link of BR/EDR with data, a connection that failed, and data of another channel.
    private mutating func writeOthers(at time: Int64) {
        let time = time - 1_000_000
        packets.append(
            HCIPacket(kind: .command, isReceived: false, octets: [0x03, 0x0C, 0], time: time))
        event(0x0E, [1, 0x03, 0x0C, 0], time)
        event(0x03, [0, 0x0B, 0, 6, 5, 4, 3, 2, 1, 1, 0], time)
        write([0x1B, 3, 0, 1], isReceived: true, 0x0B, time)
        write(Array(repeating: 7, count: 90), isReceived: true, 0x0B, channel: 0x40, time)
        event(0x3E, [0x01, 0x3C] + [UInt8](repeating: 0, count: 17), time)
    }
}

/// Flags, then a name where there is one.
func advertisingData(_ name: String?) -> [UInt8] {
    [2, 1, 6] + (name.map { [UInt8($0.utf8.count + 1), 9] + Array($0.utf8) } ?? [])
}
