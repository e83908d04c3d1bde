internal import BlueZ
internal import ControlProtocol
internal import Measurements
internal import Samples
internal import Storage

/// The writer's work, on its own thread: not shared with any other.
///
/// When the store cannot be written, live readings wait in the backlog and are tried again every
/// second; a recording that comes in is refused at its end, with what was kept of it.
struct WriterLoop: ~Copyable {
    let writer: Writer
    private(set) var store: StoreWriter
    private let path: String
    let answers: Mailbox<Server.Message>
    private let collector: Mailbox<Collector.Message>
    private var commitInterval: Int64
    /// When all that came must be on the disk.
    private var deadline: MonotonicTime?
    /// When the store is tried again.
    private(set) var retry: MonotonicTime?
    /// What there is to do when nobody waits.
    var upkeep = Upkeep()
    private var rowsInTransaction = 0
    private var health = StoreState.ok
    private var backlog = LiveBacklog()
    /// What came in since the last commit, for the counters.
    private var uncounted = ReplayTally()
    private var hasUnrepeatable = false
    /// Whose sensors' readings are, where the store does not know it yet.
    var claims: [SensorClaim] = []
    var stretches = ClockStretches(at: Clock.moment)
    /// Live readings that the store refused or that were given up, since a sensor was last told so.
    private var unkept = 0
    /// The greatest seq that followers were woken for.
    private var told: Int64 = 0
    var replays = ReplayLedger()
    var dryRuns: [ConnectionID: StoreWriter] = [:]

    /// Rows of one transaction: larger ones make the log grow faster than it is written back.
    private static let longestTransaction = 20_000
    /// How long to wait before the store is tried again, in ms.
    private static let retryInterval: Int64 = 1000

    init(
        _ writer: Writer, _ store: StoreWriter, path: String,
        answers: Mailbox<Server.Message>, collector: Mailbox<Collector.Message>,
        _ configuration: Configuration
    ) {
        self.writer = writer
        self.collector = collector
        self.store = store
        self.path = path
        self.answers = answers
        commitInterval = configuration.commitInterval
        upkeep.retention = configuration.retention
    }

    /// Works until it is told to stop; everything is durable then.
    mutating func run() {
        while true {
            let next = retry ?? upkeep.due
            writer.mailbox.wait(until: [deadline, next].compactMap { $0 }.min())
            let messages = writer.mailbox.take()
            for message in messages where message.isLive { _ = handle(message) }
            for message in messages where !message.isLive {
                guard handle(message) else { return finish() }
            }
            endTurn()
            keepUp()
        }
    }

    /// Does what a message asks; false when it is to stop.
    private mutating func handle(_ message: Writer.Message) -> Bool {
        switch message {
        case .live(let intakes): keep(intakes)
        case .note(let row): keep(row)
        case .beginStretch(let now): beginStretch(at: now)
        case .noteClock(let isSynchronised, let now): noteClock(isSynchronised, at: now)
        case .persist(let id): collector.post(.persisted(id, persist()))
        case .replay(let connection, let intakes, let isDryRun):
            let tally = isDryRun ? rehearse(intakes, connection) : keep(intakes, of: connection)
            answers.post(.replayStored(connection, tally))
        case .finishReplay(let connection, let assignments, let isDryRun):
            if isDryRun { dryRuns[connection] = nil }
            answers.post(
                .replayFinished(connection, finishReplay(connection, assignments, isDryRun)))
        case .commit(let connection):
            attempt { (loop) throws(StorageError) in try loop.store.commit() }
            answers.post(.committed(connection))
        case .perform(let connection, let job):
            answers.post(.written(connection, perform(job)))
        case .claim(let claims):
            self.claims = claims
            storeClaims()
        case .configure(let configuration):
            commitInterval = configuration.commitInterval
            upkeep.retention = configuration.retention
        case .turn: collector.post(.turned(.writer))
        case .stop: return false
        }
        return true
    }

    /// Takes live readings in; what a sensor may not send again is durable before the turn ends.
    private mutating func keep(_ intakes: [Intake]) {
        append(intakes.map { .intake($0) })
        hasUnrepeatable = hasUnrepeatable || intakes.contains(where: \.isUnrepeatable)
        storeBacklog()
    }

    /// Takes something in that bears on whether readings come.
    private mutating func keep(_ row: LedgerRow) {
        append([.note(row)])
        storeBacklog()
    }

    private mutating func append(_ items: [LiveItem]) {
        let lost = backlog.lost
        backlog.append(items)
        unkept += backlog.lost - lost
    }

    private mutating func storeBacklog() {
        guard retry == nil else { return }
        attempt { (loop) throws(StorageError) in
            for item in loop.backlog.waiting {
                switch item {
                case .intake(let intake): try loop.ingest(intake)
                case .note(let row): try loop.store.note(row)
                }
                loop.backlog.noteTaken()
            }
        }
    }

    private mutating func ingest(_ intake: Intake) throws(StorageError) {
        let outcome = try store.ingest(intake)
        if outcome == .tooManyAtOneTime { unkept += 1 }
        uncounted.count(intake, outcome)
    }

    /// Puts everything live on the disk; false if that failed, or if something was given up before.
    private mutating func persist() -> Bool {
        storeBacklog()
        if retry == nil {
            attempt { (loop) throws(StorageError) in try loop.store.commitDurably() }
        }
        defer { unkept = 0 }
        return backlog.isEmpty && store.isAllDurable && unkept == 0
    }

    /// Commits what is due, for followers at once, and tries again what failed.
    private mutating func endTurn() {
        let now = MonotonicTime.now
        if let due = retry, due <= now {
            retry = nil
            storeBacklog()
            storeClaims()
            attempt { (loop) throws(StorageError) in try loop.store.commitDurably() }
        }
        if hasUnrepeatable || deadline.map({ $0 <= now }) ?? false {
            hasUnrepeatable = false
            attempt { (loop) throws(StorageError) in try loop.store.commitDurably() }
        }
        tellFollowers()
    }

    private mutating func tellFollowers() {
        guard writer.hasFollowers else { return }
        if store.hasUncommitted {
            attempt { (loop) throws(StorageError) in try loop.store.commit() }
        }
        guard writer.committedSeq > told else { return }
        told = writer.committedSeq
        answers.post(.advanced)
    }

    private mutating func finish() {
        retry = nil
        storeBacklog()
        attempt { (loop) throws(StorageError) in
            try loop.store.commitDurably()
            try loop.store.markClosed()
        }
    }

    /// Counts a row, and commits where a transaction has become long.
    mutating func noteRow(_ tally: ReplayTally) throws(StorageError) {
        upkeep.noteReplay()
        uncounted += tally
        rowsInTransaction += 1
        guard rowsInTransaction >= Self.longestTransaction else { return }
        try store.commit()
        noteCommitted()
    }
}

// What happens when the store cannot be written.
extension WriterLoop {
    /// What the store is written for.
    enum Purpose { case readings, request, upkeep }

    /// Runs something on the store; after an error, which is returned, what was not committed is given up.
    @discardableResult
    mutating func attempt(
        for purpose: Purpose = .readings, _ body: (inout WriterLoop) throws(StorageError) -> Void
    ) -> StorageError? {
        var failure: StorageError?
        do throws(StorageError) {
            try body(&self)
            if !store.hasUncommitted { noteCommitted() }
            if retry == nil { noteHealth(.ok) }
        } catch {
            failure = error
            giveUp(purpose, error)
        }
        if store.isAllDurable {
            deadline = nil
        } else if deadline == nil, retry == nil {
            deadline = MonotonicTime.now.advanced(by: commitInterval)
        }
        publish()
        return failure
    }

    private mutating func noteCommitted() {
        rowsInTransaction = 0
        writer.count(uncounted)
        uncounted = ReplayTally()
        backlog.noteCommitted()
        replays.noteCommitted()
    }

    private mutating func giveUp(_ purpose: Purpose, _ error: StorageError) {
        noteHealth(.failing(error))
        writer.note { $0.failures += 1 }
        backlog.noteRolledBack()
        uncounted = ReplayTally()
        replays.noteFailure(error)
        deadline = nil
        retry = MonotonicTime.now.advanced(by: Self.retryInterval)
        do throws(StorageError) {
            try store.rollBack()
            if error.isDamage { try bear(error, purpose) }
        } catch {
            Log.write(.failure, "the store cannot be put right: \(error)")
        }
    }

    /// Says once when the store begins to fail, and once when it is well again.
    private mutating func noteHealth(_ state: StoreState) {
        guard health.name != state.name else { return }
        health = state
        writer.noteWriting(state)
        switch state {
        case .ok: Log.write(.notice, "the store can be written again")
        case .failing(let error):
            Log.write(.failure, "\(error.reply.text); live readings wait in memory meanwhile")
        }
    }

    /// Goes on with a damaged store as long as it takes readings: all else that is in it is served.
    private mutating func bear(_ error: StorageError, _ purpose: Purpose) throws(StorageError) {
        _ = writer.noteDamage(error)
        switch purpose {
        case .readings: try replaceStore(because: error)
        case .request: break
        case .upkeep: upkeep.isHalted = true
        }
    }

    /// Begins a new store beside the damaged one, so that readings go on being kept.
    private mutating func replaceStore(because error: StorageError) throws(StorageError) {
        let epoch = StoreFile.newEpoch
        do throws(SystemError) {
            try StoreFile.setAside(path, because: error)
        } catch {
            throw StorageError(code: 0, message: error.description)
        }
        store = try StoreWriter(path: path, newEpoch: epoch)
        upkeep.isHalted = false
        writer.noteReplacement(epoch: store.epoch)
        answers.post(.replaced)
        retry = nil
        noteHealth(.ok)
    }

    private func publish() {
        let (commits, durable, lost) = (store.commits, store.durableCommits, backlog.lost)
        writer.note { counters in
            counters.commits = commits
            counters.durableCommits = durable
            counters.lost = lost
        }
        writer.publish(store)
    }
}
