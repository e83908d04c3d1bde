import Measurements

/// A packet of the air with what a sniffer tells of it.
struct AirFrame {
    let accessAddress: UInt32
    /// Header and payload.
    let unit: [UInt8]
    let seed: UInt32
    /// Nil for advertisements.
    let fromCentral: Bool?
    var rssi: Int?
    var isBad = false
    /// Whether the sniffer knows the key and has decrypted it.
    var isDecrypted = false
    /// Microseconds since 1970.
    var time: Int64

    /// Access address, unit and checksum.
    var octets: [UInt8] {
        var writer = IntegerWriter()
        writer.put(accessAddress)
        var checksum = Self.checksum(unit, seed)
        var sent = unit
        if isBad {
            sent[unit.count - 1] ^= 0x10
            checksum ^= 1
        }
        return writer.octets + sent + [0, 8, 16].map { UInt8(truncatingIfNeeded: checksum >> $0) }
    }

    /// The register of the standard, bit by bit: position 0 on the left, fed by the last one.
    ///
    /// Source: Bluetooth Core, Vol 6 Part B 3.1.1, figure 3.4.
    private static func checksum(_ unit: [UInt8], _ seed: UInt32) -> UInt32 {
        var register = (0..<24).map { seed >> UInt32($0) & 1 }
        for octet in unit {
            for bit in 0..<8 {
                let feedback = register[23] ^ UInt32(octet >> bit & 1)
                register = [feedback] + register.dropLast()
                for tap in [1, 3, 4, 6, 9, 10] { register[tap] ^= feedback }
            }
        }
        return (0..<24).reduce(0) { $0 | register[23 - $1] << UInt32($1) }
    }
}

/// Writes a scene as a sniffer hears it, with what goes wrong on the air.
struct AirWriter {
    /// One meeting of central and sensor: each sends one packet.
    private struct Event {
        /// When the central begins, in microseconds since 1970.
        let time: Int64
        var central: (kind: UInt8, payload: [UInt8]) = (1, [])
        var sensor: (kind: UInt8, payload: [UInt8]) = (1, [])
    }

    private static let advertising: UInt32 = 0x8E89_BED6
    private static let host = DeviceAddress(bits: 0x5C_F3_70_01_02_03)

    private var events: [DeviceAddress: [Event]] = [:]
    private var count: UInt32 = 0
    private var frames: [AirFrame] = []
    /// Octets of a packet at most.
    private let fragment: Int

    private init(fragment: Int) {
        self.fragment = fragment
    }

    /// The frames of a scene in order of time.
    static func frames(_ scene: Scene, fragment: Int = 27) -> [AirFrame] {
        var writer = AirWriter(fragment: fragment)
        for step in scene.steps { writer.write(step) }
        let frames = writer.frames
        let order = frames.indices.sorted { (frames[$0].time, $0) < (frames[$1].time, $1) }
        return order.map { frames[$0] }
    }

    private mutating func write(_ step: SceneStep) {
        switch step.kind {
        case .advertisement(let name, let rssi, let isResponse):
            let payload = step.address.octets + advertisingData(name)
            let type: UInt8 = (isResponse ? 4 : 0) | (step.isRandom ? 0x40 : 0)
            advertise([type, UInt8(payload.count)] + payload, rssi, step.time)
        case .connect: events[step.address] = [Event(time: step.time)]
        case .disconnect:
            events[step.address]?.append(Event(time: step.time, central: (3, [0x02, 0x13])))
            finish(step)
        case .operation(let operation, let fromSensor):
            write(operation, fromSensor: fromSensor, step.address, step.time)
        }
    }

    private mutating func advertise(_ unit: [UInt8], _ rssi: Int?, _ time: Int64) {
        frames.append(
            AirFrame(
                accessAddress: Self.advertising, unit: unit, seed: 0x55_5555, fromCentral: nil,
                rssi: rssi, time: time))
    }

    /// The last fragment is sent at the time of the operation, the others before it.
    private mutating func write(
        _ operation: [UInt8], fromSensor: Bool, _ address: DeviceAddress, _ time: Int64
    ) {
        let packet = UInt16(operation.count).octets + [4, 0] + operation
        let starts = Array(stride(from: 0, to: packet.count, by: fragment))
        for (place, start) in starts.enumerated() {
            let part = Array(packet[start..<min(start + fragment, packet.count)])
            let time = time - Int64(starts.count - 1 - place) * 2500
            let sent = (kind: UInt8(place == 0 ? 2 : 1), payload: part)
            events[address]?.append(
                fromSensor
                    ? Event(time: time - 230, sensor: sent) : Event(time: time, central: sent))
        }
    }

    /// Writes a link once all of it is known: sequence bits follow the order of time.
    private mutating func finish(_ step: SceneStep) {
        count += 1
        let link = (address: 0x5065_5D00 | count, seed: 0xAB_CD00 + count)
        let events = (events.removeValue(forKey: step.address) ?? []).sorted { $0.time < $1.time }
        request(step, link, before: events[0].time)
        for (place, event) in events.enumerated() {
            let pair = self.pair(event, UInt8(place & 1), link)
            if place % 5 == 3 { frames += pair.map { bad($0) } }
            frames += pair
            if place % 5 == 1 { frames += pair.map { again($0) } }
        }
    }

    private mutating func request(
        _ step: SceneStep, _ link: (address: UInt32, seed: UInt32), before time: Int64
    ) {
        var payload = IntegerWriter(octets: Self.host.octets + step.address.octets)
        payload.put(link.address)
        payload.octets += [0, 8, 16].map { UInt8(truncatingIfNeeded: link.seed >> $0) }
        payload.octets += [3, 10, 0, 24, 0, 0, 0, 72, 0, 0xFF, 0xFF, 0xFF, 0xFF, 0x1F, 0x2A]
        advertise([5 | (step.isRandom ? 0x80 : 0), 34] + payload.octets, nil, time - 20_000)
    }

    private func pair(
        _ event: Event, _ bit: UInt8, _ link: (address: UInt32, seed: UInt32)
    ) -> [AirFrame] {
        let later = Int64(event.central.payload.count + 10) * 8 + 150
        return [(event.central, true, event.time), (event.sensor, false, event.time + later)].map {
            sent, fromCentral, time in
            AirFrame(
                accessAddress: link.address,
                unit: [sent.kind | bit << 3, UInt8(sent.payload.count)] + sent.payload,
                seed: link.seed, fromCentral: fromCentral, rssi: nil, time: time)
        }
    }

    /// The same with a wrong bit, which the sniffer notices, shortly before.
    private func bad(_ frame: AirFrame) -> AirFrame {
        var frame = frame
        frame.isBad = true
        frame.time -= 1000
        return frame
    }

    /// The same once more, as if its receipt had been lost.
    private func again(_ frame: AirFrame) -> AirFrame {
        var frame = frame
        frame.time += 1200
        return frame
    }
}
