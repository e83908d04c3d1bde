internal import DBus
internal import Measurements

extension PairingSubject {
    /// How long the services of a new sensor may take.
    static let resolving: Int64 = 30_000
    /// How long Connect may take: bluetoothd gives up after 41 s by itself.
    static let connecting: Int64 = 45_000
    /// How long bluetoothd goes on exporting objects after it has said that services are resolved.
    static let grace: Int64 = 2000

    /// Takes in what is known of the device now.
    mutating func take(_ device: PairingDevice, at now: Int64) {
        let wasConnected = self.device.isConnected
        self.device = device
        isGone = false
        if device.isPaired { isBonded = true }
        guard case .testing(var testing) = phase else { return }
        testing.observe(isConnected: device.isConnected, wasConnected: wasConnected, at: now)
        phase = .testing(testing)
    }

    /// When services without a measurement are to be taken for all that there is; nil if they are not.
    func emptyAt(_ before: Int64?, at now: Int64) -> Int64? {
        guard device.isConnected, device.isResolved, !device.hasMeasurement else { return nil }
        return before ?? now + Self.grace
    }
}

extension PairingSubject.Testing {
    /// A link shorter than this, in ms, has not even told its services.
    private static let short: Int64 = 3000

    fileprivate mutating func observe(isConnected: Bool, wasConnected: Bool, at now: Int64) {
        if isConnected, !wasConnected { linkedAt = now }
        guard !isConnected, wasConnected else { return }
        shortLinks = linkedAt.map { now - $0 < Self.short } ?? false ? shortLinks + 1 : 0
        linkedAt = nil
    }
}

extension Pairing {
    /// Starts with a sensor that was found: it is to be kept, and the searches end before any link.
    mutating func begin(_ device: PairingDevice, at now: Int64) -> [Action] {
        var subject = PairingSubject(device)
        var actions: [Action] = []
        if !device.isTrusted {
            trusted = trusted ?? device.path
            subject.trust = .pending
            actions.append(call(.trust, .setTrusted(true, device: device.path)))
        }
        state = .pairing(subject)
        actions += endSearches()
        return actions + advance(subject, at: now)
    }

    /// Goes on with a sensor, as far as what is known of it reaches.
    mutating func advance(_ subject: PairingSubject, at now: Int64) -> [Action] {
        guard usableAdapters.contains(subject.device.adapter) else {
            return fail(.environment(.adapterLost), at: now)
        }
        guard now < windowEnd else { return fail(windowOver(subject), at: now) }
        if let asked = subject.asked, now >= asked.until { return silence(asked, at: now) }
        switch subject.phase {
        case .preparing: return advancePreparing(subject, at: now)
        case .bonding: return advanceBonding(subject, at: now)
        case .linking(let linking): return advance(subject, linking, at: now)
        case .testing(let testing): return advance(subject, testing, at: now)
        }
    }

    private mutating func advancePreparing(
        _ subject: PairingSubject, at now: Int64
    ) -> [Action] {
        if subject.isGone { return retry(.gone, at: now) }
        if case .failed(let error) = subject.trust {
            if error == .gone { return retry(error, at: now) }
            let isForbidden = error == .notPermitted
            return fail(
                isForbidden ? .environment(.notPermitted) : .bond(.notKept(error.evidence)),
                at: now)
        }
        guard subject.trust != .pending, isQuiet else { return [] }
        return subject.isBonded ? test(subject, at: now) : bond(subject, at: now)
    }

    private mutating func bond(_ subject: PairingSubject, at now: Int64) -> [Action] {
        var subject = subject
        subject.phase = .bonding
        subject.pair = .pending
        state = .pairing(subject)
        let text = "pairing with \(subject.device.title)"
        return [
            .tell(.progress(step: "pair", text: text)),
            call(.pair, .device("Pair", at: subject.device.path, patience: 120_000)),
        ]
    }

    /// The bond is there when any of reply and properties says so; the signal can be late.
    private mutating func advanceBonding(
        _ subject: PairingSubject, at now: Int64
    ) -> [Action] {
        if subject.isGone { return retry(.gone, at: now) }
        if subject.isBonded { return test(subject, at: now) }
        switch subject.pair {
        case .notMade, .pending: return []
        case .succeeded: return test(subject, at: now)
        case .failed(let error): return bondFailed(subject, error, at: now)
        }
    }

    private mutating func bondFailed(
        _ subject: PairingSubject, _ error: PairingError, at now: Int64
    ) -> [Action] {
        switch error {
        case .alreadyPaired: return test(subject, at: now)
        case .authenticationFailed, .authenticationRejected, .authenticationCanceled:
            guard let failure = answerFailure(subject, error) else {
                return link(subject, without: error, at: now)
            }
            return fail(.bond(failure), at: now)
        case .authenticationTimeout:
            return fail(.bond(.notInPairingMode(error.evidence)), at: now)
        case .keyMissing: return fail(.bond(.keyMissing(subject.device.address)), at: now)
        case .adapterOff: return fail(.environment(.adapterLost), at: now)
        case .notPermitted: return fail(.environment(.notPermitted), at: now)
        case .noReply: return fail(.bond(.timedOut), at: now)
        case .inProgress, .alreadyConnected, .gone, .attemptCanceled, .transient:
            return retry(error, at: now)
        }
    }

    /// What a refusal says about the answers that were given; nil if nothing was asked.
    private func answerFailure(
        _ subject: PairingSubject, _ error: PairingError
    ) -> BondFailure? {
        if subject.saidNo { return .saidNo }
        if subject.wasSilent { return .nobodyAnswered }
        if error == .authenticationCanceled { return .calledOff }
        switch subject.lastQuestion {
        case .passkey, .pin: return .wrongNumber
        case .confirm: return .numbersDiffer
        case .display: return .notTyped
        case .choose, .authorize, nil: return nil
        }
    }
}

// MARK: - A sensor without a bond

extension Pairing {
    private mutating func link(
        _ subject: PairingSubject, without error: PairingError, at now: Int64
    ) -> [Action] {
        var subject = subject
        subject.bondFailure = error
        subject.phase = .linking(.init(until: now + PairingSubject.connecting))
        var actions = [
            Action.tell(
                .progress(step: "connect", text: "it makes no bond; trying to do without one"))
        ]
        if !subject.device.isConnected {
            subject.connect = .pending
            actions.append(connect(subject))
        }
        state = .pairing(subject)
        return actions + advance(subject, at: now)
    }

    private mutating func connectAgain(_ subject: PairingSubject, at now: Int64) -> [Action] {
        var subject = subject
        subject.connect = .pending
        subject.phase = .linking(.init(until: now + PairingSubject.connecting))
        state = .pairing(subject)
        return [connect(subject)]
    }

    private mutating func connect(_ subject: PairingSubject) -> Action {
        call(
            .connect,
            .device("Connect", at: subject.device.path, patience: PairingSubject.connecting))
    }

    private mutating func advance(
        _ subject: PairingSubject, _ linking: PairingSubject.Linking, at now: Int64
    ) -> [Action] {
        if subject.isGone { return retry(.gone, at: now) }
        if subject.isBonded || subject.device.hasMeasurement { return test(subject, at: now) }
        guard subject.device.isConnected else {
            return awaitLink(subject, linking, at: now)
        }
        var linking = linking
        linking.resolveBy = linking.resolveBy ?? now + PairingSubject.resolving
        linking.emptyAt = subject.emptyAt(linking.emptyAt, at: now)
        if let emptyAt = linking.emptyAt, now >= emptyAt { return empty(subject, at: now) }
        if let by = linking.resolveBy, now >= by, linking.emptyAt == nil {
            let why = "its services were not resolved in 30 s"
            return retry(.transient(why), last: .link(.noServices(why)), at: now)
        }
        var subject = subject
        subject.phase = .linking(linking)
        state = .pairing(subject)
        return []
    }

    private mutating func awaitLink(
        _ subject: PairingSubject, _ linking: PairingSubject.Linking, at now: Int64
    ) -> [Action] {
        // The link of a pairing that failed is ended by bluetoothd just after it has said so.
        if subject.connect == .notMade { return connectAgain(subject, at: now) }
        if linking.resolveBy != nil {
            return retry(.transient("the link ended at once"), at: now)
        }
        if case .failed(let error) = subject.connect {
            switch error {
            case .inProgress, .alreadyConnected: break
            case .keyMissing: return fail(.bond(.keyMissing(subject.device.address)), at: now)
            case .adapterOff: return fail(.environment(.adapterLost), at: now)
            case .notPermitted: return fail(.environment(.notPermitted), at: now)
            case .alreadyPaired, .gone, .authenticationFailed, .authenticationRejected,
                .authenticationCanceled, .authenticationTimeout, .attemptCanceled, .noReply,
                .transient:
                return retry(error, at: now)
            }
        }
        if let check = subject.linkCheck, now >= check {
            return retry(.transient("Connect succeeded without a link"), at: now)
        }
        return now >= linking.until ? retry(.noReply, at: now) : []
    }

    /// The services are all there, and no measurement is among them.
    mutating func empty(_ subject: PairingSubject, at now: Int64) -> [Action] {
        let isBonded = subject.isBonded
        if let name = PrivateProtocol.name(among: subject.device.services) {
            return abandon() + fail(.link(.privateProtocol(name, isBonded: isBonded)), at: now)
        }
        guard subject.device.characteristics.isEmpty else {
            return abandon() + fail(.link(.noHealthService(isBonded: isBonded)), at: now)
        }
        let why = "its services were resolved, but are empty"
        return retry(.transient(why), last: .link(.noServices(why)), at: now)
    }
}
