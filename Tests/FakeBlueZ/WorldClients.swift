import DBus

/// What clients register, and what becomes of it when they go.
extension World {
    mutating func registerAgent(_ call: BusMessage) {
        guard let client = call.sender, let path = call.body.first?.text else { return }
        guard agents[client] == nil else { return fail(call, "AlreadyExists", "Already Exists") }
        agents[client] = Agent(path: path, capability: call.body.last?.text ?? "")
        reply(to: call)
    }

    /// Asks a client for the objects that it wants to register, as bluetoothd does.
    mutating func registerApplication(_ call: BusMessage) {
        guard let client = call.sender, let path = call.body.first?.text else { return }
        guard profiles[client] == nil else { return fail(call, "AlreadyExists", "Already Exists") }
        let question = BusMessage.call(
            to: client, path: path, interface: "org.freedesktop.DBus.ObjectManager",
            member: "GetManagedObjects")
        outbox.append(
            .call(question) { world, answer in
                let services = profileServices(answer)
                guard !services.isEmpty else {
                    return world.fail(call, "Failed", "No object received")
                }
                world.profiles[client] = services
                world.reply(to: call)
                for path in world.devices.keys { world.refreshProfiles(of: path) }
                world.connectByItself()
            })
    }

    /// Has the kernel connect to a device by itself, if a profile wants it and it is known well enough.
    mutating func refreshProfiles(of path: String) {
        guard let device = devices[path], let sensor = sensor(path) else { return }
        let isKnown = device.isPaired || (device.isTrusted && device.wasConnected)
        let services = Set(sensor.services.map { longUUID($0.uuid) })
        guard isKnown, profiles.values.contains(where: { !$0.isDisjoint(with: services) }) else {
            return
        }
        devices[path]?.connectsByItself = true
    }

    /// What bluetoothd does when a client leaves the bus; the kernel goes on connecting.
    mutating func leave(_ client: String) {
        agents[client] = nil
        profiles[client] = nil
        sessions = sessions.filter { $0.client != client }
        for adapter in adapters where adapter.discoverers.contains(client) {
            stopDiscovery(nil, adapter.path, of: client)
        }
    }
}

/// The services of the GattProfile1 objects in an answer of GetManagedObjects.
private func profileServices(_ answer: BusMessage) -> Set<String> {
    let objects = answer.kind == .reply ? answer.body.first?.entries ?? [] : []
    let interfaces = objects.flatMap { $0.value.entries ?? [] }
        .filter { $0.key.text == "org.bluez.GattProfile1" }
    let properties = interfaces.flatMap { $0.value.entries ?? [] }.filter { $0.key.text == "UUIDs" }
    return Set(
        properties.flatMap { $0.value.elements ?? $0.value.unwrapped.elements ?? [] }
            .compactMap(\.text))
}
