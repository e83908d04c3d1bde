internal import Measurements
internal import Samples

/// The writer's view of what happened to readings after they came in.
final class ChangeLog {
    private let insert: Statement
    private let findDeleted: Statement
    private let countDeleted: Statement
    private let findSpan: Statement
    private let countSpans: Statement
    private var streamsWithDeletions: [Int64: Bool] = [:]
    private var streamsWithSpans: [Int64: Bool] = [:]

    /// What a change does; the raw values are what the table holds.
    enum Operation: String {
        /// A reading is gone.
        case delete
        /// Readings of a device became somebody's.
        case assign
    }

    init(_ database: borrowing Database) throws(StorageError) {
        insert = try database.prepare(
            "INSERT INTO change VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)")
        findDeleted = try database.prepare(
            "SELECT 1 FROM change WHERE stream = ? AND digest = ? LIMIT 1")
        findSpan = try database.prepare(
            """
            SELECT 1 FROM change WHERE stream = ?1 AND t0 <= ?2 AND t1 > ?2 AND at > ?2
            AND digest IS NULL LIMIT 1
            """)
        countSpans = try database.prepare(
            "SELECT 1 FROM change WHERE stream = ? AND t1 IS NOT NULL AND digest IS NULL LIMIT 1")
        countDeleted = try database.prepare(
            "SELECT 1 FROM change WHERE stream = ? AND digest IS NOT NULL LIMIT 1")
    }

    /// Notes that a reading is gone; `samples` says what it held.
    func noteDeletion(
        of reading: Reading, digest: Int64, samples: String, seq: Int64, at: Instant
    ) throws(StorageError) {
        try insert.bind(1, seq)
        try insert.bind(2, at.milliseconds)
        try insert.bind(3, Operation.delete.rawValue)
        try insert.bind(4, reading.first ?? reading.seq)
        try insert.bind(5, reading.stream)
        try insert.bind(6, nil as Int64?)
        try insert.bind(7, reading.measuredFrom.milliseconds)
        try insert.bind(8, nil as Int64?)
        try insert.bind(9, digest)
        try insert.bind(10, samples)
        try insert.run()
        streamsWithDeletions[reading.stream] = true
    }

    /// Notes that all readings of a stream are gone that were received in a span, but for stamped ones.
    func noteDeletion(
        of stream: Int64, from start: Instant, until end: Instant, seq: Int64, at: Instant
    ) throws(StorageError) {
        try insert.bind(1, seq)
        try insert.bind(2, at.milliseconds)
        try insert.bind(3, Operation.delete.rawValue)
        try insert.bind(4, nil as Int64?)
        try insert.bind(5, stream)
        try insert.bind(6, nil as Int64?)
        try insert.bind(7, start.milliseconds)
        try insert.bind(8, end.milliseconds)
        try insert.bind(9, nil as Int64?)
        try insert.bind(10, nil as String?)
        try insert.run()
        streamsWithSpans[stream] = true
    }

    /// Whether a stream's readings of a time were deleted with a span, after they were received.
    func isInDeletedSpan(_ time: Instant, of stream: Int64) throws(StorageError) -> Bool {
        if streamsWithSpans[stream] == nil {
            try countSpans.bind(1, stream)
            defer { countSpans.reset() }
            streamsWithSpans[stream] = try countSpans.step()
        }
        guard streamsWithSpans[stream] == true else { return false }
        try findSpan.bind(1, stream)
        try findSpan.bind(2, time.milliseconds)
        defer { findSpan.reset() }
        return try findSpan.step()
    }

    /// Notes that the readings of a device in a span became somebody's.
    func noteAssignment(
        of device: Int64, from start: Instant, until end: Instant, seq: Int64, at: Instant
    ) throws(StorageError) {
        try insert.bind(1, seq)
        try insert.bind(2, at.milliseconds)
        try insert.bind(3, Operation.assign.rawValue)
        try insert.bind(4, nil as Int64?)
        try insert.bind(5, nil as Int64?)
        try insert.bind(6, device)
        try insert.bind(7, start.milliseconds)
        try insert.bind(8, end.milliseconds)
        try insert.bind(9, nil as Int64?)
        try insert.bind(10, nil as String?)
        try insert.run()
    }

    /// Whether a reading of this digest was deleted from a stream.
    func isDeleted(
        _ digest: () -> Int64, from stream: Int64
    ) throws(StorageError) -> Bool {
        if streamsWithDeletions[stream] == nil {
            try countDeleted.bind(1, stream)
            defer { countDeleted.reset() }
            streamsWithDeletions[stream] = try countDeleted.step()
        }
        guard streamsWithDeletions[stream] == true else { return false }
        try findDeleted.bind(1, stream)
        try findDeleted.bind(2, digest())
        defer { findDeleted.reset() }
        return try findDeleted.step()
    }

    /// Forgets what may have been rolled back.
    func forget() {
        streamsWithDeletions = [:]
        streamsWithSpans = [:]
    }
}
