/// The search on one adapter while a window looks for a sensor: started, watched, started again, ended.
///
/// ```
/// idle ── wanted ──► starting ── reply ──► on ── not wanted ──► stopping ── reply ──► idle
///                     ▲   │ error            │ ended by itself
///                     │   ▼                  ▼
///                     └─ waiting (1 s, 2 s, 4 s … 60 s)
/// ```
struct PairingDiscovery {
    /// What is to be called, in order.
    enum Command: Equatable {
        case setFilter
        case start
        case stop
    }

    private enum State: Equatable {
        case idle
        case starting
        /// It is looked whether bluetoothd says Discovering, once, at `check`.
        case on(check: Int64?)
        case waiting(until: Int64)
        case stopping
        case stoppingAgain(at: Int64)
    }

    private var state = State.idle
    private var isWanted = false
    private var isDiscovering = false
    private var failures = 0
    private var stops = 0

    /// Why the last start failed; nil once one has succeeded.
    private(set) var lastError: String?

    /// How long bluetoothd may take to say Discovering after it has accepted the start.
    private static let confirmation: Int64 = 2000
    /// A start that is pending refuses to be stopped; it takes far less than this many tries.
    private static let stopLimit = 5
    private static let stopPause: Int64 = 500

    /// Whether nothing of ours runs or is asked for.
    var isIdle: Bool { state == .idle }

    /// When `deadline(at:)` is due; nil if nothing is waited for.
    var nextDeadline: Int64? {
        switch state {
        case .idle, .starting, .stopping, .on(check: nil): nil
        case .on(check: .some(let check)): check
        case .waiting(let until), .stoppingAgain(let until): until
        }
    }

    /// Searching is wanted from now on.
    mutating func want() -> [Command] {
        isWanted = true
        guard case .idle = state else { return [] }
        state = .starting
        return [.setFilter, .start]
    }

    /// Searching is not wanted any more.
    mutating func unwant() -> [Command] {
        isWanted = false
        switch state {
        case .idle, .starting, .stopping, .stoppingAgain: return []
        case .waiting:
            state = .idle
            return []
        case .on:
            state = .stopping
            return [.stop]
        }
    }

    /// The start was answered.
    mutating func started(_ failure: PairingError?, at now: Int64) -> [Command] {
        guard state == .starting else { return [] }
        guard failure == nil || failure == .inProgress else {
            lastError = failure?.evidence
            return again(at: now)
        }
        lastError = nil
        state = .on(check: now + Self.confirmation)
        return isWanted ? [] : unwant()
    }

    /// The stop was answered: every answer but one means that nothing of ours runs.
    mutating func stopped(_ failure: PairingError?, at now: Int64) -> [Command] {
        guard state == .stopping else { return [] }
        stops += 1
        if failure == .inProgress, stops < Self.stopLimit {
            state = .stoppingAgain(at: now + Self.stopPause)
            return []
        }
        state = .idle
        stops = 0
        return isWanted ? want() : []
    }

    /// bluetoothd says whether the adapter searches, for us or for others.
    mutating func observe(isDiscovering: Bool, at now: Int64) -> [Command] {
        let hasEnded = self.isDiscovering && !isDiscovering
        self.isDiscovering = isDiscovering
        guard case .on = state else { return [] }
        if isDiscovering { state = .on(check: nil) }
        return hasEnded ? again(at: now) : []
    }

    /// `nextDeadline` has come.
    mutating func deadline(at now: Int64) -> [Command] {
        guard let due = nextDeadline, due <= now else { return [] }
        switch state {
        case .idle, .starting, .stopping: return []
        case .on: return again(at: now)
        case .waiting:
            state = .starting
            return [.stop, .setFilter, .start]
        case .stoppingAgain:
            state = .stopping
            return [.stop]
        }
    }

    private mutating func again(at now: Int64) -> [Command] {
        guard isWanted else {
            state = .idle
            return []
        }
        state = .waiting(until: now + min(60_000, 1000 << Int64(min(failures, 6))))
        failures += 1
        return []
    }
}
