package import Measurements
package import Samples

/// What the summary of a block says, and what the present decoder makes of its packets.
package struct SummaryDifference: Sendable {
    /// One side of it.
    package struct Side: Equatable, Sendable {
        /// How many values there are.
        package let count: Int
        /// How many samples were left out because of their quality.
        package let excluded: Int
        /// The least value; nil if there is none.
        package let min: DecimalNumber?
        /// The greatest value; nil if there is none.
        package let max: DecimalNumber?
    }

    /// The stream.
    package let stream: Stream
    /// The quarter of the block.
    package let quarter: Quarter
    /// What was measured.
    package let type: SampleType
    /// How it was measured.
    package let modality: Modality
    /// What is stored; nil where nothing is.
    package let before: Side?
    /// What comes out now; nil where nothing does.
    package let after: Side?
}

extension StoreReader {
    /// What some blocks' summaries came to.
    package struct SummaryCheck: Sendable {
        /// How many blocks were looked at.
        package fileprivate(set) var blocks = 0
        /// What differs.
        package fileprivate(set) var differences: [SummaryDifference] = []
        /// Behind which block to go on; nil at the end.
        package fileprivate(set) var next: Int64?
    }

    /// Compares the summaries of the next blocks behind one with what their packets give now.
    package func checkSummaries(behind id: Int64) throws(StorageError) -> SummaryCheck {
        try transaction { () throws(StorageError) in
            let streams = Dictionary(
                uniqueKeysWithValues: try self.streamsNow().map { ($0.id, $0) })
            var check = SummaryCheck()
            for row in try self.blocks.rows(behind: id, limit: Retention.blocksAtOnce) {
                check.blocks += 1
                check.next = row.id
                guard let stream = streams[row.stream],
                    let columns = try self.blocks.decoded(row)?.columns
                else { continue }
                check.differences += try self.differences(row, columns, stream)
            }
            return check
        }
    }

    private func differences(
        _ row: BlockRow, _ columns: BlockColumns, _ stream: Stream
    ) throws(StorageError) -> [SummaryDifference] {
        let before = try storedSummaries(row)
        var after: [SummaryKey: SummaryContent] = [:]
        for summary in Summary.all(of: columns, stream.characteristic) {
            let key = SummaryKey(type: summary.type.place, modality: summary.modality.place)
            after[key] = SummaryContent(summary, in: row.quarter, columns.seqs[0])
        }
        let keys = Set(before.keys).union(after.keys).filter { before[$0] != after[$0] }
        return keys.sorted { ($0.type, $0.modality) < ($1.type, $1.modality) }.compactMap { key in
            guard let type = SampleType.allCases.first(where: { $0.place == key.type }),
                let modality = Modality.allCases.first(where: { $0.place == key.modality })
            else { return nil }
            return SummaryDifference(
                stream: stream, quarter: row.quarter, type: type, modality: modality,
                before: before[key]?.side, after: after[key]?.side)
        }
    }

    private func storedSummaries(
        _ row: BlockRow
    ) throws(StorageError) -> [SummaryKey: SummaryContent] {
        let statement = try database.prepare(
            """
            SELECT \(SummaryRow.columns), type, modality FROM summary
            WHERE \(SummaryRow.areOfBlock)
            """)
        try statement.bind(1, row.stream)
        try statement.bind(2, row.quarter.number)
        try statement.bind(3, row.seqs.lowerBound)
        var found: [SummaryKey: SummaryContent] = [:]
        while try statement.step() {
            let key = SummaryKey(
                type: Int(statement.int64(13)), modality: Int(statement.int64(14)))
            found[key] = SummaryContent(statement)
        }
        return found
    }
}

/// What tells the summaries of a block apart, as it is stored.
private struct SummaryKey: Hashable {
    let type: Int
    let modality: Int
}

/// A summary as it lies in its row.
private struct SummaryContent: Equatable {
    private let numbers: [Int64?]
    private let histogram: [UInt8]

    /// The summary in the present row of a statement that selects `SummaryRow.columns` first.
    init(_ row: borrowing Statement) {
        numbers = (0..<12).map { row.optionalInt64($0) }
        histogram = row.octets(12)
    }

    /// The summary that would be written.
    init(_ summary: Summary, in quarter: Quarter, _ seq0: Int64) {
        numbers = SummaryRow.numbers(summary.statistics, in: quarter, seq0)
        histogram = summary.statistics.histogram?.encoded ?? []
    }

    var side: SummaryDifference.Side {
        SummaryDifference.Side(
            count: Int(numbers[0] ?? 0), excluded: Int(numbers[1] ?? 0), min: number(4),
            max: number(5))
    }

    private func number(_ column: Int) -> DecimalNumber? {
        guard let mantissa = numbers[column], let exponent = numbers[2] else { return nil }
        return DecimalNumber(mantissa: mantissa, exponent: Int(exponent))
    }
}
