/// Packets without the container around them, so that every octet counts.
///
/// The input is packets one after another: an octet of facts, an octet of length, the packet.
enum PacketTargets {
    /// Takes packets of the UART transport, of which the lowest bit of the facts tells the direction.
    static func hci(_ octets: [UInt8]) {
        var file = Array("btsnoop\0".utf8) + [0, 0, 0, 1, 0, 0, 0x03, 0xEA]
        for packet in packets(octets) {
            let length = packet.octets.count
            file += [0, 0, UInt8(length >> 8), UInt8(length & 0xFF)]
            file += [0, 0, UInt8(length >> 8), UInt8(length & 0xFF)]
            file += [0, 0, 0, packet.facts & 3, 0, 0, 0, 0]
            file += [0x00, 0xE2, 0xB5, 0x00, 0x00, 0x00, 0x00, 0x00] + packet.octets
        }
        CaptureTarget.take(file)
    }

    /// Takes packets as Nordic's sniffer gives them, of which the facts are the flags.
    static func air(_ octets: [UInt8]) {
        var file: [UInt8] = [0xD4, 0xC3, 0xB2, 0xA1, 2, 0, 4, 0] + Array(repeating: 0, count: 8)
        file += [0, 0, 4, 0, 16, 1, 0, 0]
        for packet in packets(octets) {
            let body = nordic(packet.octets, flags: packet.facts)
            let length: [UInt8] = [UInt8(body.count & 0xFF), UInt8(body.count >> 8), 0, 0]
            file += [0, 0, 0, 0x60, 0, 0, 0, 0] + length + length + body
        }
        CaptureTarget.take(file)
    }

    /// Board, length, version, counter and kind, then the header of ten octets, then the packet.
    private static func nordic(_ packet: [UInt8], flags: UInt8) -> [UInt8] {
        let length = 10 + packet.count
        let header: [UInt8] = [0, UInt8(length & 0xFF), UInt8(length >> 8), 3, 0, 0, 6]
        return header + [10, flags, 0, 40, 0, 0, 0, 0, 0, 0] + packet
    }

    private static func packets(_ octets: [UInt8]) -> [(facts: UInt8, octets: [UInt8])] {
        var packets: [(facts: UInt8, octets: [UInt8])] = []
        var rest = octets[...]
        while rest.count > 2 {
            let end = min(rest.endIndex, rest.startIndex + 2 + Int(rest[rest.startIndex + 1]))
            packets.append((rest[rest.startIndex], Array(rest[(rest.startIndex + 2)..<end])))
            rest = rest[end...]
        }
        return packets
    }
}
