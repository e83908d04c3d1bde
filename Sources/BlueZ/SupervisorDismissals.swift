import DBus
import Measurements

/// Sensors of ours that are not wanted, and keep their readings until they are.
extension Supervisor {
    /// Leaves the sensor of a device object, if it is bonded and ours, and not wanted.
    ///
    /// Registering our profile has bluetoothd connect it, so that this comes after that.
    mutating func dismiss(_ path: String, at now: Moment) -> [BlueZAction] {
        guard stop == .none, dismissals[path] == nil, let device = tree.devices[path],
            device.hasBond, isDismissed(device.address), !removing.contains(path),
            radios[device.adapter]?.isRegistered == true
        else { return [] }
        dismissals[path] = SensorDismissal()
        return noteUnwanted(device.address, at: now)
            + passToDismissal(.begin(isUp: device.isConnected), of: path)
    }

    /// The same for every device object, as an adapter connects them anew from now on.
    mutating func dismissAll(of adapter: String, at now: Moment) -> [BlueZAction] {
        let paths = tree.devices.values.filter { $0.adapter == adapter }.map(\.path).sorted()
        for path in paths { dismissals[path] = nil }
        return paths.flatMap { dismiss($0, at: now) }
    }

    /// Once, until it is wanted again.
    private mutating func noteUnwanted(
        _ address: DeviceAddress, _ tally: SensorTally = SensorTally(), at now: Moment
    ) -> [BlueZAction] {
        guard left[address] == nil else { return [] }
        left[address] = tally
        return [note(.unwanted, "left so that it keeps its readings", of: address, at: now)]
    }

    private func isDismissed(_ address: DeviceAddress) -> Bool {
        guard sessions[address] == nil, pairing?.window.held != address, !isWanted(address) else {
            return false
        }
        return settings.sensors[address]?.isEnabled == false || left[address] != nil
    }

    /// Gives an event to what is done about a device object, and carries out what it wants.
    mutating func passToDismissal(
        _ event: SensorDismissal.Event, of path: String
    ) -> [BlueZAction] {
        switch dismissals[path]?.handle(event) {
        case nil: return []
        case .untrust: return call(.dismissal(path), .setTrusted(false, device: path))
        case .disconnect: return call(.dismissal(path), .device("Disconnect", at: path))
        }
    }

    /// Properties of a device object were announced.
    mutating func considerDismissal(
        _ device: DeviceObject, _ named: Set<DeviceProperty>, at now: Moment
    ) -> [BlueZAction] {
        if named.contains(.isPaired) { dismissals[device.path] = nil }
        let isDown = named.contains(.isConnected) && !device.isConnected
        let waiting = isDown ? passToDismissal(.linkDown, of: device.path) : []
        return waiting + (named.contains(.isPaired) ? dismiss(device.path, at: now) : [])
    }

    /// A session has left its sensor while the daemon goes on.
    mutating func sessionLeft(_ address: DeviceAddress, at now: Moment) -> [BlueZAction] {
        guard let session = sessions[address] else { return [] }
        let object = session.object
        drop(address)
        let note = noteUnwanted(address, session.tally, at: now)
        if let object, object.hasBond { dismissals[object.path] = .done }
        guard isWanted(address) else { return note }
        makeSession(address)
        return note + takeBack(address, at: now) + consider(address, at: now)
    }

    /// Has bluetoothd connect a sensor by itself again that was left.
    ///
    /// Trusted alone does not: only a profile that is registered anew does, or Connect, which would
    /// have to find the sensor awake.
    mutating func takeBack(_ address: DeviceAddress, at now: Moment) -> [BlueZAction] {
        let devices = tree.devices(at: address).filter { dismissals[$0.path] != nil }
        for device in devices { dismissals[device.path] = nil }
        guard left.removeValue(forKey: address) != nil else { return [] }
        let note = note(.adopted, "wanted again", of: address, at: now)
        return [note]
            + Set(devices.map(\.adapter)).sorted().flatMap { adapter -> [BlueZAction] in
                perform(radios[adapter]?.renew(), of: adapter)
            }
    }

    private mutating func perform(_ wishes: [Radio.Action]?, of adapter: String) -> [BlueZAction] {
        (wishes ?? []).flatMap { wish -> [BlueZAction] in
            guard case .call(let request, let call) = wish else { return [] }
            return self.call(.radio(adapter, request), call)
        }
    }

    /// What became of a sensor that is not wanted; nil if bluetoothd does not know it.
    func dismissal(of address: DeviceAddress) -> SensorFacts.Dismissal? {
        let devices = tree.devices(at: address)
        guard devices.contains(where: \.hasBond) else {
            return devices.isEmpty ? nil : .unbonded
        }
        return devices.lazy.compactMap { self.dismissals[$0.path]?.fact }.first
    }
}
