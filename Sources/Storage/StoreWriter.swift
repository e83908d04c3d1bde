package import Measurements
package import Samples

/// The one connection that writes: takes readings in, and decides what is a duplicate.
///
/// Nothing is visible to readers before a commit, and nothing is sure to survive a power cut before a
/// durable one.
package final class StoreWriter {
    private let database: Database
    private let insert: Statement
    private let setNextSeq: Statement
    private let catalogue: Catalogue
    private let duplicates: DuplicateLookup

    /// What names this store; anchors and cursors of another one mean nothing here.
    package let epoch: String
    /// The seq that the next reading gets.
    package private(set) var nextSeq: Int64
    /// The greatest seq that readers can see; 0 when there is none.
    package private(set) var committed: Int64
    /// Whether there is something that readers cannot see yet.
    package private(set) var hasUncommitted = false

    /// What became of an intake.
    package enum Outcome: Equatable, Sendable {
        /// A new reading, with this seq.
        case stored(seq: Int64)
        /// The reading is in the store already.
        case duplicate
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
        try Schema.migrate(database, epoch: newEpoch)
        epoch = try database.text("SELECT value FROM meta WHERE key = 'epoch'") ?? newEpoch
        nextSeq = try database.number("SELECT value FROM meta WHERE key = 'next_seq'") ?? 1
        committed = nextSeq - 1
        insert = try database.prepare(
            "INSERT INTO reading VALUES (?1, ?2, ?3, ?4, NULL, ?5, ?6, ?7, NULL, ?8)")
        setNextSeq = try database.prepare("UPDATE meta SET value = ? WHERE key = 'next_seq'")
        catalogue = try Catalogue(database)
        duplicates = try DuplicateLookup(database)
        self.database = database
    }

    /// Takes an intake in; a reading becomes visible with the next commit.
    package func ingest(_ intake: Intake) throws(StorageError) -> Outcome {
        if case .skipped = intake.content { return .noted }
        try begin()
        let device = try catalogue.device(intake.device)
        switch intake.content {
        case .reading(let reading): return try store(reading, at: intake.at, device)
        case .attribute(let attribute): try catalogue.note(attribute, of: device)
        case .clock(let offset): try catalogue.noteClock(of: device, at: intake.at, offset)
        case .link, .skipped: break
        }
        return .noted
    }

    /// Whether an intake is a reading that is in the store already; changes nothing.
    package func knows(_ intake: Intake) throws(StorageError) -> Bool {
        guard case .reading(let reading) = intake.content,
            let device = try catalogue.knownDevice(intake.device.address),
            let stream = try catalogue.knownStream(
                device, reading.characteristic, reading.instance)
        else { return false }
        return try duplicates.isKnown(reading, at: intake.at, stream)
    }

    private func store(
        _ reading: NewReading, at: Instant, _ device: Int64
    ) throws(StorageError) -> Outcome {
        let stream = try catalogue.stream(device, reading.characteristic, reading.instance)
        switch try duplicates.judge(reading, at: at, stream) {
        case .known: return .duplicate
        case .tooMany: return .tooManyAtOneTime
        case .new: break
        }
        let seq = nextSeq
        try insert.bind(1, seq)
        try insert.bind(2, stream)
        try insert.bind(3, at.milliseconds)
        try insert.bind(4, reading.start?.milliseconds)
        try insert.bind(5, reading.stamp)
        try insert.bind(6, Int64(reading.ordinal))
        try insert.bind(7, Int64(reading.flags.rawValue))
        try insert.bind(8, reading.octets)
        try insert.run()
        nextSeq += 1
        return .stored(seq: seq)
    }

    /// Says that readings of a device between two instants, both included, are `subject`'s.
    package func assign(
        _ device: RemoteDevice, from start: Instant, through end: Instant, to subject: String
    ) throws(StorageError) {
        try begin()
        let id = try catalogue.device(device)
        try catalogue.assign(id, from: start, until: end.advanced(byMilliseconds: 1), to: subject)
    }

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
        try setNextSeq.bind(1, nextSeq)
        try setNextSeq.run()
        try database.execute("COMMIT")
        hasUncommitted = false
        committed = nextSeq - 1
    }

    /// Makes everything so far visible, and returns when it is on the disk.
    ///
    /// The commit must change a value: an empty one writes no frame to the log and syncs nothing.
    package func commitDurably() throws(StorageError) {
        try commit()
        try database.execute("PRAGMA synchronous = FULL")
        try database.execute(
            "UPDATE meta SET value = value + 1 WHERE key = 'synced'")
        try database.execute("PRAGMA synchronous = NORMAL")
    }

    /// Gives up what was not committed, after an error.
    package func rollBack() throws(StorageError) {
        if database.isInTransaction { try database.execute("ROLLBACK") }
        hasUncommitted = false
        nextSeq = committed + 1
        catalogue.forget()
        duplicates.forget()
    }

    private func begin() throws(StorageError) {
        guard !hasUncommitted else { return }
        try database.execute("BEGIN IMMEDIATE")
        hasUncommitted = true
    }
}
