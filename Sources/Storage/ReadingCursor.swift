internal import Measurements
internal import Samples

/// Steps through readings of one stream in the order of a query.
protocol ReadingSource: AnyObject {
    /// The stream.
    var stream: Stream { get }
    /// What comes next; nil at the end.
    var upcoming: UpcomingReading? { get }

    /// Moves to the next reading, or finds out what comes at a time that is all that is known.
    func advance() throws(StorageError)
}

/// What a source has next.
enum UpcomingReading {
    /// A reading, with the time that it is ordered by.
    case reading(Reading, time: Instant)
    /// Nothing that would stand before this time in the order of the query.
    case nothingBefore(Instant)
}

/// Steps through the rows of one stream in the order of a query.
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
    private(set) var upcoming: UpcomingReading?

    init(
        _ database: borrowing Database, _ stream: Stream, _ query: SampleQuery,
        _ source: Source, from position: SamplePosition?
    ) throws(StorageError) {
        statement = try database.prepare(Self.sql(query, source))
        sort = query.sort
        self.stream = stream
        try statement.bind(1, stream.id)
        try bind(query, source, position)
        try advance()
    }

    func advance() throws(StorageError) {
        guard try statement.step() else { return upcoming = nil }
        let reading = Reading(statement, stream: stream.id)
        let time = sort == .start ? reading.measuredFrom : reading.measuredTo
        upcoming = .reading(reading, time: time)
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
        try statement.bind(4, position?.time.milliseconds ?? (isAscending ? .min : .max))
        try statement.bind(5, position?.seq ?? (isAscending ? .min : .max))
        try statement.bind(6, interval.0)
        try statement.bind(7, interval.1)
        try statement.bind(8, query.newest)
    }

    /// The range ?2 to ?3 is what the index narrows; the unary plus keeps the others out of it.
    static func sql(_ query: SampleQuery, _ source: Source) -> String {
        let start = "coalesce(start, at)"
        let key = source == .lasting && query.sort == .end ? "\"end\"" : start
        let (beyond, direction) = query.order == .ascending ? (">", "ASC") : ("<", "DESC")
        let last = query.match == .start ? start : "coalesce(\"end\", start, at)"
        return """
            SELECT \(Reading.columns) FROM reading \(source.index)
            WHERE stream = ?1 AND \(key) BETWEEN ?2 AND ?3
            AND (+\(key) \(beyond) ?4 OR seq \(beyond)= ?5)
            AND +\(last) >= ?6 AND +\(start) <= ?7 AND seq <= ?8 \(source.condition)
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

    fileprivate var condition: String {
        switch self {
        case .all: ""
        case .instants: "AND \"end\" IS NULL"
        case .lasting: "AND \"end\" IS NOT NULL"
        }
    }
}
