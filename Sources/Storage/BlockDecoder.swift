internal import Measurements
internal import Samples

/// Reads blocks, whatever octets they are made of.
package struct BlockDecoder {
    private let block: EncodedBlock
    private var reader: VarintReader
    /// How many octets of each packet are read; the others are 0.
    private let head: Int

    /// The readings of a block.
    ///
    /// - Throws: Why there are none: octets that nobody wrote never give readings.
    package static func decode(_ block: EncodedBlock) throws(BlockDamage) -> BlockColumns {
        try check(block)
        return try decodeUnchecked(block)
    }

    /// The readings of a block with the first octets of their packets, in a fraction of the time.
    ///
    /// Packets have their length, but the octets behind the first ones are 0.
    ///
    /// - Throws: Why there are none.
    static func decodeHeads(
        _ block: EncodedBlock, octets head: Int
    ) throws(BlockDamage) -> BlockColumns {
        try check(block)
        guard let columns = heads(block, head) else { return try decodeUnchecked(block) }
        return columns
    }

    private static func check(_ block: EncodedBlock) throws(BlockDamage) {
        guard block.codec == EncodedBlock.codec else { throw .codec }
        guard block.crc == block.rightCRC else { throw .checksum }
    }

    /// What the beginning of a block's columns says; nil if that is not enough, or damaged.
    private static func heads(_ block: EncodedBlock, _ head: Int) -> BlockColumns? {
        do throws(BlockDamage) {
            let (data, count) = try columns(of: block)
            let usual = block.count * (usualOctets + head) + head
            guard usual < count, let raw = Zlib.inflated(data, first: usual) else { return nil }
            var decoder = BlockDecoder(block: block, reader: VarintReader(raw), head: head)
            return try decoder.columns()
        } catch {
            return nil
        }
    }

    /// What a reading needs before its packet: a seq, a time of two octets, a length, an ordinal, flags.
    private static let usualOctets = 6

    /// The readings of a block, whose check sum is not looked at.
    package static func decodeUnchecked(_ block: EncodedBlock) throws(BlockDamage) -> BlockColumns {
        let (data, count) = try columns(of: block)
        guard let raw = Zlib.inflated(data, count: count) else { throw .content }
        var decoder = BlockDecoder(
            block: block, reader: VarintReader(raw), head: BlockLimits.packet)
        let columns = try decoder.columns()
        guard decoder.reader.isAtEnd else { throw .content }
        return columns
    }

    /// The columns as they are in the data, and how many octets they have when they are inflated.
    private static func columns(
        of block: EncodedBlock
    ) throws(BlockDamage) -> (data: ArraySlice<UInt8>, count: Int) {
        guard (1...BlockLimits.readings).contains(block.count),
            BlockLimits.firstSeqs.contains(block.seq0),
            BlockLimits.quarters.contains(block.quarter)
        else { throw .content }
        var header = VarintReader(block.data)
        let count = try header.number(below: block.count * mostOctets + mostOctets)
        return (header.rest, count)
    }

    /// What one reading can need, its packet and the ends of all columns included.
    private static let mostOctets = BlockLimits.packet * 2 + 64

    private mutating func columns() throws(BlockDamage) -> BlockColumns {
        let seqs = try seqs()
        let times = try times()
        let bounds = try bounds()
        let ordinals = try ordinals()
        let flags = Array(try reader.octets(block.count))
        let octets = try packets(bounds)
        return BlockColumns(
            stream: block.stream, seqs: seqs, times: times, ordinals: ordinals, flags: flags,
            bounds: bounds, octets: octets)
    }

    /// Strictly rising numbers from `seq0` on.
    private mutating func seqs() throws(BlockDamage) -> [Int64] {
        let seqs = try numbers(
            from: block.seq0 - 1, lastDifference: 1,
            within: block.seq0...block.seq0 &+ BlockLimits.seqs - 1)
        guard seqs[0] == block.seq0, zip(seqs, seqs.dropFirst()).allSatisfy({ $0 < $1 }) else {
            throw .content
        }
        return seqs
    }

    private mutating func times() throws(BlockDamage) -> [Int64] {
        let quarter = block.quarter
        return try numbers(
            from: quarter.start.milliseconds, lastDifference: 0,
            within: quarter.start.milliseconds...quarter.end.milliseconds - 1)
    }

    /// Numbers of a narrow range, out of differences of differences.
    private mutating func numbers(
        from first: Int64, lastDifference: Int64, within range: ClosedRange<Int64>
    ) throws(BlockDamage) -> [Int64] {
        var (last, lastDifference) = (first, lastDifference)
        var numbers: [Int64] = []
        numbers.reserveCapacity(block.count)
        for _ in 0..<block.count {
            let number = last &+ lastDifference &+ (try reader.difference())
            guard range.contains(number) else { throw .content }
            numbers.append(number)
            (last, lastDifference) = (number, number - last)
        }
        return numbers
    }

    private mutating func ordinals() throws(BlockDamage) -> [Int] {
        var ordinals: [Int] = []
        ordinals.reserveCapacity(block.count)
        for _ in 0..<block.count {
            ordinals.append(try reader.number(below: BlockLimits.ordinals))
        }
        return ordinals
    }

    private mutating func bounds() throws(BlockDamage) -> [Int] {
        var bounds = [0]
        bounds.reserveCapacity(block.count + 1)
        var length: Int64 = 0
        for index in 0..<block.count {
            length &+= try reader.difference()
            guard (0...Int64(BlockLimits.packet)).contains(length) else { throw .content }
            bounds.append(bounds[index] + Int(length))
        }
        return bounds
    }

    private mutating func packets(_ bounds: [Int]) throws(BlockDamage) -> [UInt8] {
        let lengths = zip(bounds.dropFirst(), bounds).map { $0 - $1 }
        let shortest = lengths.min() ?? 0
        var octets = [UInt8](repeating: 0, count: bounds[block.count])
        for place in 0..<min(lengths.max() ?? 0, head) {
            guard let form = ColumnForm(rawValue: try reader.octet()) else { throw .content }
            let count = place < shortest ? block.count : lengths.count { $0 > place }
            let column = try reader.octets(count)
            let starts =
                place < shortest
                ? bounds
                : bounds.indices.dropLast().compactMap { index in
                    lengths[index] > place ? bounds[index] : nil
                }
            Self.spread(column, form, at: place, starts, in: &octets)
        }
        return octets
    }

    /// Puts the octets of a column at one place of the packets that start where `starts` says.
    private static func spread(
        _ column: ArraySlice<UInt8>, _ form: ColumnForm, at place: Int, _ starts: [Int],
        in octets: inout [UInt8]
    ) {
        var last: UInt8 = 0
        octets.withUnsafeMutableBufferPointer { octets in
            for (index, octet) in column.enumerated() {
                last = form == .plain ? octet : last &+ octet
                octets[starts[index] + place] = last
            }
        }
    }
}
