package import Measurements
package import Samples

/// The one connection that writes: takes readings in, and decides what is a duplicate.
///
/// Nothing is visible to readers before a commit, and nothing is sure to survive a power cut before a
/// durable one.
package final class StoreWriter {
    let database: Database
    private let insert: Statement
    let catalogue: Catalogue
    let duplicates: DuplicateLookup
    let changes: ChangeLog
    private let sensorSamples: SensorSamples
    let blocks: BlockReader
    let blockWriter: BlockWriter
    let blockCounter: BlockCounter
    let sealer: Sealer
    let findReading: Statement
    let deleteReading: Statement
    /// Streaming readings from before this are not kept any more; nil means that all are.
    private(set) var keptFrom: Instant?

    /// What names this store; anchors and cursors of another one mean nothing here.
    package let epoch: String
    /// The seq that the next reading gets.
    package private(set) var nextSeq: Int64
    /// The greatest seq that readers can see; 0 when there is none.
    package private(set) var committed: Int64
    /// Whether there is something that readers cannot see yet.
    package private(set) var hasUncommitted = false
    /// Whether the last one who wrote the store closed it in order; so is a new one.
    package let wasClosed: Bool
    /// Whether everything that came in so far is on the disk.
    package var isAllDurable: Bool { isDurable && !hasUncommitted }
    private var isDurable = true
    /// Times that something became visible to readers since the store was opened.
    package private(set) var commits = 0
    /// Times that everything was put on the disk since the store was opened.
    package private(set) var durableCommits = 0

    /// What became of an intake.
    package enum Outcome: Equatable, Sendable {
        /// A new reading, with this seq.
        case stored(seq: Int64)
        /// The reading is in the store already.
        case duplicate
        /// A person deleted the reading, or it is older than what is kept; it does not come back.
        case deleted
        /// More readings of a stream at one time than `DuplicateLookup.limit`.
        case tooManyAtOneTime
        /// An attribute, a clock or a name was noted, or there was nothing to note.
        case noted
    }

    /// Opens the store at `path`, or makes it; an empty path is a private one that vanishes.
    ///
    /// A store that is made is named `newEpoch`.
    package init(path: String, newEpoch: String) throws(StorageError) {
        let database = try Database(path: path, mode: .readWrite)
        if try database.number("SELECT count(*) FROM sqlite_schema") == 0 {
            try database.execute(Schema.creation)
        }
        try database.execute(Schema.writing)
        let pageSize = try database.number("PRAGMA page_size") ?? 4096
        try database.execute("PRAGMA wal_autocheckpoint = \(Schema.longestLog / pageSize)")
        try Schema.migrate(database, epoch: newEpoch)
        epoch = try database.text("SELECT value FROM meta WHERE key = 'epoch'") ?? newEpoch
        nextSeq = try Schema.nextSeq(in: database)
        committed = nextSeq - 1
        wasClosed = try database.number("SELECT value FROM meta WHERE key = 'closed'") ?? 1 == 1
        insert = try database.prepare(
            "INSERT INTO reading VALUES (?1, ?2, ?3, ?4, ?9, ?5, ?6, ?7, NULL, ?8)")
        catalogue = try Catalogue(database)
        blocks = try BlockReader(
            database, try BlockData(database, outside: path.isEmpty ? nil : path))
        blockWriter = try BlockWriter(database, blocks.data)
        blockCounter = try BlockCounter(database)
        sealer = try Sealer(database, catalogue, blockWriter)
        duplicates = try DuplicateLookup(database, blocks)
        changes = try ChangeLog(database)
        sensorSamples = try SensorSamples(database, blocks)
        findReading = try database.prepare(
            "SELECT \(Reading.columns), stream FROM reading WHERE seq = ?")
        deleteReading = try database.prepare("DELETE FROM reading WHERE seq = ?")
        keptFrom = try Retention.keptFrom(in: database)
        self.database = database
        try noteDecoder()
    }

    /// Takes an intake in; a reading becomes visible with the next commit.
    package func ingest(_ intake: Intake) throws(StorageError) -> Outcome {
        if case .skipped = intake.content { return .noted }
        try begin()
        let device = try catalogue.device(intake.device)
        switch intake.content {
        case .reading(let reading):
            guard try !sensorSamples.contains(reading, at: intake.at, from: intake.device) else {
                return .duplicate
            }
            return try store(reading, at: intake.at, device)
        case .attribute(let attribute): try catalogue.note(attribute, of: device)
        case .clock(let offset):
            try catalogue.noteClock(of: device, at: intake.at, offset)
            for correction in intake.corrections { try correct(correction, of: device) }
        case .link, .skipped: break
        }
        return .noted
    }

    /// What would become of a reading because of those there were: nil if it would be new.
    package func verdict(on intake: Intake) throws(StorageError) -> Outcome? {
        guard case .reading(let reading) = intake.content else { return nil }
        if try sensorSamples.contains(reading, at: intake.at, from: intake.device) {
            return .duplicate
        }
        guard let device = try catalogue.knownDevice(intake.device.identity),
            let stream = try catalogue.knownStream(
                device, reading.characteristic, reading.instance)
        else { return nil }
        if try isGone(reading, at: intake.at, from: stream) { return .deleted }
        return try duplicates.isKnown(reading, at: intake.at, stream) ? .duplicate : nil
    }

    private func store(
        _ reading: NewReading, at: Instant, _ device: Int64
    ) throws(StorageError) -> Outcome {
        let stream = try catalogue.stream(device, reading.characteristic, reading.instance)
        if try isGone(reading, at: at, from: stream) { return .deleted }
        switch try duplicates.judge(reading, at: at, stream) {
        case .known: return .duplicate
        case .tooMany: return .tooManyAtOneTime
        case .new: break
        }
        let seq = takeSeq()
        try insert.bind(1, seq)
        try insert.bind(2, stream)
        try insert.bind(3, at.milliseconds)
        try insert.bind(4, reading.start?.milliseconds)
        try insert.bind(5, reading.stamp)
        try insert.bind(6, Int64(reading.ordinal))
        try insert.bind(7, Int64(reading.flags.rawValue))
        try insert.bind(8, reading.octets)
        try insert.bind(9, reading.end?.milliseconds)
        try insert.run()
        try catalogue.noteTypes(reading.typeBits, of: stream)
        sealer.noteRow(of: stream, reading.characteristic, at: reading.start ?? at)
        return .stored(seq: seq)
    }

    /// Whether a reading was deleted, by itself or with its span, or is older than what is kept.
    private func isGone(
        _ reading: NewReading, at: Instant, from stream: Int64
    ) throws(StorageError) -> Bool {
        let isPlain = reading.start == nil && reading.stamp == nil
        if isPlain, reading.characteristic.isStreaming, let keptFrom, at < keptFrom { return true }
        if isPlain, try changes.isInDeletedSpan(at, of: stream) { return true }
        return try changes.isDeleted(
            { ReadingIdentity(reading, at: at).digest }, from: stream)
    }

    /// Notes that streaming readings from before an instant are not kept any more.
    func keep(from instant: Instant) { keptFrom = max(keptFrom ?? instant, instant) }

    /// Notes the clocks of the host as a new stretch of seqs begins.
    ///
    /// `boot` is the kernel's boot id, `bootMilliseconds` its boot-time clock.
    package func beginSegment(
        boot: String, bootMilliseconds: Int64, wall: Instant
    ) throws(StorageError) {
        try begin()
        let statement = try database.prepare(
            "INSERT OR REPLACE INTO segment VALUES (?, ?, ?, ?, NULL)")
        try statement.bind(1, nextSeq)
        try statement.bind(2, boot)
        try statement.bind(3, bootMilliseconds)
        try statement.bind(4, wall.milliseconds)
        try statement.run()
    }

    /// Makes everything so far visible to readers, without waiting for the disk.
    package func commit() throws(StorageError) {
        guard hasUncommitted else { return }
        try catalogue.countChanges()
        try database.execute("COMMIT")
        sensorSamples.forget()
        hasUncommitted = false
        isDurable = false
        committed = nextSeq - 1
        commits += 1
    }

    /// Makes everything so far visible, and returns when it is on the disk.
    ///
    /// Where there is nothing new a value is changed all the same, so that a disk that cannot be
    /// written is noticed.
    package func commitDurably() throws(StorageError) {
        if hasUncommitted {
            try commit()
        } else {
            try database.execute("UPDATE meta SET value = value + 1 WHERE key = 'synced'")
        }
        try database.syncLog()
        durableCommits += 1
        isDurable = true
    }

    /// Gives up what was not committed, after an error.
    package func rollBack() throws(StorageError) {
        if database.isInTransaction { try database.execute("ROLLBACK") }
        hasUncommitted = false
        nextSeq = committed + 1
        catalogue.forget()
        duplicates.forget()
        changes.forget()
        sensorSamples.forget()
        blocks.forget()
        sealer.forget()
        keptFrom = try Retention.keptFrom(in: database)
    }

    /// The next number in commit order.
    func takeSeq() -> Int64 {
        defer { nextSeq += 1 }
        return nextSeq
    }

    func begin() throws(StorageError) {
        guard !hasUncommitted else { return }
        try database.execute("BEGIN IMMEDIATE")
        hasUncommitted = true
    }
}
