import DBus
import Measurements

/// What people at terminals want, and what bluetoothd asks of us.
extension Supervisor {
    /// Begins what somebody wants.
    mutating func take(
        _ request: OperatorRequest, of who: OperatorID, at now: Moment
    ) -> [BlueZAction] {
        switch request {
        case .pair(let wish): return pair(wish, for: who, at: now)
        case .answer(let text):
            guard pairing?.operator == who else { return [] }
            return passToPairing(.answer(text), at: now)
        case .cancel: return cancel(who, at: now)
        case .forget(let address): return forget(address, for: who, at: now)
        case .setClock(let address): return setClock(address, for: who, at: now)
        }
    }

    private mutating func cancel(_ who: OperatorID, at now: Moment) -> [BlueZAction] {
        for (address, owner) in clockOrders where owner == who {
            clockOrders[address] = nil
            sessions[address]?.work.isClockOrdered = false
        }
        if early?.operator == who { early = nil }
        guard pairing?.operator == who else { return [] }
        return passToPairing(.cancel, at: now)
    }

    // MARK: Pairing

    /// Long enough for a bus and a bluetoothd that answer at all, in ms.
    private static let earlyPatience: Int64 = 10_000

    private mutating func pair(
        _ wish: PairingWish, for who: OperatorID, at now: Moment
    ) -> [BlueZAction] {
        guard pairing == nil, early == nil, stop == .none else {
            return [.tell(who, PairingFailure.environment(.busy).message)]
        }
        guard !presence.isUndecided else {
            early = (who, wish, now.boot + Self.earlyPatience)
            return []
        }
        return openWindow(wish, for: who, at: now)
    }

    /// Goes on with a wish that came before it was known whether bluetoothd is there.
    mutating func beginEarlyPairing(at now: Moment) -> [BlueZAction] {
        guard let (who, wish, until) = early,
            !presence.isUndecided || until <= now.boot || stop != .none
        else { return [] }
        early = nil
        return openWindow(wish, for: who, at: now)
    }

    private mutating func openWindow(
        _ wish: PairingWish, for who: OperatorID, at now: Moment
    ) -> [BlueZAction] {
        guard presence.isPresent, stop == .none else {
            return [.tell(who, PairingFailure.environment(.bluetoothdAbsent).message)]
        }
        let adapters = tree.adapters.values.filter { $0.address != nil }
            .sorted { $0.path < $1.path }
        let devices = tree.devices.keys.sorted().compactMap { pairingDevice($0) }
        var window = Pairing(wish, firstCall: nextPairingCall, at: now)
        let wishes = window.open(adapters: adapters, devices: devices, at: now)
        pairing = (who, window)
        return registerAgent() + perform(wishes, at: now)
    }

    private func pairingDevice(_ path: String) -> PairingDevice? {
        tree.devices[path].map {
            PairingDevice($0, characteristics: tree.characteristics(of: path))
        }
    }

    /// Gives an event to the window that is open, and carries out what it wants.
    mutating func passToPairing(_ event: Pairing.Event, at now: Moment) -> [BlueZAction] {
        guard let wishes = pairing?.window.handle(event, at: now) else { return [] }
        return perform(wishes, at: now)
    }

    /// Tells the window that is open how a device is now.
    mutating func tellPairing(of path: String, at now: Moment) -> [BlueZAction] {
        guard pairing != nil, let device = pairingDevice(path) else { return [] }
        return passToPairing(.device(device), at: now)
    }

    private mutating func perform(_ wishes: [Pairing.Action], at now: Moment) -> [BlueZAction] {
        guard let who = pairing?.operator else { return [] }
        var actions: [BlueZAction] = []
        for wish in wishes {
            switch wish {
            case .call(let mark, let call): actions += self.call(.pairing(mark), call)
            case .send(let message): actions.append(.send(message))
            case .tell(let message): actions.append(.tell(who, lasting(message)))
            case .adopt(let address, let isNew):
                actions += adopt(address, isNew: isNew, at: now)
            case .abandon(let address, _): actions += abandon(address, at: now)
            case .note(let address, let event, let text):
                actions.append(note(event, text, of: address, at: now))
            case .close: actions += closeWindow(at: now)
            }
        }
        return actions
    }

    /// What a window ends with, and how to keep the sensor where the configuration names others.
    private func lasting(_ message: OperatorMessage) -> OperatorMessage {
        guard case .done(let text) = message, let address = pairing?.window.adopted?.address
        else { return message }
        switch settings.sensors[address]?.isEnabled {
        case true?: return message
        case false?:
            return .done(
                text + " healthd.conf has enabled = no for it: without a change there, it is left "
                    + "alone again after the next start.")
        case nil where settings.sensors.isEmpty: return message
        case nil:
            return .done(
                text + " healthd.conf names other sensors, so this one is read only until healthd "
                    + "is restarted. To keep it, add this line there: [sensor \(address)]")
        }
    }

    private mutating func adopt(
        _ address: DeviceAddress, isNew: Bool, at now: Moment
    ) -> [BlueZAction] {
        adopted.insert(address)
        let isAdded = sessions[address] == nil
        makeSession(address)
        if isNew { sessions[address]?.isNew = true }
        let note: [BlueZAction] = isAdded ? [self.note(.adopted, "", of: address, at: now)] : []
        return note + consider(address, at: now)
    }

    /// A sensor that the window held may have a bond now, or have had one before.
    private mutating func closeWindow(at now: Moment) -> [BlueZAction] {
        nextPairingCall = pairing?.window.nextCall ?? nextPairingCall
        pairing = nil
        let bonded = Set(tree.devices.values.filter(\.hasBond).map(\.address))
        return bonded.sorted { $0.bits < $1.bits }.flatMap { consider($0, at: now) }
    }

    /// What the configuration wants stays wanted.
    private mutating func abandon(_ address: DeviceAddress, at now: Moment) -> [BlueZAction] {
        adopted.remove(address)
        guard settings.sensors[address]?.isEnabled != true else { return [] }
        let ended = pass(.lost("pairing was given up"), to: address, at: now)
        drop(address)
        return ended
    }
}

// MARK: - Forgetting and clocks

extension Supervisor {
    private mutating func forget(
        _ address: DeviceAddress, for who: OperatorID, at now: Moment
    ) -> [BlueZAction] {
        let isBusy = forgettings[who] != nil || forgettings.count >= Self.forgettingLimit
        guard !isBusy, pairing?.window.held != address, stop == .none else {
            return [.tell(who, PairingFailure.environment(.busy).message)]
        }
        guard presence.isPresent else {
            return [.tell(who, PairingFailure.environment(.bluetoothdAbsent).message)]
        }
        var forgetting = Forgetting(address)
        let wishes = forgetting.begin(tree.devices(at: address))
        forgettings[who] = forgetting
        let ended = pass(.lost("its bond is being removed"), to: address, at: now)
        drop(address)
        adopted.remove(address)
        left[address] = nil
        return ended + perform(wishes, of: who, address, at: now)
    }

    /// Gives an event to the removal that this operator has ordered.
    mutating func passToForgetting(
        _ who: OperatorID, _ event: Forgetting.Event, at now: Moment
    ) -> [BlueZAction] {
        guard let address = forgettings[who]?.address,
            let wishes = forgettings[who]?.handle(event)
        else { return [] }
        return perform(wishes, of: who, address, at: now)
    }

    private mutating func perform(
        _ wishes: [Forgetting.Action], of who: OperatorID, _ address: DeviceAddress,
        at now: Moment
    ) -> [BlueZAction] {
        var actions: [BlueZAction] = []
        for wish in wishes {
            switch wish {
            case .call(let path, let call):
                removing.insert(path)
                actions += self.call(.forgetting(who, path), call)
            case .tell(let message): actions.append(.tell(who, message))
            case .note(let event, let text):
                actions.append(note(event, text, of: address, at: now))
            case .close:
                forgettings[who] = nil
                if settings.sensors[address]?.isEnabled == true { makeSession(address) }
                actions += consider(address, at: now)
            }
        }
        return actions
    }

    private mutating func setClock(
        _ address: DeviceAddress, for who: OperatorID, at now: Moment
    ) -> [BlueZAction] {
        guard let session = sessions[address] else {
            let text =
                "\(address) is none of the sensors that are cared for. See healthctl devices."
            return [.tell(who, .failed(.noSuchDevice, text: text))]
        }
        guard clockOrders[address] == nil else {
            return [.tell(who, PairingFailure.environment(.busy).message)]
        }
        clockOrders[address] = who
        let text =
            session.link.upSince == nil
            ? "The clock is set when the sensor is awake next." : "The clock is being set."
        return [.tell(who, .progress(step: "clock", text: text))]
            + pass(.setClock, to: address, at: now)
    }

    /// Tells the operator who had ordered it.
    mutating func clockIsOver(
        _ outcome: ClockSetting.Outcome, of address: DeviceAddress
    ) -> [BlueZAction] {
        guard let who = clockOrders.removeValue(forKey: address) else { return [] }
        return [.tell(who, outcome.message)]
    }
}

// MARK: - Calls of our objects

extension Supervisor {
    /// Answers a call of one of our objects, or lets the operator answer it.
    mutating func answer(_ call: BusMessage, at now: Moment) -> [BlueZAction] {
        let outcome = ExportedObjects.handle(call, owner: presence.owner)
        let reply: [BlueZAction] = outcome.reply.map { [.send($0)] } ?? []
        switch outcome.news {
        case nil: return reply
        case .request(let request): return reply + answer(request, at: now)
        case .requestCanceled: return reply + passToPairing(.agentCanceled, at: now)
        case .agentReleased:
            isAgentKnown = false
            return reply
        case .profileReleased:
            for path in radios.keys { _ = radios[path]?.handle(.released, at: now) }
            return reply
        }
    }

    private mutating func answer(_ request: AgentRequest, at now: Moment) -> [BlueZAction] {
        if pairing?.window.isAsked(about: request.device) == true {
            return passToPairing(.agent(request), at: now)
        }
        let isOurs = routes[request.device] != nil
        return [.send(request.answer(isOurs: isOurs))]
    }
}
