internal import Measurements
internal import Samples

/// Steps through the readings of one stream in the order of a query, one row at a time.
///
/// Where readings that last must be found by their end, they come from an index of their own, so that
/// a stream can need two cursors.
final class ReadingCursor: ReadingSource {
    /// Where the rows come from.
    enum Source {
        /// All readings, by the index of starts.
        case all
        /// The readings without an end of their own, by the index of starts.
        case instants
        /// The readings with an end of their own, by the index of ends.
        case lasting
    }

    private let statement: Statement
    private let sort: SampleQuery.Sort
    let stream: Stream
    private(set) var key: ReadingKey?

    init(
        _ database: borrowing Database, _ stream: Stream, _ query: SampleQuery,
        _ source: Source, from position: SamplePosition?, isCount: Bool
    ) throws(StorageError) {
        statement = try database.prepare(Self.sql(query, source, isCount: isCount))
        sort = query.sort
        self.stream = stream
        try statement.bind(1, stream.id)
        try bind(query, source, position)
        try advance()
        while let key, position.map({ Self.isBefore(key, $0, query.order) }) ?? false {
            try advance()
        }
    }

    /// Whether a reading of the position's own time was there before it.
    private static func isBefore(
        _ key: ReadingKey, _ position: SamplePosition, _ order: SampleQuery.Order
    ) -> Bool {
        guard key.time == position.time else { return false }
        return order == .ascending ? key.seq < position.seq : key.seq > position.seq
    }

    func advance() throws(StorageError) {
        key = try statement.step() ? ReadingKey(time: time, seq: statement.int64(0)) : nil
    }

    var hasReading: Bool { key != nil }

    var reading: Reading { Reading(statement, stream: stream.id) }

    var start: Instant {
        Instant(milliseconds: statement.optionalInt64(2) ?? statement.int64(1))
    }

    var origin: GATTEvent.Origin { ReadingFlags(rawValue: Int(statement.int64(6))).origin }

    func read(into octets: inout [UInt8]) { statement.read(8, into: &octets) }

    /// The time that the next reading is ordered by.
    private var time: Instant {
        guard sort == .end, let end = statement.optionalInt64(3) else { return start }
        return Instant(milliseconds: end)
    }

    /// The sources that a query needs.
    static func sources(of query: SampleQuery) -> [Source] {
        query.sort == .start && query.match == .start ? [.all] : [.instants, .lasting]
    }

    private func bind(
        _ query: SampleQuery, _ source: Source, _ position: SamplePosition?
    ) throws(StorageError) {
        let isAscending = query.order == .ascending
        let interval = query.milliseconds
        let range = source == .lasting ? (.min, .max) : interval
        let time = position?.time.milliseconds
        try statement.bind(2, isAscending ? max(time ?? .min, range.0) : range.0)
        try statement.bind(3, isAscending ? range.1 : min(time ?? .max, range.1))
        try statement.bind(4, query.newest)
        guard source == .lasting else { return }
        try statement.bind(5, interval.0)
        try statement.bind(6, interval.1)
    }

    /// The range ?2 to ?3 is what the index narrows; the unary plus keeps the others out of it.
    ///
    /// Where samples are only counted, no more columns are read than decide on that.
    static func sql(_ query: SampleQuery, _ source: Source, isCount: Bool) -> String {
        let start = "coalesce(start, at)"
        let key = source == .lasting && query.sort == .end ? "\"end\"" : start
        let direction = query.order == .ascending ? "ASC" : "DESC"
        let columns =
            isCount
            ? "seq, NULL, \(start), \(source == .lasting ? "\"end\"" : "NULL"), NULL, 0, flags, NULL, octets"
            : Reading.columns
        return """
            SELECT \(columns) FROM reading \(source.index)
            WHERE stream = ?1 AND \(key) BETWEEN ?2 AND ?3 AND seq <= ?4
            \(source.condition(last: query.match == .start ? start : "\"end\""))
            ORDER BY \(key) \(direction), seq \(direction)
            """
    }
}

extension ReadingCursor.Source {
    fileprivate var index: String {
        switch self {
        case .all, .instants: "INDEXED BY reading_time"
        case .lasting: "INDEXED BY reading_end"
        }
    }

    /// What else must hold; for instants the range of the index is the interval.
    fileprivate func condition(last: String) -> String {
        switch self {
        case .all: ""
        case .instants: "AND \"end\" IS NULL"
        case .lasting:
            "AND \"end\" IS NOT NULL AND +\(last) >= ?5 AND +coalesce(start, at) <= ?6"
        }
    }
}
