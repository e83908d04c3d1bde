internal import Measurements
internal import Storage

/// What the writer does when nobody waits for it: it seals, sums up anew, and drops what is too old.
struct Upkeep: Sendable {
    /// How long readings are kept; nil means for ever.
    var retention: Configuration.Retention? {
        didSet { if retention != oldValue { dropping = MonotonicTime.now } }
    }
    /// When there is something to seal; nil if that is to be found out.
    var sealing: MonotonicTime?
    /// When a recording counts as ended of which nothing comes any more; nil if none is coming in.
    var settling: MonotonicTime?
    /// Whether there may be summaries of another decoder.
    var isRenewing = true
    /// When there may be something to drop.
    var dropping = MonotonicTime.now

    /// How long one turn may take, in ms: live readings wait meanwhile.
    static let turn: Int64 = 50
    /// How long the next piece of a recording is waited for, in ms.
    static let patience: Int64 = 2000
    /// How often something may become too old, in ms.
    static let dropInterval: Int64 = 3_600_000

    /// Whether the store is damaged where upkeep needs it: nothing is done until the next start.
    var isHalted = false {
        didSet {
            guard isHalted, !oldValue else { return }
            Log.write(
                .failure,
                "old readings are neither packed nor dropped until the next start, since the store is "
                    + "damaged there; readings go on being kept and answered")
        }
    }

    /// When there is something to do; nil if nothing waits for it.
    var due: MonotonicTime? {
        if isHalted { return nil }
        if isRenewing { return MonotonicTime.now }
        return [sealing, settling, retention == nil ? nil : dropping].compactMap { $0 }.min()
    }

    /// Notes that a piece of a recording came; what is in it is old.
    mutating func noteReplay() {
        sealing = nil
        settling = MonotonicTime.now.advanced(by: Self.patience)
    }

    /// Notes that a recording has ended.
    mutating func noteReplayEnd() {
        if settling != nil { settling = MonotonicTime.now }
    }
}

extension WriterLoop {
    /// Runs something on the store; where malformed data of blocks is in the way, once more around it.
    mutating func attemptAround(
        for purpose: Purpose, _ body: (inout WriterLoop) throws(StorageError) -> Void
    ) {
        guard let error = attempt(for: .request, body), error.isDamage else { return }
        store.leavesData = true
        attempt(for: purpose, body)
        store.leavesData = false
    }

    /// Does a little of what is due.
    mutating func keepUp() {
        guard !upkeep.isHalted else { return }
        if retry == nil { seal() }
        if retry == nil { renew() }
        if retry == nil { drop() }
    }

    /// Seals old readings for a while, and finds out when to go on.
    private mutating func seal() {
        let start = MonotonicTime.now
        if let settling = upkeep.settling, settling <= start {
            (upkeep.settling, upkeep.sealing) = (nil, nil)
        }
        guard upkeep.sealing.map({ $0 <= start }) ?? true else { return }
        upkeep.sealing = nil
        attempt(for: .upkeep) { (loop) throws(StorageError) in
            let isMoreComing = loop.upkeep.settling != nil
            while try loop.store.seal(upTo: Clock.now, whileMoreComes: isMoreComing) {
                guard MonotonicTime.now < start.advanced(by: Upkeep.turn) else {
                    try loop.store.commit()
                    loop.upkeep.sealing = MonotonicTime.now
                    return
                }
            }
            guard let due = try loop.store.sealingDue() else { return }
            let wait = due.milliseconds - Clock.now.milliseconds
            loop.upkeep.sealing = MonotonicTime.now.advanced(by: max(wait, 1000))
        }
    }

    /// Sums some blocks up anew that another decoder had summed up.
    private mutating func renew() {
        guard upkeep.isRenewing else { return }
        attempt(for: .upkeep) { (loop) throws(StorageError) in
            loop.upkeep.isRenewing = try loop.store.renewSummaries()
            // What is live waits for its own commit as long as nothing was done.
            if loop.upkeep.isRenewing { try loop.store.commit() }
        }
    }

    /// Drops some of what is older than the configuration wants it kept.
    private mutating func drop() {
        guard let retention = upkeep.retention, upkeep.dropping <= MonotonicTime.now else { return }
        let limit = Clock.now.advanced(byMilliseconds: -retention.age)
        attemptAround(for: .upkeep) { (loop) throws(StorageError) in
            let isMore = try loop.store.drop(
                before: limit, keepingSummaries: retention.keepsSummaries)
            try loop.store.commit()
            let now = MonotonicTime.now
            loop.upkeep.dropping = isMore ? now : now.advanced(by: Upkeep.dropInterval)
        }
    }
}
