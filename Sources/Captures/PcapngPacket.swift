/// Where in a block of pcapng a packet is, and what the block tells of it.
struct PcapngPacket {
    /// The number of its interface.
    let interface: Int
    /// When it was captured, in the units of the interface; nil if that is not told.
    let time: UInt64?
    /// Where its octets are.
    let octets: Range<Int>
    /// Whether it was longer.
    let isCut: Bool
    /// Which way it went.
    let direction: PacketDirection

    /// The packet in an Enhanced Packet Block; nil if the block is too short for it.
    init?(enhanced block: Span<UInt8>, _ order: OctetOrder) {
        guard block.count >= 32 else { return nil }
        self.init(block, order, interface: Int(block.uint32(at: 8, order)))
    }

    /// The packet in an obsolete Packet Block; nil if the block is too short for it.
    init?(obsolete block: Span<UInt8>, _ order: OctetOrder) {
        guard block.count >= 32 else { return nil }
        self.init(block, order, interface: Int(block.uint16(at: 8, order)))
    }

    /// The packet in a Simple Packet Block, which may be padded; nil if the block is too short.
    init?(simple block: Span<UInt8>, _ order: OctetOrder) {
        guard block.count >= 16 else { return nil }
        let length = Int(block.uint32(at: 8, order))
        interface = 0
        time = nil
        octets = 12..<12 + min(length, block.count - 16)
        isCut = length > block.count - 16
        direction = .unknown
    }

    private init?(_ block: Span<UInt8>, _ order: OctetOrder, interface: Int) {
        let length = Int(block.uint32(at: 20, order))
        guard length <= block.count - 32 else { return nil }
        self.interface = interface
        time =
            UInt64(block.uint32(at: 12, order)) << 32 | UInt64(block.uint32(at: 16, order))
        octets = 28..<28 + length
        isCut = block.uint32(at: 24, order) > length
        let place = option(2, of: block, from: 28 + (length + 3) / 4 * 4, order)
        let flags = place.map { $0.count >= 4 ? block.uint32(at: $0.lowerBound, order) : 0 }
        direction =
            switch (flags ?? 0) & 3 {
            case 1: .received
            case 2: .sent
            default: .unknown
            }
    }
}

/// Where the value of a block's option is.
///
/// - Parameters:
///   - code: The number of the option.
///   - block: The block, whose last four octets repeat its length.
///   - start: Where its options begin.
///   - order: Which octet of an integer comes first.
/// - Returns: nil if the block does not have the option.
func option(
    _ code: UInt16, of block: Span<UInt8>, from start: Int, _ order: OctetOrder
) -> Range<Int>? {
    let end = block.count - 4
    var position = start
    while position + 4 <= end {
        let length = Int(block.uint16(at: position + 2, order))
        let found = block.uint16(at: position, order)
        guard found != 0, position + 4 + length <= end else { return nil }
        if found == code { return position + 4..<position + 4 + length }
        position += 4 + (length + 3) / 4 * 4
    }
    return nil
}
