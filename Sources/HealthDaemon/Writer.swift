internal import BlueZ
internal import ControlProtocol
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
        /// Keep what sensors say right now; goes ahead of everything else.
        case live([Intake])
        /// Keep something that bears on whether readings come, in order with the readings.
        case note(LedgerRow)
        /// The host's clock was set: a new stretch of times begins.
        case beginStretch(Moment)
        /// Whether the host's clock is right now; once it is, what came before is put right.
        case noteClock(isSynchronised: Bool, Moment)
        /// Put all live readings of before on the disk, and tell the collector whether they are.
        case persist(PersistID)
        /// Keep a piece of a recording.
        case replay(ConnectionID, [Intake], isDryRun: Bool)
        /// The recording is complete: note whose it is, and make it durable.
        case finishReplay(ConnectionID, ReplayAssignments?, isDryRun: Bool)
        /// Make visible what there is, for somebody who is about to ask.
        case commit(ConnectionID)
        /// Do something for an answer.
        case perform(ConnectionID, StoreJob)
        /// From now on, readings of these sensors are theirs.
        case claim([SensorClaim])
        /// From now on, readings wait for each other and are kept as this says.
        case configure(Configuration)
        /// Tell the collector that the writer turns.
        case turn
        /// Make everything durable and end.
        case stop

        /// Whether it goes ahead of what can wait.
        var isLive: Bool {
            switch self {
            case .live, .note, .persist, .beginStretch, .noteClock: true
            case .replay, .finishReplay, .commit, .perform, .claim, .configure, .turn, .stop: false
            }
        }
    }

    /// What has come in since the daemon was started.
    struct Counters: Sendable {
        var stored = 0
        var duplicate = 0
        var undecodable = 0
        var skipped = 0
        /// Times that something became visible to readers.
        var commits = 0
        /// Times that everything was put on the disk.
        var durableCommits = 0
        /// Times that the store could not be written.
        var failures = 0
        /// Live readings that were given up because the store could not be written for too long.
        var lost = 0
    }

    let mailbox: Mailbox<Message>
    private let names = Mutex(StoreNames(epoch: "", generation: 0))
    private let state = Mutex(StoreState.ok)
    private let damage = Mutex<StorageError?>(nil)
    private let blocks = Mutex<Set<DamagedBlock>>([])
    private let counters = Mutex(Counters())
    private let newest: Atomic<Int64>
    private let isDirty = Atomic<Bool>(false)
    private let followers = Atomic<Int>(0)

    /// The writer of a store whose newest seq is `newest`.
    init(epoch: String, newest: Int64) throws(SystemError) {
        mailbox = try Mailbox()
        self.newest = Atomic(newest)
        names.withLock { $0.epoch = epoch }
    }

    /// What names the store.
    var epoch: String { names.withLock { $0.epoch } }

    /// How often the store was replaced by a new one; readers open it again then.
    var generation: Int { names.withLock { $0.generation } }

    /// Whether the store can be written and read, and why not.
    var storeState: StoreState {
        let writing = state.withLock { $0 }
        guard writing == .ok, let found = damage.withLock({ $0 }) else { return writing }
        return .failing(found)
    }

    /// Notes whether the store can be written.
    func noteWriting(_ new: StoreState) { state.withLock { $0 = new } }

    /// Notes damage that a reader met; true if it is the first.
    func noteDamage(_ error: StorageError) -> Bool {
        damage.withLock { found in
            defer { found = found ?? error }
            return found == nil
        }
    }

    /// The damaged blocks that readers met, the first ones first.
    var damagedBlocks: [DamagedBlock] {
        blocks.withLock { $0 }.sorted {
            ($0.quarter, $0.stream, $0.seqs.lowerBound) < (
                $1.quarter, $1.stream, $1.seqs.lowerBound
            )
        }
    }

    /// Notes damaged blocks that a reader met; returns those that nobody had met before.
    func note(_ damaged: Set<DamagedBlock>) -> Set<DamagedBlock> {
        blocks.withLock { known in
            defer { known.formUnion(damaged) }
            return damaged.subtracting(known)
        }
    }

    /// Notes that a new store was begun.
    func noteReplacement(epoch: String) {
        names.withLock { names in
            names.epoch = epoch
            names.generation += 1
        }
        damage.withLock { $0 = nil }
        blocks.withLock { $0 = [] }
    }

    /// The greatest seq that readers can see.
    var committedSeq: Int64 { newest.load(ordering: .acquiring) }

    /// Whether there is something that readers cannot see yet.
    var hasUncommitted: Bool { isDirty.load(ordering: .acquiring) }

    /// Says how many clients wait for what comes; while there are some, every turn commits.
    func setFollowers(_ count: Int) { followers.store(count, ordering: .releasing) }

    var hasFollowers: Bool { followers.load(ordering: .acquiring) > 0 }

    /// What has come in since the daemon was started.
    var countersNow: Counters { counters.withLock { $0 } }

    /// Tells the other threads how far the store is.
    func publish(_ store: StoreWriter) {
        newest.store(store.committed, ordering: .releasing)
        isDirty.store(store.hasUncommitted, ordering: .releasing)
    }

    func note(_ change: (inout Counters) -> Void) {
        counters.withLock { change(&$0) }
    }

    func count(_ tally: ReplayTally) {
        counters.withLock { total in
            total.stored += tally.stored
            total.duplicate += tally.duplicate
            total.undecodable += tally.undecodable.values.reduce(0, +)
            total.skipped += tally.skipped.values.reduce(0, +)
        }
    }
}

/// What names a store, and how many there were in this run of the daemon.
private struct StoreNames {
    var epoch: String
    var generation: Int
}

/// Whether the store can be written and read.
enum StoreState: Equatable, Sendable {
    case ok
    /// It cannot, or not all of it; why, and what to do.
    case failing(StorageError)

    /// One word for programs.
    var name: String {
        guard case .failing(let error) = self else { return "ok" }
        return switch error.reply.symbol {
        case .storeFull: "full"
        case .storeDamaged: "damaged"
        case .readOnly: "read-only"
        case .busy: "busy"
        default: "failing"
        }
    }
}
