internal import Measurements
internal import Samples

/// Reads blocks, whatever octets they are made of.
package struct BlockDecoder {
    private let block: EncodedBlock
    private var reader: VarintReader

    /// The readings of a block.
    ///
    /// - Throws: Why there are none: octets that nobody wrote never give readings.
    package static func decode(_ block: EncodedBlock) throws(BlockDamage) -> BlockColumns {
        guard block.codec == EncodedBlock.codec else { throw .codec }
        guard block.crc == block.rightCRC else { throw .checksum }
        return try decodeUnchecked(block)
    }

    /// The readings of a block, whose check sum is not looked at.
    package static func decodeUnchecked(_ block: EncodedBlock) throws(BlockDamage) -> BlockColumns {
        guard (1...BlockLimits.readings).contains(block.count),
            BlockLimits.firstSeqs.contains(block.seq0),
            BlockLimits.quarters.contains(block.quarter)
        else { throw .content }
        var header = VarintReader(block.data)
        let count = try header.number(below: block.count * mostOctets + mostOctets)
        guard let raw = Zlib.inflated(header.rest, count: count) else { throw .content }
        var decoder = BlockDecoder(block: block, reader: VarintReader(raw))
        return try decoder.columns()
    }

    /// What one reading can need, its packet and the ends of all columns included.
    private static let mostOctets = BlockLimits.packet * 2 + 64

    private mutating func columns() throws(BlockDamage) -> BlockColumns {
        let seqs = try seqs()
        let times = try times()
        let bounds = try bounds()
        var ordinals: [Int] = []
        for _ in 0..<block.count {
            ordinals.append(try reader.number(below: BlockLimits.ordinals))
        }
        let flags = Array(try reader.octets(block.count))
        let octets = try packets(bounds)
        guard reader.isAtEnd else { throw .content }
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
        for place in 0..<(lengths.max() ?? 0) {
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
