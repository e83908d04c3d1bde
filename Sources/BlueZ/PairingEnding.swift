internal import DBus
internal import Measurements

extension Pairing {
    /// How long the searches may take to end; bluetoothd answers within this.
    private static let closing: Int64 = 10_000
    /// The pause before the next attempt, in ms, times the attempts so far.
    private static let pauseStep: Int64 = 1000

    /// Takes in what became of a call.
    mutating func replied(
        _ step: PairingCall.Step, _ error: PairingError?, at now: Int64
    ) -> [Action] {
        let outcome = error.map(PairingSubject.Outcome.failed) ?? .succeeded(at: now)
        switch step {
        case .startDiscovery(let path): return command(path) { $0.started(error, at: now) }
        case .stopDiscovery(let path): return command(path) { $0.stopped(error, at: now) }
        case .trust: settle(\.trust, outcome)
        case .pair: settle(\.pair, outcome)
        case .connect: settle(\.connect, outcome)
        case .untrust, .setFilter, .cancelPairing, .disconnect: break
        }
        return []
    }

    private mutating func settle(
        _ call: WritableKeyPath<PairingSubject, PairingSubject.Outcome>,
        _ outcome: PairingSubject.Outcome
    ) {
        guard case .pairing(var subject) = state else { return }
        subject[keyPath: call] = outcome
        state = .pairing(subject)
    }

    /// The attempt failed in a way that may go well the next time: the sensor is waited for again.
    ///
    /// After too many attempts it fails with `last`, or else for want of a link.
    mutating func retry(
        _ error: PairingError, last: PairingFailure? = nil, at now: Int64
    ) -> [Action] {
        guard case .pairing(let subject) = state else { return [] }
        attempts += 1
        guard attempts < Self.attemptLimit else {
            return fail(last ?? exhausted(subject, error), at: now)
        }
        let actions = release(subject)
        search.chosen = subject.device.address
        notBefore = now + Self.pauseStep * Int64(attempts)
        candidates.forgetSignal(of: subject.device.path, isGone: subject.isGone)
        state = .searching
        let text = "it did not work (\(error.evidence)); trying again: keep the sensor awake"
        return actions + [.tell(.progress(step: "search", text: text))] + resume(at: now)
    }

    private mutating func resume(at now: Int64) -> [Action] {
        guard case .searching = state else { return [] }
        return advanceSearch(at: now)
    }

    private func exhausted(
        _ subject: PairingSubject, _ error: PairingError
    ) -> PairingFailure {
        if let bond = subject.bondFailure {
            return .bond(.notInPairingMode("\(bond.evidence), \(error.evidence)"))
        }
        switch error {
        case .gone: return .link(.vanished)
        case .inProgress: return .bond(.otherPairing)
        case .alreadyPaired, .alreadyConnected, .adapterOff, .authenticationFailed,
            .authenticationRejected, .authenticationCanceled, .authenticationTimeout, .keyMissing,
            .attemptCanceled, .notPermitted, .noReply, .transient:
            return .link(.noLink(error.evidence))
        }
    }

    /// What is said when the window's time is over while a sensor is being paired.
    func windowOver(_ subject: PairingSubject) -> PairingFailure {
        switch subject.phase {
        case .preparing, .bonding:
            return .bond(subject.asked == nil && !subject.wasSilent ? .windowOver : .nobodyAnswered)
        case .linking:
            let why = "the time was over"
            return .link(subject.device.isConnected ? .noServices(why) : .noLink(why))
        case .testing:
            if subject.isBonded { return .link(.noReading(subject.device.address)) }
            return .link(.noReadingUnbonded(subject.bondFailure?.evidence ?? "none was made"))
        }
    }

    /// It cannot be done.
    mutating func fail(_ failure: PairingFailure, at now: Int64) -> [Action] {
        end(failure.message, at: now)
    }

    /// It is over, one way or the other: nothing half done is left behind; what works goes on.
    mutating func end(
        _ message: OperatorMessage, isWorking: Bool = false, at now: Int64
    ) -> [Action] {
        var actions: [Action] = []
        switch state {
        case .searching: actions += restore(isBonded: false)
        case .pairing(let subject):
            actions += release(subject, isWorking: isWorking)
            actions += restore(isBonded: subject.isBonded)
        case .closing, .closed: return []
        }
        state = .closing(until: now + Self.closing)
        actions += endSearches() + [.tell(message)]
        return actions + advanceClosing(until: now + Self.closing, at: now)
    }

    /// The window ends with bluetoothd, which has forgotten all that it was asked.
    mutating func abort(_ failure: PairingFailure) -> [Action] {
        let isTold: Bool
        switch state {
        case .searching, .pairing: isTold = false
        case .closing, .closed: isTold = true
        }
        state = .closed
        searches = [:]
        return (isTold ? [] : [.tell(failure.message)]) + [.close]
    }

    /// Waits until no search of ours runs: one that is forgotten would run until the daemon ends.
    mutating func advanceClosing(until: Int64, at now: Int64) -> [Action] {
        guard isQuiet || now >= until else { return [] }
        state = .closed
        return [.close]
    }

    /// Takes back what still runs with the sensor.
    private mutating func release(
        _ subject: PairingSubject, isWorking: Bool = false
    ) -> [Action] {
        let path = subject.device.path
        pending = pending.filter { !$0.step.isOfSubject }
        var actions: [Action] = subject.asked.map { [.send($0.request.canceled)] } ?? []
        guard !subject.isGone, !isWorking else { return actions }
        if subject.pair == .pending, !subject.isBonded {
            actions.append(call(.cancelPairing, .device("CancelPairing", at: path)))
        }
        if !subject.isBonded, subject.device.isConnected || subject.connect == .pending {
            actions.append(call(.disconnect, .device("Disconnect", at: path)))
        }
        return actions
    }

    /// Takes back that the sensor is to be armed.
    mutating func abandon() -> [Action] {
        guard let sensor = adopted else { return [] }
        adopted = nil
        return [.abandon(sensor.address, path: sensor.path)]
    }

    /// A sensor that nothing came of is not ours, unless somebody had made it so before.
    private mutating func restore(isBonded: Bool) -> [Action] {
        guard let path = trusted, !isBonded else { return [] }
        trusted = nil
        let actions = abandon()
        guard let device = candidates.devices[path], !device.isPaired else { return actions }
        return actions + [call(.untrust, .setTrusted(false, device: path))]
    }
}

extension PairingCall.Step {
    /// Whether the call is made for the sensor, not for a search.
    fileprivate var isOfSubject: Bool {
        switch self {
        case .trust, .untrust, .pair, .cancelPairing, .connect, .disconnect: true
        case .setFilter, .startDiscovery, .stopDiscovery: false
        }
    }
}
