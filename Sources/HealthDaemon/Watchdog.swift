/// When the service manager is told that healthd turns (WatchdogSec= in systemd.service(5)).
///
/// The collector asks the other loops to answer, and vouches for all three once they have:
///
///     resting ──due──▶ asking (each of the others) ──all have turned──▶ resting
///
/// What a loop cannot do, such as to write on a full disk or to reach the bus, does not keep it from
/// turning: only a thread that hangs costs the daemon its life.
struct Watchdog {
    /// A loop that is asked whether it turns; the one that asks is the collector's.
    enum Loop: CaseIterable, Sendable {
        /// The one that owns the writing connection to the store.
        case writer
        /// The one for all clients.
        case serving
    }

    /// What happens to it.
    enum Event {
        /// Its deadline has come.
        case deadline
        /// A loop has turned since it was asked.
        case turned(Loop)
    }

    /// What it wants.
    enum Action: Equatable {
        /// Ask a loop to say that it turns.
        case ask(Loop)
        /// Tell the service manager that all loops turn.
        case vouch
    }

    private enum State {
        case resting(until: Int64)
        case asking(Set<Loop>)
    }

    private var state: State
    private let period: Int64

    /// A watchdog that asks at once.
    ///
    /// - Parameters:
    ///   - timeout: After how many ms without a word the service manager ends the daemon.
    ///   - now: The present, in ms since the start of the machine.
    init(timeout: Int64, at now: Int64) {
        // Half of it, as sd_watchdog_enabled(3) advises: the other half is for a loop that is busy.
        period = max(timeout / 2, 1)
        state = .resting(until: now)
    }

    /// When it has something to do, in ms since the start of the machine; nil while it waits for a loop.
    var nextDeadline: Int64? {
        switch state {
        case .resting(let due): due
        case .asking: nil
        }
    }

    /// Takes an event in.
    mutating func handle(_ event: Event, at now: Int64) -> [Action] {
        switch (state, event) {
        case (.resting(let due), .deadline) where due <= now:
            state = .asking(Set(Loop.allCases))
            return Loop.allCases.map { .ask($0) }
        case (.asking(let missing), .turned(let loop)):
            return wait(for: missing.subtracting([loop]), at: now)
        case (.resting, .deadline), (.resting, .turned), (.asking, .deadline):
            return []
        }
    }

    private mutating func wait(for missing: Set<Loop>, at now: Int64) -> [Action] {
        state = missing.isEmpty ? .resting(until: now + period) : .asking(missing)
        return missing.isEmpty ? [.vouch] : []
    }
}
