import DBus

extension World {
    /// The sensor that a device object stands for.
    func sensor(_ path: String) -> FakeSensor? {
        devices[path].flatMap { sensors[$0.address] }
    }

    /// The device whose object, or part of it, is at a path.
    func device(owning path: String) -> FakeDevice? {
        devices.values.first { path == $0.path || path.hasPrefix($0.path + "/") }
    }

    func adapter(at path: String) -> FakeAdapter? {
        adapters.first { $0.path == path }
    }

    /// A characteristic that is an object on the bus.
    func characteristic(at path: String) -> FakeCharacteristic? {
        guard let device = device(owning: path), device.isExported,
            let sensor = sensors[device.address]
        else { return nil }
        return device.attributes(of: sensor).first { $0.path == path }?.characteristic
    }

    /// The paths of a device's characteristics of a number.
    func paths(of uuid: String, in path: String) -> [String] {
        guard let device = devices[path], let sensor = sensors[device.address] else { return [] }
        return device.attributes(of: sensor)
            .filter { $0.characteristic?.uuid == uuid }.map(\.path)
    }

    /// Every object with its interfaces, in the order of GetManagedObjects.
    var objects: [(path: String, interfaces: [(String, [(String, BusValue)])])] {
        let manager: (String, [(String, [(String, BusValue)])]) = (
            "/org/bluez", [("org.bluez.AgentManager1", []), ("org.bluez.ProfileManager1", [])]
        )
        return (isShown ? [manager] : [])
            + adapters.flatMap { adapter in
                [(adapter.path, interfaces(of: adapter))]
                    + devices.values.filter { $0.adapter == adapter.path }
                    .sorted { $0.path < $1.path }.flatMap(objects(of:))
            }
    }

    func interfaces(of adapter: FakeAdapter) -> [(String, [(String, BusValue)])] {
        [("org.bluez.Adapter1", adapter.properties), ("org.bluez.GattManager1", [])]
    }

    private func objects(
        of device: FakeDevice
    ) -> [(path: String, interfaces: [(String, [(String, BusValue)])])] {
        guard let sensor = sensors[device.address] else { return [] }
        let attributes = device.isExported ? device.attributes(of: sensor) : []
        return [(device.path, interfaces(of: device, sensor))]
            + attributes.map { ($0.path, [($0.interface, $0.properties)]) }
    }

    private func interfaces(
        of device: FakeDevice, _ sensor: FakeSensor
    ) -> [(String, [(String, BusValue)])] {
        let head = [("org.bluez.Device1", device.properties(of: sensor))]
        guard device.hasBatteryObject, let battery = sensor.battery else { return head }
        return head + [("org.bluez.Battery1", [("Percentage", .byte(battery))])]
    }

    /// Makes an object of a sensor under an adapter, unless there is one.
    @discardableResult
    mutating func know(_ address: String, under adapter: FakeAdapter) -> String {
        let path = FakeDevice.path(address, under: adapter.path)
        guard devices[path] == nil, let sensor = sensors[address] else { return path }
        var device =
            stored[Bond(adapter: adapter.address, device: address)]?.moved(to: path, adapter.path)
            ?? FakeDevice(path: path, adapter: adapter.path, address: address)
        if !adapter.discoverers.isEmpty, sensor.isAwake { device.rssi = -50 }
        devices[path] = device
        added(path, [("org.bluez.Device1", device.properties(of: sensor))])
        return path
    }

    /// Makes a sensor known as one that was paired or trusted, and connected, before.
    mutating func introduce(
        _ address: String, _ isPaired: Bool, _ isTrusted: Bool, _ isExported: Bool
    ) {
        for adapter in adapters {
            let path = FakeDevice.path(address, under: adapter.path)
            var device = FakeDevice(path: path, adapter: adapter.path, address: address)
            device.isPaired = isPaired
            device.isTrusted = isTrusted
            device.isTemporary = false
            device.wasConnected = true
            stored[Bond(adapter: adapter.address, device: address)] = device
            know(address, under: adapter)
            if isExported { export(path) }
            refreshProfiles(of: path)
        }
    }

    /// Removes the objects of a device.
    mutating func forget(_ path: String) {
        guard devices[path] != nil else { return }
        removeAttributes(of: path)
        removed(path, Self.always + ["org.bluez.Device1"])
        devices[path] = nil
        endSessions(under: path)
    }

    /// Removes the objects of a device's services.
    mutating func removeAttributes(of path: String) {
        guard let device = devices[path], device.isExported, let sensor = sensor(path) else {
            return
        }
        for attribute in device.attributes(of: sensor).reversed() {
            removed(attribute.path, Self.always + [attribute.interface])
        }
        devices[path]?.isExported = false
    }

    /// The interfaces that bluetoothd's library adds to every object.
    static let always = [
        "org.freedesktop.DBus.Properties", "org.freedesktop.DBus.Introspectable",
    ]

    /// Keeps on the disk what bluetoothd keeps there.
    mutating func store() {
        for device in devices.values where !device.isTemporary {
            guard let adapter = adapter(at: device.adapter) else { continue }
            stored[Bond(adapter: adapter.address, device: device.address)] = device
        }
    }
}

extension FakeDevice {
    /// What is left of a device after its adapter or bluetoothd has gone.
    func moved(to path: String, _ adapter: String) -> FakeDevice {
        var device = FakeDevice(path: path, adapter: adapter, address: address)
        device.isPaired = isPaired
        device.isTrusted = isTrusted
        device.isTemporary = isTemporary
        device.wasConnected = wasConnected
        device.connectsByItself = connectsByItself
        return device
    }
}
