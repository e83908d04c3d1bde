import DBus

/// Connecting, pairing and removing at a client's wish.
extension World {
    mutating func connect(_ call: BusMessage, _ path: String) {
        guard let device = devices[path] else { return unknownObject(call) }
        guard adapter(at: device.adapter)?.isPowered == true else {
            return fail(call, "Failed", "Input/output error")
        }
        guard waiting[path] == nil else {
            return fail(call, "Failed", "Operation already in progress")
        }
        devices[path]?.isTemporary = false
        guard !device.isConnected else { return reply(to: call) }
        wait(call, path, or: ("Failed", "le-connection-abort-by-local"))
        if canConnect(device) {
            after(pace.advertising) { world in
                if let device = world.devices[path], world.canConnect(device) { world.linkUp(path) }
            }
        }
    }

    private mutating func wait(_ call: BusMessage, _ path: String, or error: (String, String)) {
        waiting[path] = call
        after(pace.connecting) { world in
            guard world.waiting[path]?.serial == call.serial else { return }
            world.waiting[path] = nil
            world.fail(call, error.0, error.1)
        }
    }

    mutating func disconnect(_ call: BusMessage, _ path: String) {
        guard let device = devices[path] else { return unknownObject(call) }
        if let attempt = waiting.removeValue(forKey: path) {
            fail(attempt, "Failed", "br-connection-canceled")
        }
        if !device.isTrusted { devices[path]?.connectsByItself = false }
        guard device.isConnected else { return reply(to: call) }
        devices[path]?.isDisconnecting = true
        dropBattery(path)
        after(pace.disconnecting) { world in
            world.devices[path]?.isDisconnecting = false
            world.linkDown(path, separately: true)
            world.reply(to: call)
        }
    }

    mutating func removeDevice(_ call: BusMessage) {
        guard let path = call.body.first?.text, let device = devices[path] else {
            return fail(call, "DoesNotExist", "Does Not Exist")
        }
        if let adapter = adapter(at: device.adapter) {
            stored[Bond(adapter: adapter.address, device: device.address)] = nil
        }
        devices[path]?.connectsByItself = false
        linkDown(path, separately: true)
        reply(to: call)
        forget(path)
    }
}

extension World {
    mutating func pair(_ call: BusMessage, _ path: String) {
        guard let device = devices[path], let sensor = sensor(path) else {
            return unknownObject(call)
        }
        // On a device that is paired already bluetoothd 5.66 was seen to answer never.
        guard !device.isPaired else { return }
        guard waiting[path] == nil else { return fail(call, "InProgress", "In Progress") }
        guard canConnect(device) || device.isConnected else {
            return fail(call, "ConnectionAttemptFailed", "Page Timeout")
        }
        devices[path]?.isTemporary = false
        waiting[path] = call
        if !device.isConnected { linkUp(path) }
        switch sensor.pairing {
        case .justWorks: bond(path, call)
        case .refused, .impossible: refuseBond(path)
        case .display(let number):
            ask(path, call, "RequestPasskey") { $0.first?.integer == Int(number) }
        case .pin(let pin): ask(path, call, "RequestPinCode") { $0.first?.text == pin }
        case .compare(let number):
            ask(path, call, "RequestConfirmation", .uint32(number)) { _ in true }
        case .keyboard(let number):
            ask(path, call, "DisplayPasskey", .uint32(number), .uint16(0)) { _ in true }
        }
    }

    /// Asks the agent of the client that wants to pair.
    private mutating func ask(
        _ path: String, _ call: BusMessage, _ member: String, _ arguments: BusValue...,
        isRight: @escaping ([BusValue]) -> Bool
    ) {
        guard let client = call.sender, let agent = agents[client] else { return refuseBond(path) }
        let question = BusMessage.call(
            to: client, path: agent.path, interface: "org.bluez.Agent1", member: member,
            [.objectPath(path)] + arguments)
        outbox.append(
            .call(question) { world, answer in
                guard world.waiting[path]?.serial == call.serial else { return }
                guard answer.kind == .reply, isRight(answer.body) else {
                    return world.refuseBond(path, hangsUp: answer.kind == .reply)
                }
                world.bond(path, call)
            })
        after(pace.thinking) { world in world.stopAsking(path, call, agent) }
    }

    private mutating func stopAsking(_ path: String, _ call: BusMessage, _ agent: Agent) {
        guard let client = call.sender, waiting[path]?.serial == call.serial else { return }
        waiting[path] = nil
        var cancel = BusMessage.call(
            to: client, path: agent.path, interface: "org.bluez.Agent1", member: "Cancel")
        cancel.isReplyUnwanted = true
        send(cancel)
        fail(call, "AuthenticationCanceled", "Authentication Canceled")
        linkDown(path)
    }

    private mutating func bond(_ path: String, _ call: BusMessage) {
        guard agents[call.sender ?? ""] != nil else { return refuseBond(path) }
        waiting[path] = nil
        devices[path]?.isPaired = true
        if let address = devices[path]?.address { sensors[address]?.hasForgottenBond = false }
        changed(
            path, "org.bluez.Device1", [("Bonded", .boolean(true)), ("Paired", .boolean(true))])
        reply(to: call)
        refreshProfiles(of: path)
        guard sensor(path)?.hangsUpAfterPairing == true else { return }
        next(path) { $0.fallAsleep(path) }
    }

    mutating func fallAsleep(_ path: String) {
        if let address = devices[path]?.address { sensors[address]?.isAwake = false }
        linkDown(path)
    }

    private mutating func refuseBond(_ path: String, hangsUp: Bool = false) {
        let call = waiting.removeValue(forKey: path)
        fail(call, "AuthenticationFailed", "Authentication Failed")
        if hangsUp { linkDown(path) }
    }

    mutating func cancelPairing(_ call: BusMessage, _ path: String) {
        guard let attempt = waiting.removeValue(forKey: path) else {
            return fail(call, "DoesNotExist", "Does Not Exist")
        }
        fail(attempt, "AuthenticationCanceled", "Authentication Canceled")
        reply(to: call)
        linkDown(path)
    }
}
