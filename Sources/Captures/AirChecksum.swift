/// The checksum of 24 bits that packets of the air have.
///
/// Source: Bluetooth Core, Vol 6 Part B 3.1.1: x^24 + x^10 + x^9 + x^6 + x^4 + x^3 + x + 1.
enum AirChecksum {
    /// What the checksum of advertisements begins with.
    static let advertisingSeed: UInt32 = 0x55_5555

    /// Whether a packet's checksum is right: by what the sniffer tells, else by computing it.
    ///
    /// Without a seed, and where the sniffer has left zeros in its place, it is taken for right.
    static func isRight(_ packet: AirPacket, _ octets: Span<UInt8>, _ seed: UInt32?) -> Bool {
        switch packet.checksum {
        case .right: return true
        case .wrong: return false
        case .unchecked:
            let end = packet.unit.upperBound
            guard let seed, octets.count >= end + 3 else { return true }
            let told = octets.uint24(at: end)
            return told == 0 || told == checksum(octets.extracting(packet.unit), seed)
        }
    }

    /// The checksum of header and payload, as three octets with the lowest first.
    static func checksum(_ unit: Span<UInt8>, _ seed: UInt32) -> UInt32 {
        var state = reversed(seed)
        for index in unit.indices {
            state = state >> 8 ^ table[Int((state ^ UInt32(unit[index])) & 0xFF)]
        }
        return state
    }

    /// The register of the standard shifts the other way.
    private static func reversed(_ seed: UInt32) -> UInt32 {
        (0..<24).reduce(0) { $0 | (seed >> UInt32($1) & 1) << UInt32(23 - $1) }
    }

    private static let table: [UInt32] = (0..<256).map { octet in
        (0..<8).reduce(UInt32(octet)) { state, _ in
            state & 1 == 1 ? state >> 1 ^ 0xDA_6000 : state >> 1
        }
    }
}
