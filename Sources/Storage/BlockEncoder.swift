internal import Measurements
internal import Samples

/// Makes blocks of readings.
package enum BlockEncoder {
    /// The block of readings of one stream and quarter, which `BlockLimits` allow.
    ///
    /// - Returns: nil where there is no memory for it.
    package static func encode(_ columns: BlockColumns, in quarter: Quarter) -> EncodedBlock? {
        let raw = octets(of: columns, in: quarter)
        guard let small = Zlib.deflated(raw) else { return nil }
        var data: [UInt8] = []
        data.append(varint: UInt64(raw.count))
        return EncodedBlock(columns, in: quarter, data: data + small)
    }

    /// The columns, before they are made small.
    private static func octets(of columns: BlockColumns, in quarter: Quarter) -> [UInt8] {
        var raw: [UInt8] = []
        raw.reserveCapacity(columns.octets.count + columns.count * 8)
        append(columns.seqs, from: columns.seqs[0] - 1, lastDifference: 1, to: &raw)
        append(columns.times, from: quarter.start.milliseconds, lastDifference: 0, to: &raw)
        var last = 0
        for index in 0..<columns.count {
            raw.append(varint: Int64(columns.length(index) - last).zigzag)
            last = columns.length(index)
        }
        for ordinal in columns.ordinals { raw.append(varint: UInt64(ordinal)) }
        raw += columns.flags
        appendPackets(of: columns, to: &raw)
        return raw
    }

    /// Appends numbers as differences of differences.
    private static func append(
        _ numbers: [Int64], from first: Int64, lastDifference: Int64, to raw: inout [UInt8]
    ) {
        var (last, lastDifference) = (first, lastDifference)
        for number in numbers {
            raw.append(varint: (number - last - lastDifference).zigzag)
            (last, lastDifference) = (number, number - last)
        }
    }

    private static func appendPackets(of columns: BlockColumns, to raw: inout [UInt8]) {
        let longest = (0..<columns.count).reduce(0) { max($0, columns.length($1)) }
        for place in 0..<longest {
            var column: [UInt8] = []
            for index in 0..<columns.count where columns.length(index) > place {
                column.append(columns.octets[columns.bounds[index] + place])
            }
            append(column, to: &raw)
        }
    }

    /// Appends a column in the form that has fewer kinds of octets.
    private static func append(_ column: [UInt8], to raw: inout [UInt8]) {
        let differences = differences(column)
        let isSteady = spread(of: differences) < spread(of: column)
        raw.append((isSteady ? ColumnForm.differences : .plain).rawValue)
        raw += isSteady ? differences : column
    }

    private static func differences(_ column: [UInt8]) -> [UInt8] {
        var last: UInt8 = 0
        return column.map { octet in
            defer { last = octet }
            return octet &- last
        }
    }

    /// 256 times the bits that a column needs if each octet costs what its rarity is worth.
    private static func spread(of column: [UInt8]) -> Int {
        var counts = [Int](repeating: 0, count: 256)
        for octet in column { counts[Int(octet)] += 1 }
        return counts.reduce(0) { $0 + $1 * (logarithm(column.count) - logarithm($1)) }
    }

    /// The logarithm to the base 2, in 256ths, linear between powers of two; 0 for 0.
    private static func logarithm(_ number: Int) -> Int {
        guard number > 0 else { return 0 }
        let power = Int.bitWidth - 1 - number.leadingZeroBitCount
        return power * 256 + (((number - (1 << power)) << 8) >> power)
    }
}

extension EncodedBlock {
    /// The block of some columns, with its check sum.
    fileprivate init(_ columns: BlockColumns, in quarter: Quarter, data: [UInt8]) {
        let unchecked = EncodedBlock(
            stream: columns.stream, quarter: quarter, seq0: columns.seqs[0],
            count: columns.count, codec: Self.codec, crc: 0, data: data)
        self.init(
            stream: columns.stream, quarter: quarter, seq0: columns.seqs[0],
            count: columns.count, codec: Self.codec, crc: unchecked.rightCRC, data: data)
    }
}
