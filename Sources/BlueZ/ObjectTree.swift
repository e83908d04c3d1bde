package import DBus
package import Measurements

/// bluetoothd's objects as it last described them: adapters, devices, services, characteristics.
///
/// Every property is optional, as they come and go with BlueZ's versions. Values of characteristics
/// are not kept: a value is an event.
/// Source: BlueZ, doc/org.bluez.*.rst; D-Bus Specification, org.freedesktop.DBus.ObjectManager.
package struct ObjectTree: Equatable, Sendable {
    /// Devices beyond this many are not taken in unless paired or trusted.
    ///
    /// A busy ward shows some hundred while anybody searches, and phones change their addresses.
    package static let deviceLimit = 1024
    /// Characteristics of one device; a sensor with every service known here has fewer than 60.
    package static let characteristicLimit = 128
    /// Adapters; a host with this many has a radio in every socket.
    package static let adapterLimit = 16

    /// By path; those without an address are not real yet.
    package private(set) var adapters: [String: AdapterObject] = [:]
    /// By path.
    package private(set) var devices: [String: DeviceObject] = [:]
    /// By path.
    package private(set) var characteristics: [String: CharacteristicObject] = [:]
    /// Whether bluetoothd is ready to have an agent registered.
    package private(set) var hasAgentManager = false
    private var services: [String: BluetoothUUID] = [:]

    /// A tree without any object.
    package init() {}

    /// The device objects of this address, one an adapter, by path.
    package func devices(at address: DeviceAddress) -> [DeviceObject] {
        devices.values.filter { $0.address == address }.sorted { $0.path < $1.path }
    }

    /// The characteristics of the device at this path, by handle.
    package func characteristics(of device: String) -> [CharacteristicObject] {
        (devices[device]?.characteristics ?? []).compactMap { characteristics[$0] }
    }

    /// Takes a signal of bluetoothd in; those about anything else change nothing.
    package mutating func apply(_ signal: BusMessage) -> [TreeChange] {
        switch signal.member {
        case "PropertiesChanged": propertiesChanged(signal)
        case "InterfacesAdded": added(signal.body.first?.text, signal.body.dropFirst().first)
        case "InterfacesRemoved": removed(signal.body.first?.text, signal.body.dropFirst().first)
        case "Disconnected": disconnected(signal)
        default: []
        }
    }

    /// Takes the answer of GetManagedObjects in, and says what is different from before.
    package mutating func replace(managed: BusValue) -> [TreeChange] {
        let before = self
        self = ObjectTree()
        let objects = (managed.entries ?? []).map { (path: $0.key.text ?? "", $0.value) }
            .sorted { $0.path < $1.path }
        let changes = objects.flatMap { added($0.path, $0.1) }
        return removals(since: before) + changes.flatMap { differences(of: $0, since: before) }
    }
}

// MARK: - Signals

extension ObjectTree {
    private mutating func propertiesChanged(_ signal: BusMessage) -> [TreeChange] {
        guard let path = signal.path, signal.body.count >= 2 else { return [] }
        let entries = signal.body[1].entries ?? []
        switch signal.body[0].text {
        case BlueZNames.characteristic: return valueChanged(path, entries)
        case BlueZNames.device:
            let invalidated = signal.body.dropFirst(2).first?.elements ?? []
            return deviceChanged(path, entries, invalidated: invalidated.compactMap(\.text))
        case BlueZNames.adapter: return adapterChanged(path, entries)
        case BlueZNames.battery: return batteryChanged(path, entries)
        default: return []
        }
    }

    /// Comes with each packet, so it looks at the path alone before anything else.
    private func valueChanged(_ path: String, _ entries: [BusValue.Entry]) -> [TreeChange] {
        guard characteristics[path] != nil,
            let octets = entries.first(where: { $0.key == .string("Value") })?.value.bytes
        else { return [] }
        return [.value(path: path, octets)]
    }

    private mutating func deviceChanged(
        _ path: String, _ entries: [BusValue.Entry], invalidated: [String]
    ) -> [TreeChange] {
        guard devices[path] != nil else { return [] }
        var named = Set(entries.compactMap { devices[path]?.take($0) ?? nil })
        if invalidated.contains("RSSI") {
            devices[path]?.rssi = nil
            named.insert(.rssi)
        }
        return named.isEmpty ? [] : [.deviceChanged(path: path, named)]
    }

    private mutating func adapterChanged(
        _ path: String, _ entries: [BusValue.Entry]
    ) -> [TreeChange] {
        guard let before = adapters[path] else { return [] }
        let named = Set(entries.compactMap { adapters[path]?.take($0) ?? nil })
        guard !named.isEmpty, adapters[path]?.address != nil else { return [] }
        guard before.address != nil else { return [.adapterAdded(path: path)] }
        return [.adapterChanged(path: path, named)]
    }

    private mutating func batteryChanged(
        _ path: String, _ entries: [BusValue.Entry]
    ) -> [TreeChange] {
        guard devices[path] != nil,
            let percent = entries.first(where: { $0.key == .string("Percentage") })?.value.integer
        else { return [] }
        devices[path]?.battery = percent
        return [.battery(device: path, percent)]
    }

    private func disconnected(_ signal: BusMessage) -> [TreeChange] {
        guard signal.interface == BlueZNames.device, let path = signal.path,
            devices[path] != nil, let reason = signal.body.first?.text
        else { return [] }
        let text = signal.body.dropFirst().first?.text ?? ""
        return [.disconnected(device: path, reason: reason, text: text)]
    }
}

// MARK: - Objects that appear

extension ObjectTree {
    private mutating func added(_ path: String?, _ interfaces: BusValue?) -> [TreeChange] {
        guard let path, path.hasPrefix(BlueZNames.root) else { return [] }
        let entries = interfaces?.entries ?? []
        return (entries.filter(\.isObject) + entries.filter { !$0.isObject }).flatMap {
            addInterface($0.key.text, at: path, $0.value.entries ?? [])
        }
    }

    private mutating func addInterface(
        _ name: String?, at path: String, _ entries: [BusValue.Entry]
    ) -> [TreeChange] {
        switch name {
        case BlueZNames.adapter: addAdapter(path, entries)
        case BlueZNames.gattManager: addGattManager(path)
        case BlueZNames.device: addDevice(path, entries)
        case BlueZNames.battery: batteryChanged(path, entries)
        case BlueZNames.gattService: addService(path, entries)
        case BlueZNames.characteristic: addCharacteristic(path, entries)
        case BlueZNames.agentManager: addAgentManager()
        default: []
        }
    }

    private mutating func addAgentManager() -> [TreeChange] {
        guard !hasAgentManager else { return [] }
        hasAgentManager = true
        return [.agentManagerAdded]
    }

    private mutating func addAdapter(
        _ path: String, _ entries: [BusValue.Entry]
    ) -> [TreeChange] {
        var adapter = adapters[path] ?? AdapterObject(path: path)
        guard adapters[path] != nil || adapters.count < Self.adapterLimit else { return [] }
        for entry in entries { _ = adapter.take(entry) }
        adapters[path] = adapter
        return adapter.address == nil ? [] : [.adapterAdded(path: path)]
    }

    /// GattManager1 may be named before Adapter1 among the interfaces of one object.
    private mutating func addGattManager(_ path: String) -> [TreeChange] {
        guard adapters[path] != nil || adapters.count < Self.adapterLimit else { return [] }
        adapters[path, default: AdapterObject(path: path)].hasGattManager = true
        guard adapters[path]?.address != nil else { return [] }
        return [.adapterChanged(path: path, [.gattManager])]
    }

    private mutating func addDevice(_ path: String, _ entries: [BusValue.Entry]) -> [TreeChange] {
        let text = entries.first { $0.key == .string("Address") }?.value.text
        guard let address = DeviceAddress(text ?? "") else { return [] }
        var device = devices[path] ?? DeviceObject(path: path, address: address)
        for entry in entries { _ = device.take(entry) }
        let isOurs = device.isPaired || device.isTrusted || devices[path] != nil
        guard isOurs || devices.count < Self.deviceLimit else { return [] }
        devices[path] = device
        return [.deviceAdded(path: path)]
    }

    private mutating func addService(_ path: String, _ entries: [BusValue.Entry]) -> [TreeChange] {
        guard let uuid = entries.uuid, let device = devices[parent(of: path)] else { return [] }
        let orphans = device.characteristics.filter { $0.hasPrefix(path + "/") }
        guard services[path] != nil || hasRoomForService(device) else { return [] }
        services[path] = uuid
        for orphan in orphans { characteristics[orphan]?.service = uuid }
        return orphans.map { .characteristicAdded(path: $0) }
    }

    private func hasRoomForService(_ device: DeviceObject) -> Bool {
        services.keys.count { parent(of: $0) == device.path } < Self.characteristicLimit
    }

    private mutating func addCharacteristic(
        _ path: String, _ entries: [BusValue.Entry]
    ) -> [TreeChange] {
        guard let uuid = entries.uuid else { return [] }
        var new = CharacteristicObject(path: path, uuid: uuid, flags: entries.flags)
        new.service = services[parent(of: path)]
        guard let device = devices[new.device] else { return [] }
        let isKnown = characteristics[path] != nil
        guard isKnown || device.characteristics.count < Self.characteristicLimit else { return [] }
        characteristics[path] = new
        if !isKnown { devices[new.device]?.insert(characteristic: path) }
        rank(uuid, of: new.device)
        return [.characteristicAdded(path: path)]
    }

    private mutating func rank(_ uuid: BluetoothUUID, of device: String) {
        let equals = (devices[device]?.characteristics ?? [])
            .filter { characteristics[$0]?.uuid == uuid }
        for (rank, path) in equals.enumerated() { characteristics[path]?.instance = rank }
    }
}

// MARK: - Objects that go

extension ObjectTree {
    private mutating func removed(_ path: String?, _ interfaces: BusValue?) -> [TreeChange] {
        guard let path, path.hasPrefix(BlueZNames.root) else { return [] }
        return (interfaces?.elements ?? []).flatMap { removeInterface($0.text, at: path) }
    }

    private mutating func removeInterface(_ name: String?, at path: String) -> [TreeChange] {
        switch name {
        case BlueZNames.adapter: return removeAdapter(path)
        case BlueZNames.device: return removeDevice(path)
        case BlueZNames.characteristic: return removeCharacteristic(path)
        case BlueZNames.gattManager: adapters[path]?.hasGattManager = false
        case BlueZNames.battery: devices[path]?.battery = nil
        case BlueZNames.gattService: services[path] = nil
        case BlueZNames.agentManager: hasAgentManager = false
        default: break
        }
        return []
    }

    /// Takes what is below an adapter with it: nothing there can be called any more.
    private mutating func removeAdapter(_ path: String) -> [TreeChange] {
        guard let adapter = adapters.removeValue(forKey: path) else { return [] }
        let below = devices.keys.filter { parent(of: $0) == path }.sorted()
        let changes = below.flatMap { removeDevice($0) }
        return adapter.address == nil ? changes : changes + [.adapterRemoved(adapter)]
    }

    private mutating func removeDevice(_ path: String) -> [TreeChange] {
        guard let device = devices[path] else { return [] }
        let changes = device.characteristics.flatMap { removeCharacteristic($0) }
        devices[path] = nil
        for service in services.keys where parent(of: service) == path { services[service] = nil }
        return changes + [.deviceRemoved(device)]
    }

    private mutating func removeCharacteristic(_ path: String) -> [TreeChange] {
        guard let gone = characteristics.removeValue(forKey: path) else { return [] }
        devices[gone.device]?.characteristics.removeAll { $0 == path }
        rank(gone.uuid, of: gone.device)
        return [.characteristicRemoved(gone)]
    }
}
