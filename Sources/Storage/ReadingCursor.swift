internal import Measurements
internal import Samples

/// Steps through the readings of one stream in the order of a query, one row at a time.
///
/// Readings that have an end of their own are in another index when the order is by end, so that a
/// stream can need two cursors.
final class ReadingCursor {
    /// Where the rows come from.
    enum Source {
        /// The index by start.
        case starts
        /// The index by end: only readings that have one.
        case ends
    }

    private let statement: Statement
    private let sort: SampleQuery.Sort
    let stream: Stream
    /// The reading that comes next; nil at the end.
    private(set) var head: Reading?

    init(
        _ database: borrowing Database, _ stream: Stream, _ query: SampleQuery,
        _ source: Source, from position: SamplePosition?
    ) throws(StorageError) {
        statement = try database.prepare(Self.sql(query, source))
        sort = query.sort
        self.stream = stream
        try statement.bind(1, stream.id)
        try bind(query, position)
        try advance()
    }

    /// Moves to the next reading.
    func advance() throws(StorageError) {
        head = try statement.step() ? Self.reading(statement, stream.id) : nil
    }

    /// The time that the next reading is ordered by.
    func time(of reading: Reading) -> Instant {
        sort == .start ? reading.measuredFrom : reading.measuredTo
    }

    private func bind(
        _ query: SampleQuery, _ position: SamplePosition?
    ) throws(StorageError) {
        let isAscending = query.order == .ascending
        let interval = Self.interval(query)
        let range = sort == .start && query.match == .start ? interval : (.min, .max)
        let time = position?.time.milliseconds
        try statement.bind(2, isAscending ? max(time ?? .min, range.0) : range.0)
        try statement.bind(3, isAscending ? range.1 : min(time ?? .max, range.1))
        try statement.bind(4, position?.time.milliseconds ?? (isAscending ? .min : .max))
        try statement.bind(5, position?.seq ?? (isAscending ? .min : .max))
        try statement.bind(6, interval.0)
        try statement.bind(7, interval.1)
        try statement.bind(8, query.newest)
    }

    /// The first and the last millisecond of the query's interval.
    private static func interval(_ query: SampleQuery) -> (Int64, Int64) {
        (query.start?.milliseconds ?? .min, query.end.map { $0.milliseconds - 1 } ?? .max)
    }

    /// The range ?2 to ?3 is what the index narrows; the unary plus keeps the others out of it.
    static func sql(_ query: SampleQuery, _ source: Source) -> String {
        let start = "coalesce(start, at)"
        let key = source == .starts ? start : "\"end\""
        let (beyond, direction) = query.order == .ascending ? (">", "ASC") : ("<", "DESC")
        let last = query.match == .start ? start : "coalesce(\"end\", start, at)"
        return """
            SELECT seq, at, start, "end", stamp, ordinal, flags, first, octets FROM reading
            WHERE stream = ?1 AND \(key) BETWEEN ?2 AND ?3
            AND (+\(key) \(beyond) ?4 OR seq \(beyond)= ?5)
            AND +\(last) >= ?6 AND +\(start) <= ?7 AND seq <= ?8
            \(source.excludingOthers(query.sort))
            ORDER BY \(key) \(direction), seq \(direction)
            """
    }

    private static func reading(
        _ statement: borrowing Statement, _ stream: Int64
    ) -> Reading {
        Reading(
            seq: statement.int64(0), stream: stream, at: Instant(milliseconds: statement.int64(1)),
            start: statement.optionalInt64(2).map { Instant(milliseconds: $0) },
            end: statement.optionalInt64(3).map { Instant(milliseconds: $0) },
            stamp: statement.optionalInt64(4), ordinal: Int(statement.int64(5)),
            flags: ReadingFlags(rawValue: Int(statement.int64(6))),
            first: statement.optionalInt64(7), octets: statement.octets(8))
    }
}

extension ReadingCursor.Source {
    /// By end, the index by start serves just the readings without one.
    fileprivate func excludingOthers(_ sort: SampleQuery.Sort) -> String {
        switch (self, sort) {
        case (.starts, .end): "AND \"end\" IS NULL"
        case (.starts, .start): ""
        case (.ends, _): "AND \"end\" IS NOT NULL"
        }
    }
}
