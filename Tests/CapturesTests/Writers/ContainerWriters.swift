import Foundation

/// A packet with what a container tells of it.
struct ContainerPacket {
    var octets: [UInt8]
    /// Microseconds since 1970.
    var time: Int64
    /// The flags of btsnoop.
    var flags: UInt32 = 0
    /// Octets that the recorder has left out.
    var missing = 0
    /// The interface of pcapng.
    var interface = 0
    /// The direction of pcapng: 1 inbound, 2 outbound, 0 not told.
    var direction: UInt32 = 0
}

/// Octets of integers in a given order.
struct IntegerWriter {
    var isBig = false
    var octets: [UInt8] = []

    mutating func put<Integer: FixedWidthInteger>(_ value: Integer) {
        withUnsafeBytes(of: isBig ? value.bigEndian : value.littleEndian) {
            octets.append(contentsOf: $0)
        }
    }
}

enum BtsnoopWriter {
    static func file(_ packets: [ContainerPacket], datalink: UInt32) -> [UInt8] {
        var file = IntegerWriter(isBig: true, octets: Array("btsnoop\0".utf8))
        file.put(UInt32(1))
        file.put(datalink)
        for packet in packets {
            file.put(UInt32(packet.octets.count + packet.missing))
            file.put(UInt32(packet.octets.count))
            file.put(packet.flags)
            file.put(UInt32(0))
            file.put(packet.time + 0x00DC_DDB3_0F2F_8000)  // 1970 counted from the year 0
            file.octets += packet.octets
        }
        return file.octets
    }
}

enum PcapWriter {
    static func file(
        _ packets: [ContainerPacket], link: UInt32, isBig: Bool = false, isNano: Bool = false
    ) -> [UInt8] {
        var file = IntegerWriter(isBig: isBig)
        file.put(UInt32(isNano ? 0xA1B2_3C4D : 0xA1B2_C3D4))
        file.put(UInt16(2))
        file.put(UInt16(4))
        file.put(UInt64(0))
        file.put(UInt32(262_144))
        file.put(link)
        for packet in packets {
            file.put(UInt32(packet.time / 1_000_000))
            file.put(UInt32(packet.time % 1_000_000) * (isNano ? 1000 : 1))
            file.put(UInt32(packet.octets.count))
            file.put(UInt32(packet.octets.count + packet.missing))
            file.octets += packet.octets
        }
        return file.octets
    }
}

/// An interface of a pcapng file.
struct PcapngWriterInterface {
    var link: UInt16
    /// The option if_tsresol; nil leaves it out.
    var resolution: UInt8?
    /// The option if_tsoffset in seconds.
    var offset: Int64 = 0

    func units(_ microseconds: Int64) -> UInt64 {
        let time = UInt64(microseconds - offset * 1_000_000)
        switch resolution ?? 6 {
        case let power where power & 0x80 != 0:
            return UInt64(UInt128(time) << (power & 0x7F) / 1_000_000) + 1
        case 9: return time * 1000
        case 3: return time / 1000
        default: return time
        }
    }
}

enum PcapngWriter {
    static func file(
        _ packets: [ContainerPacket], _ interfaces: [PcapngWriterInterface], isBig: Bool = false
    ) -> [UInt8] {
        var file = IntegerWriter(isBig: isBig)
        var header = IntegerWriter(isBig: isBig)
        header.put(UInt32(0x1A2B_3C4D))
        header.put(UInt16(1))
        header.put(UInt16(0))
        header.put(Int64(-1))
        block(0x0A0D_0D0A, header.octets, &file)
        for interface in interfaces { block(1, description(interface, isBig), &file) }
        block(4, [0, 0, 0, 0], &file)  // names of hosts
        for packet in packets { block(6, enhanced(packet, interfaces, isBig), &file) }
        return file.octets
    }

    static func block(_ type: UInt32, _ body: [UInt8], _ file: inout IntegerWriter) {
        let padding = [UInt8](repeating: 0, count: (4 - body.count % 4) % 4)
        let length = UInt32(12 + body.count + padding.count)
        file.put(type)
        file.put(length)
        file.octets += body + padding
        file.put(length)
    }

    private static func description(_ interface: PcapngWriterInterface, _ isBig: Bool) -> [UInt8] {
        var body = IntegerWriter(isBig: isBig)
        body.put(interface.link)
        body.put(UInt16(0))
        body.put(UInt32(0))
        option(2, Array("bluetooth0".utf8), &body)
        if let resolution = interface.resolution { option(9, [resolution], &body) }
        if interface.offset != 0 {
            var value = IntegerWriter(isBig: isBig)
            value.put(interface.offset)
            option(14, value.octets, &body)
        }
        option(0, [], &body)
        return body.octets
    }

    private static func option(_ code: UInt16, _ value: [UInt8], _ body: inout IntegerWriter) {
        body.put(code)
        body.put(UInt16(value.count))
        body.octets += value + [UInt8](repeating: 0, count: (4 - value.count % 4) % 4)
    }

    private static func enhanced(
        _ packet: ContainerPacket, _ interfaces: [PcapngWriterInterface], _ isBig: Bool
    ) -> [UInt8] {
        let units = interfaces[packet.interface].units(packet.time)
        var body = IntegerWriter(isBig: isBig)
        body.put(UInt32(packet.interface))
        body.put(UInt32(truncatingIfNeeded: units >> 32))
        body.put(UInt32(truncatingIfNeeded: units))
        body.put(UInt32(packet.octets.count))
        body.put(UInt32(packet.octets.count + packet.missing))
        body.octets += packet.octets
        body.octets += [UInt8](repeating: 0, count: (4 - packet.octets.count % 4) % 4)
        if packet.direction != 0 {
            option(1, Array("a remark".utf8), &body)
            var value = IntegerWriter(isBig: isBig)
            value.put(packet.direction)
            option(2, value.octets, &body)
            option(0, [], &body)
        }
        return body.octets
    }
}

enum GzipWriter {
    /// A member whose octets are stored as they are, in blocks of at most 65,535.
    static func member(_ octets: [UInt8]) -> [UInt8] {
        var file = IntegerWriter(octets: [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3])
        var rest = octets[...]
        repeat {
            let part = rest.prefix(65_535)
            rest = rest.dropFirst(65_535)
            file.put(UInt8(rest.isEmpty ? 1 : 0))
            file.put(UInt16(part.count))
            file.put(~UInt16(part.count))
            file.octets += part
        } while !rest.isEmpty
        file.put(checksum(octets))
        file.put(UInt32(truncatingIfNeeded: octets.count))
        return file.octets
    }

    /// CRC-32, as RFC 1952 has it.
    private static func checksum(_ octets: [UInt8]) -> UInt32 {
        var state = ~UInt32(0)
        for octet in octets {
            state ^= UInt32(octet)
            for _ in 0..<8 { state = state & 1 == 1 ? state >> 1 ^ 0xEDB8_8320 : state >> 1 }
        }
        return ~state
    }
}
