import Measurements

/// Packets without their kind, which the flags tell.
func h1(_ packets: [HCIPacket]) -> [ContainerPacket] {
    packets.map { packet in
        ContainerPacket(
            octets: packet.octets, time: packet.time,
            flags: (packet.kind == .data ? 0 : 2) | (packet.isReceived ? 1 : 0))
    }
}

/// Packets with their kind as first octet.
func h4(_ packets: [HCIPacket]) -> [ContainerPacket] {
    packets.map { packet in
        ContainerPacket(
            octets: [packet.kind.rawValue] + packet.octets, time: packet.time,
            flags: (packet.kind == .data ? 0 : 2) | (packet.isReceived ? 1 : 0))
    }
}

/// The same with the direction before them.
func directed(_ packets: [HCIPacket]) -> [ContainerPacket] {
    packets.map { packet in
        ContainerPacket(
            octets: [0, 0, 0, packet.isReceived ? 1 : 0, packet.kind.rawValue] + packet.octets,
            time: packet.time)
    }
}

/// Packets of the Linux monitor, between its notes, with what a second adapter does.
func monitor(_ packets: [HCIPacket]) -> [ContainerPacket] {
    guard let first = packets.first else { return [] }
    func note(_ opcode: UInt32, _ octets: [UInt8], adapter: UInt32 = 0) -> ContainerPacket {
        ContainerPacket(octets: octets, time: first.time, flags: adapter << 16 | opcode)
    }
    let notes = [
        note(12, Array("Linux version 6.1.0\0".utf8), adapter: 0xFFFF),
        note(0, [0, 1, 1, 2, 3, 4, 5, 6] + Array("hci0\0\0\0\0".utf8)), note(8, []),
        note(10, [1, 2, 3, 4, 5, 6, 2, 0]),
        note(5, [0x40, 0x20, 7, 0, 3, 0, 4, 0, 0x1B, 3, 0], adapter: 1),
    ]
    return notes
        + packets.map { packet in
            let kind: UInt32
            switch packet.kind {
            case .command: kind = 2
            case .event: kind = 3
            case .data: kind = packet.isReceived ? 5 : 4
            }
            return ContainerPacket(octets: packet.octets, time: packet.time, flags: kind)
        }
}

/// The same with adapter and kind before them.
func monitorWithHeader(_ packets: [HCIPacket]) -> [ContainerPacket] {
    monitor(packets).map { packet in
        var packet = packet
        let flags = packet.flags
        packet.octets =
            [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: flags >> $0) } + packet.octets
        return packet
    }
}

extension AirFrame {
    /// The packet alone.
    var plain: ContainerPacket { ContainerPacket(octets: octets, time: time) }

    /// The packet behind a header of ten octets.
    var withHeader: ContainerPacket {
        var flags: UInt16 = 0x0C11
        if rssi != nil { flags |= 0x0002 }
        if isBad { flags &= ~0x0800 }
        if isDecrypted { flags |= 0x0008 }
        if let fromCentral { flags |= fromCentral ? 0x0100 : 0x0180 }
        var header = IntegerWriter(octets: [37, UInt8(bitPattern: Int8(rssi ?? 0)), 0, 0])
        header.put(accessAddress)
        header.put(flags)
        return ContainerPacket(octets: header.octets + octets, time: time)
    }

    /// The packet behind Nordic's headers.
    func nordic(version: UInt8) -> ContainerPacket {
        let packet = octets
        let length = UInt16(10 + packet.count)
        let head: [UInt8] =
            version == 1
            ? [6, UInt8(truncatingIfNeeded: length)] : length.octets
        var flags: UInt8 = isBad ? 0 : 1
        if fromCentral == true { flags |= 2 }
        if isDecrypted { flags |= 12 }
        let isAdvertisement = fromCentral == nil
        let header = [7] + head + [version, 0x11, 0x22, isAdvertisement && version == 3 ? 2 : 6]
        let strength = UInt8(-(rssi ?? -60))
        return ContainerPacket(
            octets: header + [10, flags, 37, strength, 1, 0, 0x96, 0, 0, 0] + packet, time: time)
    }
}
