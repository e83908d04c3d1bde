internal import Measurements
internal import Samples

/// The rows of the table of summaries.
enum SummaryRow {
    /// The columns behind the key, in the order that `statistics` takes them.
    static let columns = """
        n, excluded, exponent, sum, min, max, first, last, t_first, t_last, seq_first, seq_last,
        histogram
        """

    /// Finds the rows of the stream ?1, which lie by type and modality before they lie by quarter.
    static let areOfStream = """
        stream = ?1 AND type IN (\(list(types))) AND modality IN (\(list(modalities)))
        """

    /// Finds the rows of a block of the stream ?1, in the quarter ?2, with the first seq ?3.
    static let areOfBlock = "\(areOfStream) AND quarter = ?2 AND seq0 = ?3"

    /// Finds the one of them of the type ?4 and the modality ?5.
    static let isOfKind = """
        stream = ?1 AND quarter = ?2 AND seq0 = ?3 AND type = ?4 AND modality = ?5
        """

    /// The least or greatest quarter (`min`, `max`) of the stream ?1 where a condition holds; NULL if
    /// there is none.
    ///
    /// Each type and modality is asked by itself, which goes straight to its end.
    static func outermost(_ function: StaticString, _ condition: StaticString = "1") -> String {
        """
        (SELECT \(function)((SELECT \(function)(quarter) FROM summary WHERE stream = ?1
            AND type = types.column1 AND modality = modalities.column1 AND \(condition)))
        FROM (VALUES \(rows(types))) AS types, (VALUES \(rows(modalities))) AS modalities)
        """
    }

    private static let types = SampleType.allCases.map(\.place)
    private static let modalities = Modality.allCases.map(\.place)

    private static func list(_ numbers: [Int]) -> String {
        numbers.map(String.init).joined(separator: ", ")
    }

    private static func rows(_ numbers: [Int]) -> String {
        numbers.map { "(\($0))" }.joined(separator: ", ")
    }

    /// Which block a row belongs to, and what it counts from.
    struct Origin {
        /// The first instant of the quarter, in ms since 1970.
        let start: Int64
        /// The first seq of the block.
        let seq0: Int64
        /// How the samples were measured.
        let modality: Modality
    }

    /// The statistics in columns from `column` on; nil if they are not there, or contradict themselves.
    ///
    /// Without `needsHistogram` it is left out.
    static func statistics(
        _ row: borrowing Statement, from column: Int32, _ origin: Origin, needsHistogram: Bool
    ) -> Statistics? {
        let (count, excluded) = (Int(row.int64(column)), Int(row.int64(column + 1)))
        guard count > 0 else {
            return Statistics(excluded: excluded, keepsHistogram: needsHistogram)
        }
        guard let sum = row.optionalInt64(column + 3) else { return nil }
        let first = Statistics.Placed(
            place(row, column + 8, column + 10, origin), row.int64(column + 6))
        let last = Statistics.Placed(
            place(row, column + 9, column + 11, origin), row.int64(column + 7))
        let histogram = needsHistogram ? Histogram(encoded: row.octets(column + 12)) : nil
        guard !needsHistogram || histogram != nil else { return nil }
        return Statistics(
            count: count, excluded: excluded, exponent: Int(row.int64(column + 2)),
            sum: Int128(sum), least: row.int64(column + 4), greatest: row.int64(column + 5),
            first: first, last: last, histogram: histogram)
    }

    /// The columns from `n` to `seq_last`; NULL where there are no values.
    static func numbers(
        _ statistics: Statistics, in quarter: Quarter, _ seq0: Int64
    ) -> [Int64?] {
        let counts = [Int64(statistics.count), Int64(statistics.excluded)]
        guard let first = statistics.first, let last = statistics.last else {
            return counts + Array(repeating: nil, count: 10)
        }
        let start = quarter.start.milliseconds
        return counts + [
            Int64(statistics.exponent), Int64(exactly: statistics.sum), statistics.least,
            statistics.greatest, first.mantissa, last.mantissa, first.place.time - start,
            last.place.time - start, first.place.seq - seq0, last.place.seq - seq0,
        ]
    }

    private static func place(
        _ row: borrowing Statement, _ time: Int32, _ seq: Int32, _ origin: Origin
    ) -> SamplePlace {
        SamplePlace(
            time: origin.start &+ row.int64(time), seq: origin.seq0 &+ row.int64(seq),
            index: origin.modality.firstIndex)
    }
}

extension Modality {
    /// A place in a packet that is in order with those of the other modalities of a type.
    var firstIndex: Int {
        switch self {
        case .fast: 2
        case .slow: 4
        case .spot, .continuous, .intermediate, .final, .strap, .imported: 0
        }
    }
}
