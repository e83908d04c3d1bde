/// What a section of pcapng tells of one interface: what packets begin with, and how time is counted.
struct PcapngInterface {
    /// The number of the link type.
    let linkNumber: UInt32
    /// What packets begin with; nil if it cannot be read.
    let link: LinkType?
    private let resolution: Resolution
    /// Seconds to be added to each time.
    private let offset: Int64

    /// What one unit of time is: a second divided by this power of ten or of two.
    private enum Resolution {
        case decimal(Int)
        case binary(Int)
    }

    /// The interface in an Interface Description Block; nil if the block is too short for it.
    init?(_ block: Span<UInt8>, _ order: OctetOrder) {
        guard block.count >= 20 else { return nil }
        linkNumber = UInt32(block.uint16(at: 8, order))
        link = LinkType(pcap: linkNumber)
        let unitPlace = option(9, of: block, from: 16, order)
        let unit = unitPlace.map { $0.isEmpty ? 6 : block[$0.lowerBound] } ?? 6
        resolution = unit & 0x80 == 0 ? .decimal(Int(unit)) : .binary(Int(unit & 0x7F))
        let offsetPlace = option(14, of: block, from: 16, order)
        offset = offsetPlace.map { $0.count >= 8 ? block.int64(at: $0.lowerBound, order) : 0 } ?? 0
    }

    /// A time of the interface in microseconds since 1970; the greatest one if it is beyond.
    func microseconds(_ time: UInt64) -> Int64 {
        let exact = scaled(time) + Int128(offset) * 1_000_000
        return Int64(clamping: exact)
    }

    /// Below 2^64 times 10^6, thus far from the ends of 128 bits.
    private func scaled(_ time: UInt64) -> Int128 {
        switch resolution {
        case .decimal(let power) where power <= 6: Int128(time) * power10(6 - power)
        case .decimal(let power): power - 6 > 19 ? 0 : Int128(time) / power10(power - 6)
        case .binary(let power): (Int128(time) * 1_000_000) >> power
        }
    }

    private func power10(_ power: Int) -> Int128 {
        (0..<power).reduce(1) { product, _ in product * 10 }
    }
}

extension Span<UInt8> {
    fileprivate func int64(at offset: Int, _ order: OctetOrder) -> Int64 {
        let first = UInt64(uint32(at: offset, order))
        let second = UInt64(uint32(at: offset + 4, order))
        return Int64(
            bitPattern: order == .big ? first << 32 | second : second << 32 | first)
    }
}
