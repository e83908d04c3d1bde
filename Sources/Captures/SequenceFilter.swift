/// Tells packets of one direction of a link that are sent once more from those that are new.
///
/// Each new packet turns the sequence bit. Where the bit has not turned, but the content is another,
/// the sniffer has missed a packet between.
/// Source: Bluetooth Core, Vol 6 Part B 4.5.9.
struct SequenceFilter {
    private var last: (bit: UInt8, content: UInt64)?

    /// A direction in which nothing was sent yet.
    init() {}

    /// Whether a packet of this header and payload is new.
    mutating func isNew(_ header: UInt8, _ payload: Span<UInt8>) -> Bool {
        let bit = header >> 3 & 1
        let content = Self.digest(header & 3, payload)
        defer { last = (bit, content) }
        return last.map { $0.bit != bit || $0.content != content } ?? true
    }

    /// FNV-1a: two packets of one link that follow each other have equal digests only if they are equal.
    private static func digest(_ kind: UInt8, _ payload: Span<UInt8>) -> UInt64 {
        var digest = (0xCBF2_9CE4_8422_2325 ^ UInt64(kind)) &* 0x100_0000_01B3
        for index in payload.indices {
            digest = (digest ^ UInt64(payload[index])) &* 0x100_0000_01B3
        }
        return digest
    }
}
