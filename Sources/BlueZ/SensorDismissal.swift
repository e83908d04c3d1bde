import DBus

/// Leaves a bonded sensor that the configuration does not want so that it keeps its readings.
///
///     linked ──link down──► untrusting ──► hangingUp ──► left
///                               └─────error──┴─────────► failed
///
/// Our profile makes bluetoothd connect every bonded sensor of its services, and confirm what nobody
/// hears. A link that is up may be another program's, and is let end by itself.
struct SensorDismissal: Equatable, Sendable {
    /// What comes in.
    enum Event: Equatable, Sendable {
        case begin(isUp: Bool)
        case linkDown
        /// bluetoothd has answered the last call.
        case answered(BusError?)
    }

    /// What is to be done.
    enum Action: Equatable, Sendable {
        case untrust
        case disconnect
    }

    private enum State: Equatable, Sendable {
        case linked
        case untrusting
        case hangingUp
        case left
        case failed(BusError)
    }

    private var state = State.linked

    /// Nothing was done yet.
    init() {}

    /// A sensor that was left in another way.
    static let done: SensorDismissal = {
        var dismissal = SensorDismissal()
        dismissal.state = .left
        return dismissal
    }()

    /// How far it is, to judge by.
    var fact: SensorFacts.Dismissal {
        switch state {
        case .linked: .linked
        case .untrusting, .hangingUp: .underWay
        case .left: .left
        case .failed(let error): .failed(error)
        }
    }

    /// Takes an event in and says what is to be done.
    mutating func handle(_ event: Event) -> Action? {
        switch (state, event) {
        case (.linked, .begin(isUp: false)), (.linked, .linkDown):
            state = .untrusting
            return .untrust
        case (.untrusting, .answered(nil)):
            state = .hangingUp
            return .disconnect
        case (.untrusting, .answered(let error?)): state = .failed(error)
        case (.hangingUp, .answered(let error)): hungUp(error)
        case (.linked, .begin), (.linked, .answered), (.untrusting, .begin),
            (.untrusting, .linkDown), (.hangingUp, .begin), (.hangingUp, .linkDown), (.left, _),
            (.failed, _):
            break
        }
        return nil
    }

    private mutating func hungUp(_ error: BusError?) {
        guard let error, ErrorClass(error, of: .disconnect) != .alreadyDone else {
            state = .left
            return
        }
        state = .failed(error)
    }
}
