/// Everything between bluetoothd and the door: what comes in over D-Bus becomes events, what has to be
/// done comes out as actions.
package struct Supervisor {
    private var settings: Settings

    /// A supervisor that knows nothing of the bus yet.
    package init(_ settings: Settings) {
        self.settings = settings
    }

    /// When `BlueZEvent.deadline` is due, on the clock of `Moment.boot`; nil if nothing is waited for.
    package var nextDeadline: Int64? { nil }

    /// Takes an event in and says what is to be done, in order.
    package mutating func handle(_ event: BlueZEvent, at now: Moment) -> [BlueZAction] {
        switch event {
        case .stop: return [.stopped]
        case .settings(let new): settings = new
        case .busOpened, .busClosed, .message, .reply, .deadline, .persisted, .request, .hostClock,
            .radioBlock:
            break
        }
        return []
    }

    /// What holds now, for those who ask.
    package func snapshot(at now: Moment) -> RadioSnapshot { RadioSnapshot() }
}
