import DBus
import Measurements

/// Which sensors are wanted, and which of bluetoothd's objects stands for each.
extension Supervisor {
    /// Makes a session for a sensor that has none yet.
    mutating func makeSession(_ address: DeviceAddress) {
        guard sessions[address] == nil else { return }
        guard sessions.count < Self.sensorLimit else {
            tally.refusedSensors += 1
            return
        }
        var session = SensorSession(address, settings, seed: seed)
        if let tally = left[address] { session.tally.resume(tally) }
        sessions[address] = session
    }

    /// Whether the configuration, an operator, or else its bond makes a sensor ours.
    func isWanted(_ address: DeviceAddress) -> Bool {
        guard !forgettings.values.contains(where: { $0.address == address }) else { return false }
        if let sensor = settings.sensors[address] { return sensor.isEnabled }
        if adopted.contains(address) { return true }
        guard settings.sensors.isEmpty else { return false }
        return tree.devices(at: address).contains {
            ($0.isPaired || $0.isTrusted) && offersHealth($0) && !removing.contains($0.path)
        }
    }

    private func offersHealth(_ device: DeviceObject) -> Bool {
        device.offersHealth
            || device.characteristics.contains {
                tree.characteristics[$0]?.isMeasurement ?? false
            }
    }

    /// Takes a sensor in if it is wanted, and gives its session the best object that there is.
    ///
    /// One that has just been paired `isNew`, by whomever.
    mutating func consider(
        _ address: DeviceAddress, isNew: Bool = false, at now: Moment
    ) -> [BlueZAction] {
        guard stop == .none, pairing?.window.held != address else { return [] }
        var actions: [BlueZAction] = []
        if sessions[address] == nil, isWanted(address) {
            makeSession(address)
            guard sessions[address] != nil else { return [] }
            actions = [note(.adopted, "", of: address, at: now)]
        }
        guard let session = sessions[address], !session.farewell.isLeaving,
            let best = best(for: address, now: session.object), session.object?.path != best.path
        else { return actions }
        for (path, owner) in routes where owner == address { routes[path] = nil }
        routes[best.path] = address
        sessions[address]?.bondAdapter = tree.adapters[best.adapter]?.address
        if isNew { sessions[address]?.isNew = true }
        let objects = tree.characteristics(of: best.path)
        return actions + pass(.found(best, objects), to: address, at: now)
    }

    /// The same for every sensor that has a session.
    mutating func considerAll(at now: Moment) -> [BlueZAction] {
        let known = sessions.keys.sorted { $0.bits < $1.bits }
        return known.flatMap { consider($0, at: now) }
    }

    /// On the configured adapter, else where the bond is; the one in use if it is as good.
    private func best(for address: DeviceAddress, now current: DeviceObject?) -> DeviceObject? {
        let wanted = settings.sensors[address]?.adapter
        let usable = tree.devices(at: address).filter { device in
            guard let adapter = tree.adapters[device.adapter]?.address,
                !removing.contains(device.path)
            else { return false }
            return wanted == nil || wanted == adapter
        }
        return usable.max { left, right in
            rank(left, current) < rank(right, current)
        }
    }

    private func rank(_ device: DeviceObject, _ current: DeviceObject?) -> Int {
        let isPowered = tree.adapters[device.adapter]?.isPowered ?? false
        return (device.hasBond ? 16 : 0) + (device.isTrusted ? 8 : 0) + (isPowered ? 4 : 0)
            + (device.isConnected ? 2 : 0) + (device.path == current?.path ? 1 : 0)
    }
}

// MARK: - Objects of devices

extension Supervisor {
    /// A device object is there.
    mutating func deviceAdded(_ path: String, at now: Moment) -> [BlueZAction] {
        guard let device = tree.devices[path] else { return [] }
        removing.remove(path)
        let isMine = routes[path] == device.address
        let again: [BlueZAction] =
            isMine
            ? pass(.changed(device, [.isConnected, .isResolved]), to: device.address, at: now) : []
        return again + consider(device.address, at: now) + dismiss(path, at: now)
            + tellPairing(of: path, at: now)
    }

    /// Properties of a device object were announced.
    mutating func deviceChanged(
        _ path: String, _ named: Set<DeviceProperty>, at now: Moment
    ) -> [BlueZAction] {
        guard let device = tree.devices[path] else { return [] }
        if named.contains(.address) { readdress(path, to: device.address) }
        let isMine = routes[path] == device.address
        var actions = isMine ? pass(.changed(device, named), to: device.address, at: now) : []
        if !named.isDisjoint(with: [.address, .isPaired, .isTrusted, .services]) {
            let isNew = named.contains(.isPaired) && device.hasBond
            actions += consider(device.address, isNew: isNew, at: now)
        }
        actions += considerDismissal(device, named, at: now)
        return actions + tellPairing(of: path, at: now)
    }

    /// After bonding, a sensor with a private address goes by its identity address.
    private mutating func readdress(_ path: String, to address: DeviceAddress) {
        guard let old = routes[path], old != address, sessions[address]?.object == nil,
            var session = sessions.removeValue(forKey: old)
        else { return }
        session.address = address
        sessions[address] = session
        deadlines[address] = deadlines.removeValue(forKey: old)
        routes[path] = address
        if adopted.remove(old) != nil { adopted.insert(address) }
        clockOrders[address] = clockOrders.removeValue(forKey: old)
        book.forget { purpose in
            guard case .sensor(old, _) = purpose else { return false }
            return true
        }
    }

    /// A device object is gone.
    mutating func deviceRemoved(_ device: DeviceObject, at now: Moment) -> [BlueZAction] {
        var actions = pass(.objectGone, toDevice: device.path, at: now)
        let address = routes.removeValue(forKey: device.path)
        removing.remove(device.path)
        dismissals[device.path] = nil
        actions += passToPairing(.deviceRemoved(device.path), at: now)
        for who in forgettings.keys.sorted(by: { $0.number < $1.number }) {
            actions += passToForgetting(who, .deviceRemoved(device.path), at: now)
        }
        return actions + (address.map { consider($0, at: now) } ?? [])
    }

    /// A characteristic is there.
    mutating func characteristicAdded(_ path: String, at now: Moment) -> [BlueZAction] {
        guard let object = tree.characteristics[path],
            let address = tree.devices[object.device]?.address
        else { return [] }
        let isNew = sessions[address] == nil
        let adopting = isNew && object.isMeasurement ? consider(address, at: now) : []
        return adopting + pass(.characteristic(object), toDevice: object.device, at: now)
            + tellPairing(of: object.device, at: now)
    }
}

// MARK: - Sessions

extension Supervisor {
    /// Gives an event to the sensor that the device object at this path stands for.
    mutating func pass(
        _ event: SensorSession.Event, toDevice path: String, at now: Moment
    ) -> [BlueZAction] {
        guard let address = routes[path] else { return [] }
        return pass(event, to: address, at: now)
    }

    /// Gives an event to a sensor's session, and carries out what it wants.
    mutating func pass(
        _ event: SensorSession.Event, to address: DeviceAddress, at now: Moment
    ) -> [BlueZAction] {
        guard let wishes = sessions[address]?.handle(event, at: now) else { return [] }
        deadlines[address] = sessions[address]?.nextDeadline
        return perform(wishes, of: address, at: now)
    }

    /// Gives an event to every session.
    mutating func passToAll(_ event: SensorSession.Event, at now: Moment) -> [BlueZAction] {
        let known = sessions.keys.sorted { $0.bits < $1.bits }
        return known.flatMap { pass(event, to: $0, at: now) }
    }

    private mutating func perform(
        _ wishes: [SensorSession.Action], of address: DeviceAddress, at now: Moment
    ) -> [BlueZAction] {
        var actions: [BlueZAction] = []
        for wish in wishes {
            switch wish {
            case .call(let request, let call):
                actions += self.call(.sensor(address, request), call)
            case .collect(let event): actions += collect(event, at: now)
            case .note(let event, let text): actions.append(note(event, text, of: address, at: now))
            case .persist: actions.append(.persist(persistID(for: address)))
            case .askHostClock: actions.append(.askHostClock)
            case .clock(let outcome): actions += clockIsOver(outcome, of: address)
            case .left: if stop == .none { actions += sessionLeft(address, at: now) }
            }
        }
        return actions
    }

    private mutating func persistID(for address: DeviceAddress) -> PersistID {
        let id = PersistID(number: nextPersist)
        nextPersist += 1
        persists[id] = address
        return id
    }

    private mutating func collect(_ event: GATTEvent, at now: Moment) -> [BlueZAction] {
        switch event.kind {
        case .connect: tally.links += 1
        case .notify, .indicate: return [.collect(event)] + measured(event, at: now)
        case .disconnect, .read, .write: break
        }
        return [.collect(event)]
    }

    private mutating func measured(_ event: GATTEvent, at now: Moment) -> [BlueZAction] {
        guard let uuid = event.characteristic, uuid.isMeasurementCharacteristic else { return [] }
        tally.frames += 1
        guard pairing != nil else { return [] }
        return passToPairing(.value(event.device.address, uuid, event.value), at: now)
    }

    /// Ends a session without a word to the sensor; answers to its calls reach nobody.
    mutating func drop(_ address: DeviceAddress) {
        sessions[address] = nil
        deadlines[address] = nil
        for (path, owner) in routes where owner == address { routes[path] = nil }
        book.forget { purpose in
            guard case .sensor(address, _) = purpose else { return false }
            return true
        }
    }
}

// MARK: - Settings and the end

extension Supervisor {
    /// The configuration was read again.
    mutating func take(_ new: Settings, at now: Moment) -> [BlueZAction] {
        settings = new
        for path in radios.keys { _ = radios[path]?.handle(.wish(powersOn: new.powersOn), at: now) }
        for address in sessions.keys { sessions[address]?.settings = new }
        let unwanted = sessions.keys.filter { !isWanted($0) && !new.sensors.isEmpty }
        var actions = unwanted.sorted { $0.bits < $1.bits }
            .flatMap { pass(.leave, to: $0, at: now) }
        let wanted = Set(new.sensors.filter(\.value.isEnabled).keys)
            .union(tree.devices.values.map(\.address))
        for address in wanted.sorted(by: { $0.bits < $1.bits }) {
            if isWanted(address) {
                if new.sensors[address] != nil || left[address] != nil { makeSession(address) }
                actions += takeBack(address, at: now)
            }
            actions += consider(address, at: now)
        }
        return actions + tree.adapters.keys.sorted().flatMap { dismissAll(of: $0, at: now) }
    }

    /// Begins to leave every sensor.
    mutating func beginStop(at now: Moment) -> [BlueZAction] {
        guard stop == .none else { return [] }
        let isLinked = sessions.values.contains { $0.link.upSince != nil }
        stop = .leaving(until: now.boot + (isLinked ? 4_800 : 900))
        return passToPairing(.cancel, at: now) + passToAll(.leave, at: now)
    }

    /// It is done when every sensor is left and the window is closed, or when the time is over.
    mutating func finishStop(at now: Moment) -> [BlueZAction] {
        guard case .leaving(let until) = stop else { return [] }
        let isReady = pairing == nil && sessions.values.allSatisfy(\.farewell.isDone)
        guard isReady || until <= now.boot || presence.owner == nil else { return [] }
        stop = .done
        return [.stopped]
    }
}
