import DBus
import Measurements

/// What follows from bluetoothd coming, going, and describing its objects.
extension Supervisor {
    /// Carries out what presence wants.
    mutating func perform(_ wishes: [Presence.Action], at now: Moment) -> [BlueZAction] {
        var actions: [BlueZAction] = []
        for wish in wishes {
            switch wish {
            case .call(let request, let call): actions += self.call(.presence(request), call)
            case .lost: actions += lost(at: now)
            case .objects(let objects): actions += take(objects, at: now)
            case .take(let signal): actions += take(tree.apply(signal), at: now)
            case .foreign: tally.foreignSignals += 1
            case .note(let event, let text): actions += daemonNote(event, text, at: now)
            case .suspended: actions.append(note(.hostSuspended, "", at: now))
            case .resumed: actions += resumed(at: now)
            }
        }
        return actions
    }

    private mutating func daemonNote(
        _ event: LedgerEntry.Event, _ text: String, at now: Moment
    ) -> [BlueZAction] {
        if event == .bluetoothdUp {
            tally.goneSince = nil
        } else {
            tally.goneSince = tally.goneSince ?? now.wall
        }
        return [note(event, text, at: now)]
    }

    /// All that was known through bluetoothd is void, and so is every answer that it still owes.
    private mutating func lost(at now: Moment) -> [BlueZAction] {
        book.forget { _ in true }
        tree = ObjectTree()
        radios = [:]
        routes = [:]
        removing = []
        dismissals = [:]
        isAgentKnown = false
        let why = presence.hasBus ? "bluetoothd is gone" : "the bus is gone"
        let forgetters = forgettings.keys.sorted { $0.number < $1.number }
        return passToAll(.lost(why), at: now) + passToPairing(.bluetoothdLost, at: now)
            + forgetters.flatMap { passToForgetting($0, .bluetoothdLost, at: now) }
    }

    private mutating func take(_ objects: BusValue, at now: Moment) -> [BlueZAction] {
        if radios.isEmpty, tree == ObjectTree() { tally.bluetoothdStarts += 1 }
        let actions = take(tree.replace(managed: objects), at: now)
        guard tally.isFirstReading else { return actions }
        tally.isFirstReading = false
        return actions + (settings.wasStoppedInOrder ? [] : unorderlyLoss(at: now))
    }

    /// A sensor that is still trusted was not left in order: bluetoothd took its readings for nobody.
    private mutating func unorderlyLoss(at now: Moment) -> [BlueZAction] {
        let text = "healthd ended without leaving the sensor: what it sent meanwhile was not heard"
        return sessions.keys.sorted { $0.bits < $1.bits }.flatMap { address -> [BlueZAction] in
            guard let object = sessions[address]?.object, object.hasBond, object.isTrusted else {
                return []
            }
            sessions[address]?.tally.possibleLoss = (now.wall, text)
            return [note(.possibleLoss, text, of: address, at: now)]
        }
    }

    private mutating func resumed(at now: Moment) -> [BlueZAction] {
        [note(.hostResumed, "", at: now)]
            + perform(presence.handle(.reread, at: now.boot), at: now)
            + passToAll(.resumed, at: now)
    }
}

// MARK: - Objects

extension Supervisor {
    private mutating func take(_ changes: [TreeChange], at now: Moment) -> [BlueZAction] {
        var actions: [BlueZAction] = []
        for change in changes { actions += take(change, at: now) }
        return actions
    }

    private mutating func take(_ change: TreeChange, at now: Moment) -> [BlueZAction] {
        switch change {
        case .agentManagerAdded: return registerAgent()
        case .adapterAdded(let path): return adapterAdded(path, at: now)
        case .adapterChanged(let path, let named): return adapterChanged(path, named, at: now)
        case .adapterRemoved(let adapter): return adapterRemoved(adapter, at: now)
        case .deviceAdded(let path): return deviceAdded(path, at: now)
        case .deviceChanged(let path, let named): return deviceChanged(path, named, at: now)
        case .deviceRemoved(let device): return deviceRemoved(device, at: now)
        case .characteristicAdded(let path): return characteristicAdded(path, at: now)
        case .characteristicRemoved(let object):
            return pass(.characteristicGone(object.path), toDevice: object.device, at: now)
        case .value(let path, let octets): return value(path, octets, at: now)
        case .battery(let device, let percent):
            return pass(.battery(percent), toDevice: device, at: now)
        case .disconnected(let device, let reason, _):
            return pass(.reason(reason), toDevice: device, at: now)
                + passToPairing(.disconnected(device, reason: reason), at: now)
        }
    }

    private mutating func value(
        _ path: String, _ octets: [UInt8], at now: Moment
    ) -> [BlueZAction] {
        tally.values += 1
        guard let device = tree.characteristics[path]?.device else { return [] }
        return pass(.value(path, octets), toDevice: device, at: now)
    }

    /// Asks bluetoothd to put questions about our pairings to us.
    mutating func registerAgent() -> [BlueZAction] {
        guard !isAgentKnown, tree.hasAgentManager else { return [] }
        return call(.agent, ExportedObjects.registerAgent)
    }

    /// Takes the answer to `registerAgent` in.
    mutating func agentRegistered(_ error: BusError?, at now: Moment) -> [BlueZAction] {
        guard let error, ErrorClass(error, of: .register) != .alreadyDone else {
            isAgentKnown = true
            return []
        }
        return [note(.agentRefused, "\(error)", at: now)]
    }
}

// MARK: - Adapters

extension Supervisor {
    private mutating func adapterAdded(_ path: String, at now: Moment) -> [BlueZAction] {
        guard let object = tree.adapters[path] else { return [] }
        guard radios[path] == nil else {
            return adapterChanged(path, [.isPowered, .isDiscovering, .gattManager], at: now)
        }
        let own = path.utf8.reduce(seed) { $0 &* 31 &+ UInt64($1) }
        var radio = Radio(object, powersOn: settings.powersOn, seed: own)
        let wishes = radio.begin(at: now)
        radios[path] = radio
        return perform(wishes, of: path, at: now) + passToPairing(.adapter(object), at: now)
            + considerAll(at: now)
    }

    private mutating func adapterChanged(
        _ path: String, _ named: Set<AdapterProperty>, at now: Moment
    ) -> [BlueZAction] {
        guard let object = tree.adapters[path] else { return [] }
        let wishes = radios[path]?.handle(.object(object, named), at: now)
        return perform(wishes, of: path, at: now) + passToPairing(.adapter(object), at: now)
    }

    private mutating func adapterRemoved(
        _ adapter: AdapterObject, at now: Moment
    ) -> [BlueZAction] {
        guard let radio = radios.removeValue(forKey: adapter.path) else { return [] }
        var actions = [note(.adapterRemoved, radio.name, at: now)]
        for (address, session) in sessions where session.bondAdapter == adapter.address {
            actions += pass(.adapterGone, to: address, at: now)
        }
        return actions + passToPairing(.adapterRemoved(adapter.path), at: now)
            + considerAll(at: now)
    }

    /// Carries out what an adapter wants.
    mutating func perform(
        _ wishes: [Radio.Action]?, of path: String, at now: Moment
    ) -> [BlueZAction] {
        var actions: [BlueZAction] = []
        for wish in wishes ?? [] {
            switch wish {
            case .call(let request, let call): actions += self.call(.radio(path, request), call)
            case .note(let event, let text): actions.append(note(event, text, at: now))
            case .askRadioBlock: actions.append(.askRadioBlock)
            case .powered(let isOn):
                for address in sensors(of: path) {
                    actions += pass(isOn ? .adapterOn : .adapterOff, to: address, at: now)
                }
            case .registered: actions += dismissAll(of: path, at: now)
            }
        }
        return actions
    }

    private func sensors(of adapter: String) -> [DeviceAddress] {
        sessions.filter { $0.value.object?.adapter == adapter }.keys
            .sorted { $0.bits < $1.bits }
    }
}
