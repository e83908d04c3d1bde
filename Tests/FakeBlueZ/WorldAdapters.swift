import DBus

/// Adapters: power, discovery, and the plug.
extension World {
    private func place(_ path: String) -> Int? {
        adapters.firstIndex { $0.path == path }
    }

    mutating func setPowered(_ isOn: Bool, _ path: String, _ call: BusMessage? = nil) {
        guard let place = place(path) else { return }
        guard !(isOn && adapters[place].isBlocked) else { return fail(call, "Failed", "Failed") }
        guard adapters[place].isPowered != isOn else { return reply(to: call) }
        if !isOn { endLinks(under: path) }
        adapters[place].isPowered = isOn
        let isLooking = !isOn && !adapters[place].discoverers.isEmpty
        if isLooking { adapters[place].discoverers = [] }
        changed(
            path, "org.bluez.Adapter1",
            [("Powered", .boolean(isOn))] + (isLooking ? [("Discovering", .boolean(false))] : []))
        reply(to: call)
        connectByItself()
    }

    mutating func setAddress(_ address: String, of name: String) {
        guard let place = adapters.firstIndex(where: { $0.name == name }) else { return }
        adapters[place].address = address
        changed(adapters[place].path, "org.bluez.Adapter1", [("Address", .string(address))])
    }

    private mutating func endLinks(under adapter: String) {
        for device in devices.values where device.adapter == adapter { linkDown(device.path) }
    }

    mutating func startDiscovery(_ call: BusMessage, _ path: String) {
        guard let place = place(path), let client = call.sender else { return }
        guard adapters[place].isPowered else {
            return fail(call, "NotReady", "Resource Not Ready")
        }
        guard adapters[place].discoverers.insert(client).inserted else {
            return fail(call, "InProgress", "Operation already in progress")
        }
        reply(to: call)
        guard adapters[place].discoverers.count == 1 else { return }
        changed(path, "org.bluez.Adapter1", [("Discovering", .boolean(true))])
        for address in sensors.keys.sorted() { hear(address) }
    }

    /// Lets those who look for devices hear a sensor.
    mutating func hear(_ address: String) {
        guard sensors[address]?.isAwake == true else { return }
        for adapter in adapters where !adapter.discoverers.isEmpty {
            let path = FakeDevice.path(address, under: adapter.path)
            guard let device = devices[path] else {
                know(address, under: adapter)
                continue
            }
            guard !device.isConnected else { continue }
            devices[path]?.rssi = -50
            changed(path, "org.bluez.Device1", [("RSSI", .int16(-50))])
        }
    }

    /// Lets a client that is not on the bus look for devices, or stop.
    mutating func setDiscovering(_ isOn: Bool, _ path: String, by client: String) {
        var call = BusMessage(.call)
        call.sender = client
        call.isReplyUnwanted = true
        if isOn { startDiscovery(call, path) } else { stopDiscovery(nil, path, of: client) }
    }

    mutating func stopDiscovery(_ call: BusMessage?, _ path: String, of client: String) {
        guard let place = place(path), adapters[place].discoverers.remove(client) != nil else {
            return fail(call, "Failed", "No discovery started")
        }
        reply(to: call)
        guard adapters[place].discoverers.isEmpty else { return }
        for device in devices.values where device.adapter == path {
            guard device.rssi != nil else { continue }
            devices[device.path]?.rssi = nil
            changed(device.path, "org.bluez.Device1", [], invalidated: ["RSSI"])
            if device.isTemporary { expire(device.path) }
        }
        changed(path, "org.bluez.Adapter1", [("Discovering", .boolean(false))])
    }

    /// Pulls an adapter out.
    mutating func unplug(_ name: String) {
        guard let adapter = adapters.first(where: { $0.name == name }) else { return }
        store()
        changed(
            adapter.path, "org.bluez.Adapter1",
            [("Powered", .boolean(false)), ("Discovering", .boolean(false))])
        adapters.removeAll { $0.name == name }
        for device in devices.values where device.adapter == adapter.path {
            linkDown(device.path)
            forget(device.path)
        }
        removed(
            adapter.path, Self.always + ["org.bluez.Adapter1", "org.bluez.GattManager1"])
    }

    /// Puts an adapter in, with what is stored of its devices.
    mutating func plug(_ adapter: FakeAdapter) {
        adapters.append(adapter)
        added(adapter.path, interfaces(of: adapter))
        for bond in stored.keys where bond.adapter == adapter.address {
            let path = know(bond.device, under: adapter)
            refreshProfiles(of: path)
        }
        connectByItself()
    }
}
