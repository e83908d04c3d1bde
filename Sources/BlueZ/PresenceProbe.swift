import DBus

/// Finds out whether a bluetoothd that left a call unanswered answers at all.
///
///     calm ──doubt──► asking(misses) ──answered──► calm
///                      ▲      │ missed
///                      └──────▼
///                      waiting(misses)      three misses: unresponsive, and ever longer waits
struct HangProbe: Sendable {
    /// After this many unanswered questions bluetoothd counts as unresponsive.
    static let missLimit = 3

    /// What comes in.
    enum Event: Equatable, Sendable {
        case doubt
        case answered
        case missed
        case deadline
        /// bluetoothd is gone, and the question with it.
        case forget
    }

    /// What came of it.
    enum News: Equatable, Sendable {
        /// Make the call `question`.
        case ask
        case unresponsive
        /// It was unresponsive and answers again.
        case answers
    }

    private enum State: Sendable {
        case calm
        case asking(misses: Int)
        case waiting(misses: Int, until: Int64)
    }

    private var state = State.calm
    private var waits: Backoff

    /// No doubt; the seed spreads the questions.
    init(seed: UInt64) {
        waits = Backoff([100, 100, 10_000, 30_000, 60_000, 120_000], seed: seed)
    }

    /// A cheap question; whatever comes back is an answer.
    static let question = Call(
        path: "/", interface: BlueZNames.introspectable, member: "Introspect", patience: 5_000)

    /// When `Event.deadline` is due.
    var nextDeadline: Int64? {
        if case .waiting(_, let until) = state { until } else { nil }
    }

    /// Whether bluetoothd is there, but does not answer.
    var isUnresponsive: Bool {
        switch state {
        case .calm: false
        case .asking(let misses), .waiting(let misses, _): misses >= Self.missLimit
        }
    }

    /// Takes an event in and says what came of it.
    @discardableResult
    mutating func handle(_ event: Event, at now: Int64 = 0) -> News? {
        switch (state, event) {
        case (.calm, .doubt):
            waits.reset()
            state = .asking(misses: 0)
            return .ask
        case (.asking(let misses), .missed):
            state = .waiting(misses: misses + 1, until: now + waits.next())
            return misses + 1 == Self.missLimit ? .unresponsive : nil
        case (.waiting(let misses, let until), .deadline) where until <= now:
            state = .asking(misses: misses)
            return .ask
        case (.asking, .answered):
            let news = isUnresponsive ? News.answers : nil
            state = .calm
            return news
        case (_, .forget):
            state = .calm
            return nil
        case (.calm, .answered), (.calm, .missed), (.calm, .deadline), (.asking, .doubt),
            (.asking, .deadline), (.waiting, .doubt), (.waiting, .answered), (.waiting, .missed),
            (.waiting, .deadline):
            return nil
        }
    }
}
