import DBus

/// The link to one sensor, concluded from everything that can tell of it.
///
///            Connected, resolved or a value               ServicesResolved
///     down ────────────────────────────────► up(unresolved) ──────► up(resolved)
///       ▲                                        │ 10 s: stuck          │ 2 s without an object: empty
///       │ Connected=false                        ▼                      ▼
///       └──────────────────────────────────── hangingUp ◄───────────────┘
///                 closing ◄──Connected=false── │   └──answered──► up again, without a watchdog
///
/// `Connected` alone is not believed: its signal can be missing, or come after the first value.
struct SensorLink: Sendable {
    /// A link that was never resolved before may take this long, in ms: all services are read then.
    static let firstPatience: Int64 = 30_000
    /// Any other link must be resolved within this, in ms; a stuck ATT channel never is.
    static let patience: Int64 = 10_000
    /// A link that is older than what bluetoothd tells of it must be resolved within this, in ms: it
    /// may have come while no bluetoothd was running, and then it never is.
    static let foundPatience: Int64 = 2_000
    /// Objects may come this much later than ServicesResolved, in ms.
    static let objectGrace: Int64 = 2_000
    /// A link cannot end and come again within this, in ms.
    static let bounce: Int64 = 500
    /// A link that only a value told of is asked for after this, in ms.
    static let doubtGrace: Int64 = 3_000

    /// What comes in.
    enum Event: Equatable, Sendable {
        /// The property was announced.
        case connected(Bool)
        /// The device has just come to be known, with whatever link it had.
        case found
        /// The property was announced.
        case resolved(Bool)
        /// A value came.
        case value
        /// A characteristic is there.
        case object
        /// Why the link is about to end, as bluetoothd says.
        case reason(String)
        /// There can be no link any more, for this reason.
        case cut(String)
        /// Its characteristics are gone.
        case noObjects
        /// The link is to be ended.
        case hangUp
        /// What came of Disconnect.
        case hungUp(BusError?)
        case deadline
    }

    /// What is to be done, or became of it.
    enum Action: Equatable, Sendable {
        case up
        case resolved
        /// It ended; why, if anybody said so.
        case down(SensorLinkEnd)
        /// It was not resolved in time.
        case stuck(after: Int64)
        /// It was resolved, and there is nothing.
        case empty
        /// Call Disconnect.
        case disconnect
        /// Call StartNotify again: Disconnect has been answered.
        case ready
        /// Ask for the property Connected.
        case ask
    }

    private enum State: Sendable {
        case down
        case up(since: Int64)
        case hangingUp(since: Int64, isAnswered: Bool)
        /// The link is gone, the answer to Disconnect is not there yet.
        case closing
    }

    private var state = State.down
    /// Whether bluetoothd says that there is a link.
    private var isConfirmed = false
    /// Whether it was there before the device was known.
    private var isFound = false
    /// Whether bluetoothd says that the services are known on this link.
    private(set) var isResolved = false
    private var hasObjects = false
    private var wasEverResolved = false
    private var due: Int64?
    private var reason: String?
    /// Links in a row that were not resolved in time.
    private var stuckLinks = 0
    /// Links in a row that were resolved and had nothing.
    private(set) var emptyLinks = 0

    /// A link that is down.
    init() {}

    /// When `Event.deadline` is due.
    var nextDeadline: Int64? { due }

    /// When the link came up; nil while there is none.
    var upSince: Int64? {
        switch state {
        case .up(let since), .hangingUp(let since, _): since
        case .down, .closing: nil
        }
    }

    /// Whether Disconnect is under way, when StartNotify is refused.
    var isHangingUp: Bool {
        switch state {
        case .hangingUp, .closing: true
        case .down, .up: false
        }
    }

    /// Takes an event in and says what is to be done, in order.
    mutating func handle(_ event: Event, at now: Int64) -> [Action] {
        switch event {
        case .connected(true): return connected(at: now)
        case .connected(false): return ended(at: now)
        case .found: return found(at: now)
        case .resolved(true): return resolved(at: now)
        case .resolved(false): return unresolved(at: now)
        case .value: return begin(at: now, isConfirmed: false)
        case .object: return objectCame()
        case .noObjects:
            hasObjects = false
            return []
        case .reason(let text):
            reason = text
            return []
        case .cut(let text): return cut(text, at: now)
        case .hangUp: return hangUp()
        case .hungUp(let error): return hungUp(error, at: now)
        case .deadline: return deadline(at: now)
        }
    }
}

extension SensorLink {
    /// Announced again while it holds, it stands for a link that ended and one that came.
    ///
    /// Not right after it came up: then the signal is older than the object that told of it.
    private mutating func connected(at now: Int64) -> [Action] {
        if case .up(let since) = state, isConfirmed, now - since >= Self.bounce {
            return ended(at: now) + begin(at: now, isConfirmed: true)
        }
        return begin(at: now, isConfirmed: true)
    }

    private mutating func begin(at now: Int64, isConfirmed: Bool) -> [Action] {
        if isConfirmed { self.isConfirmed = true }
        switch state {
        case .up, .hangingUp: return []
        case .down, .closing: break
        }
        let isClosing = isHangingUp
        state = .up(since: now)
        isFound = false
        reason = nil
        due = now + (isConfirmed ? resolvePatience : Self.doubtGrace)
        return isClosing ? [.up, .ready] : [.up]
    }

    private mutating func found(at now: Int64) -> [Action] {
        guard case .up = state, !isResolved, stuckLinks == 0 else { return [] }
        isFound = true
        due = now + Self.foundPatience
        return []
    }

    /// Grows with each link in a row that failed, so that hanging up does not become a habit.
    private var resolvePatience: Int64 {
        if isFound { return Self.foundPatience }
        let base = wasEverResolved || hasObjects ? Self.patience : Self.firstPatience
        return min(base << Int64(min(stuckLinks, 3)), 80_000)
    }

    private mutating func resolved(at now: Int64) -> [Action] {
        let began = begin(at: now, isConfirmed: false)
        guard !isResolved else { return began }
        isResolved = true
        if hasObjects { isGood() } else if case .up = state { due = now + Self.objectGrace }
        return began + [.resolved]
    }

    /// A link that is being ended keeps its deadline, in case that nobody tells of the end.
    private mutating func isGood() {
        wasEverResolved = true
        stuckLinks = 0
        emptyLinks = 0
        if case .up = state { due = nil }
    }

    /// A link whose Connected=true never came has no Connected=false to wait for.
    private mutating func unresolved(at now: Int64) -> [Action] {
        guard isResolved else { return [] }
        guard isConfirmed else { return ended(at: now) }
        isResolved = false
        return []
    }

    private mutating func objectCame() -> [Action] {
        hasObjects = true
        if isResolved { isGood() }
        return []
    }

    private mutating func ended(at now: Int64) -> [Action] {
        defer { isConfirmed = false }
        switch state {
        case .down, .closing: return []
        case .up(let since):
            state = .down
            return [.down(end(since, at: now, isOurs: false))]
        case .hangingUp(let since, let isAnswered):
            state = isAnswered ? .down : .closing
            return [.down(end(since, at: now, isOurs: true))]
        }
    }

    private mutating func end(_ since: Int64, at now: Int64, isOurs: Bool) -> SensorLinkEnd {
        defer {
            isResolved = false
            due = nil
            reason = nil
        }
        return SensorLinkEnd(
            lasted: now - since, wasResolved: isResolved, reason: reason, isOurs: isOurs)
    }

    /// Nothing is under way any more.
    private mutating func cut(_ text: String, at now: Int64) -> [Action] {
        reason = text
        let actions = ended(at: now).map { action in
            guard case .down(let end) = action else { return action }
            return .down(
                SensorLinkEnd(
                    lasted: end.lasted, wasResolved: end.wasResolved, reason: text, isOurs: true,
                    isCut: true))
        }
        state = .down
        return actions
    }

    private mutating func hangUp() -> [Action] {
        guard case .up(let since) = state else { return [] }
        state = .hangingUp(since: since, isAnswered: false)
        due = nil
        return [.disconnect]
    }

    private mutating func hungUp(_ error: BusError?, at now: Int64) -> [Action] {
        switch state {
        case .down, .up: return []
        case .closing:
            state = .down
            return [.ready]
        case .hangingUp(let since, _) where error != nil:
            state = .up(since: since)
            return [.ready]
        case .hangingUp(let since, _):
            // Connected=false follows within some ms, or came never and will not.
            state = .hangingUp(since: since, isAnswered: true)
            due = now + Self.doubtGrace
            return []
        }
    }

    private mutating func deadline(at now: Int64) -> [Action] {
        guard let due, due <= now else { return [] }
        self.due = nil
        switch state {
        case .down, .closing: return []
        case .hangingUp: return ended(at: now)
        case .up(let since): return overdue(since: since, at: now)
        }
    }

    private mutating func overdue(since: Int64, at now: Int64) -> [Action] {
        if isResolved {
            emptyLinks += 1
            return [.empty]
        }
        guard now - since >= resolvePatience else {
            due = since + resolvePatience
            return isConfirmed ? [] : [.ask]
        }
        stuckLinks += 1
        return [.stuck(after: now - since)]
    }
}
