/// Leaves a bonded sensor so that it keeps its readings while nobody is here to take them.
///
/// bluetoothd goes on connecting a bonded sensor and confirms what nobody hears; Trusted=false and
/// then Disconnect make it stop. What is being sent at this moment is taken in first.
///
///     idle ──begin, link up──► listening ──quiet for 1 s, link down or 4 s──┐
///       └────begin, link down───────────────────────────────────────────► untrusting ──► hangingUp ──► done
///
/// An unbonded sensor is left alone: bluetoothd would remove it.
struct SensorFarewell: Sendable {
    /// A transfer has ended when nothing came for this long, in ms.
    static let quiet: Int64 = 1_000
    /// No transfer is waited for longer than this, in ms.
    static let listening: Int64 = 4_000

    /// What comes in.
    enum Event: Equatable, Sendable {
        /// Leave; when the last record or indication came, if one did on this link.
        case begin(isUp: Bool, hasBond: Bool, lastTransfer: Int64?)
        /// A record or an indication came.
        case transfer
        case linkDown
        /// bluetoothd has answered the last call, in any way.
        case answered
        /// Nothing can be done any more.
        case cut
        case deadline
    }

    /// What is to be done.
    enum Action: Equatable, Sendable {
        case untrust
        case disconnect
        case done
    }

    private enum State: Equatable, Sendable {
        case idle
        case listening(quietAt: Int64, until: Int64)
        case untrusting
        case hangingUp
        case done
    }

    private var state = State.idle

    /// Nobody leaves.
    init() {}

    /// When `Event.deadline` is due.
    var nextDeadline: Int64? {
        if case .listening(let quietAt, let until) = state { min(quietAt, until) } else { nil }
    }

    /// Whether the sensor is being left, or was.
    var isLeaving: Bool { state != .idle }
    /// Whether there is nothing left to do.
    var isDone: Bool { state == .done }

    /// Takes an event in and says what is to be done, in order.
    mutating func handle(_ event: Event, at now: Int64) -> [Action] {
        switch (state, event) {
        case (.idle, .begin(let isUp, let hasBond, let lastTransfer)):
            return begin(isUp: isUp, hasBond: hasBond, lastTransfer, at: now)
        case (.listening(_, let until), .transfer):
            state = .listening(quietAt: now + Self.quiet, until: until)
            return []
        case (.listening, .linkDown): return untrust()
        case (.listening(let quietAt, let until), .deadline):
            return min(quietAt, until) <= now ? untrust() : []
        case (.untrusting, .answered):
            state = .hangingUp
            return [.disconnect]
        case (.hangingUp, .answered): return finish()
        case (.listening, .cut), (.untrusting, .cut), (.hangingUp, .cut): return finish()
        case (.idle, .transfer), (.idle, .linkDown), (.idle, .answered), (.idle, .cut),
            (.idle, .deadline), (.listening, .begin), (.listening, .answered),
            (.untrusting, .begin), (.untrusting, .transfer), (.untrusting, .linkDown),
            (.untrusting, .deadline), (.hangingUp, .begin), (.hangingUp, .transfer),
            (.hangingUp, .linkDown), (.hangingUp, .deadline), (.done, _):
            return []
        }
    }

    private mutating func begin(
        isUp: Bool, hasBond: Bool, _ lastTransfer: Int64?, at now: Int64
    ) -> [Action] {
        guard hasBond else { return finish() }
        guard isUp, let lastTransfer, now - lastTransfer < Self.quiet else { return untrust() }
        state = .listening(quietAt: lastTransfer + Self.quiet, until: now + Self.listening)
        return []
    }

    private mutating func untrust() -> [Action] {
        state = .untrusting
        return [.untrust]
    }

    private mutating func finish() -> [Action] {
        state = .done
        return [.done]
    }
}
