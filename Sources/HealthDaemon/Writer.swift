internal import Measurements
internal import Samples
internal import Storage
internal import Synchronization

/// The thread that owns the one writing connection: takes batches in, commits, and says so.
///
/// Live readings go ahead of replayed ones. While nobody asks, readings wait for each other up to
/// the commit interval: commits of one row write two hundred times the data, and SD cards wear.
final class Writer: Sendable {
    /// What other threads ask of it.
    enum Message: Sendable {
        /// Keep a piece of a recording.
        case replay(ConnectionID, [Intake], isDryRun: Bool)
        /// The recording is complete: note whose it is, and make it durable.
        case finishReplay(ConnectionID, ReplayAssignments?, isDryRun: Bool)
        /// Make visible what there is, for somebody who is about to ask.
        case commit(ConnectionID)
        /// Make everything durable and end.
        case stop
    }

    /// What has come in since the daemon was started.
    struct Counters: Sendable {
        var stored = 0
        var duplicate = 0
        var undecodable = 0
        var skipped = 0
    }

    let mailbox: Mailbox<Message>
    /// What names the store.
    let epoch: String
    private let counters = Mutex(Counters())
    private let newest: Atomic<Int64>
    private let isDirty = Atomic<Bool>(false)

    /// The writer of a store whose newest seq is `newest`.
    init(epoch: String, newest: Int64) throws(SystemError) {
        mailbox = try Mailbox()
        self.epoch = epoch
        self.newest = Atomic(newest)
    }

    /// The greatest seq that readers can see.
    var committedSeq: Int64 { newest.load(ordering: .acquiring) }

    /// Whether there is something that readers cannot see yet.
    var hasUncommitted: Bool { isDirty.load(ordering: .acquiring) }

    /// What has come in since the daemon was started.
    var countersNow: Counters { counters.withLock { $0 } }

    /// Tells the other threads how far the store is.
    fileprivate func publish(_ store: StoreWriter) {
        newest.store(store.committed, ordering: .releasing)
        isDirty.store(store.hasUncommitted, ordering: .releasing)
    }

    fileprivate func count(_ tally: ReplayTally) {
        counters.withLock { total in
            total.stored += tally.stored
            total.duplicate += tally.duplicate
            total.undecodable += tally.undecodable.values.reduce(0, +)
            total.skipped += tally.skipped.values.reduce(0, +)
        }
    }
}

/// The writer's work, on its own thread: not shared with any other.
struct WriterLoop: ~Copyable {
    private let writer: Writer
    private let store: StoreWriter
    private let answers: Mailbox<Server.Message>
    private let commitInterval: Int64
    private var deadline: MonotonicTime?
    private var rowsInTransaction = 0
    /// Connections with rows that are not committed, and those that lost theirs, with the reason.
    private var unfinished: Set<ConnectionID> = []
    private var failures: [ConnectionID: StorageError] = [:]
    private var dryRuns: [ConnectionID: StoreWriter] = [:]

    /// Rows of one transaction: larger ones make the log grow faster than it is written back.
    private static let longestTransaction = 20_000

    init(
        _ writer: Writer, _ store: StoreWriter, answers: Mailbox<Server.Message>,
        commitInterval: Int64
    ) {
        self.writer = writer
        self.store = store
        self.answers = answers
        self.commitInterval = commitInterval
    }

    /// Works until it is told to stop; everything is durable then.
    mutating func run() {
        while true {
            writer.mailbox.wait(until: deadline)
            for message in writer.mailbox.take() {
                guard handle(message) else { return finish() }
            }
            commitIfDue()
        }
    }

    /// Does what a message asks; false when it is to stop.
    private mutating func handle(_ message: Writer.Message) -> Bool {
        switch message {
        case .replay(let connection, let intakes, let isDryRun):
            let tally = isDryRun ? rehearse(intakes, connection) : keep(intakes, connection)
            answers.post(.replayStored(connection, tally))
        case .finishReplay(let connection, let assignments, let isDryRun):
            if isDryRun { dryRuns[connection] = nil }
            answers.post(
                .replayFinished(connection, finishReplay(connection, assignments, isDryRun)))
        case .commit(let connection):
            attempt { (loop) throws(StorageError) in try loop.store.commit() }
            answers.post(.committed(connection))
        case .stop: return false
        }
        return true
    }

    private mutating func keep(_ intakes: [Intake], _ connection: ConnectionID) -> ReplayTally {
        var tally = ReplayTally()
        unfinished.insert(connection)
        attempt { (loop) throws(StorageError) in
            for intake in intakes {
                tally.count(intake, try loop.store.ingest(intake))
                loop.rowsInTransaction += 1
                if loop.rowsInTransaction >= Self.longestTransaction { try loop.store.commit() }
            }
        }
        writer.count(tally)
        return tally
    }

    /// Runs something on the store; after an error what was not committed is given up.
    private mutating func attempt(
        _ body: (inout WriterLoop) throws(StorageError) -> Void
    ) {
        do throws(StorageError) {
            try body(&self)
        } catch {
            giveUp(error)
        }
        noteState()
    }

    private mutating func giveUp(_ error: StorageError) {
        Log.write(.failure, "the store cannot be written: \(error); what was not committed is lost")
        for connection in unfinished { failures[connection] = error }
        do throws(StorageError) {
            try store.rollBack()
        } catch {
            Log.write(.failure, "the store cannot be rolled back: \(error)")
        }
    }

    private mutating func noteState() {
        if !store.hasUncommitted {
            rowsInTransaction = 0
            deadline = nil
            unfinished = []
        } else if deadline == nil {
            deadline = MonotonicTime.now.advanced(by: commitInterval)
        }
        writer.publish(store)
    }

    private mutating func commitIfDue() {
        guard let due = deadline, due <= MonotonicTime.now else { return }
        attempt { (loop) throws(StorageError) in try loop.store.commitDurably() }
    }

    private mutating func finish() {
        attempt { (loop) throws(StorageError) in try loop.store.commitDurably() }
    }
}

extension WriterLoop {
    private mutating func finishReplay(
        _ connection: ConnectionID, _ assignments: ReplayAssignments?, _ isDryRun: Bool
    ) -> Result<Int64, StorageError> {
        unfinished.insert(connection)
        attempt { (loop) throws(StorageError) in
            if let assignments, !isDryRun {
                for span in assignments.spans {
                    try loop.store.assign(
                        span.device, from: span.first, through: span.last,
                        to: assignments.subject)
                }
            }
            try loop.store.commitDurably()
        }
        unfinished.remove(connection)
        if let failure = failures.removeValue(forKey: connection) { return .failure(failure) }
        return .success(store.committed)
    }

    /// Finds out what would become of intakes: against the store, then against what came before.
    private mutating func rehearse(
        _ intakes: [Intake], _ connection: ConnectionID
    ) -> ReplayTally {
        var tally = ReplayTally()
        unfinished.insert(connection)
        do throws(StorageError) {
            let scratch = try scratchStore(of: connection)
            for intake in intakes {
                let isKnown = try store.knows(intake)
                tally.count(intake, isKnown ? .duplicate : try scratch.ingest(intake))
            }
        } catch {
            failures[connection] = error
        }
        return tally
    }

    private mutating func scratchStore(
        of connection: ConnectionID
    ) throws(StorageError) -> StoreWriter {
        if let store = dryRuns[connection] { return store }
        let store = try StoreWriter(path: "", newEpoch: "dry-run")
        dryRuns[connection] = store
        return store
    }
}
