import DBus

/// Calls as they come in.
extension World {
    /// Those of a method so far, on objects whose path has an end.
    func calls(_ member: String, on path: String) -> [ReceivedCall] {
        calls.filter { $0.member == member && $0.path.hasSuffix(path) }
    }

    mutating func handle(_ message: BusMessage) {
        switch message.kind {
        case .call: receive(message)
        case .signal where message.member == "NameOwnerChanged": ownerChanged(message)
        case .signal, .reply, .error: break
        }
    }

    private mutating func ownerChanged(_ signal: BusMessage) {
        guard signal.body.count == 3, signal.body[2].text == "", let name = signal.body[0].text,
            name.hasPrefix(":")
        else { return }
        leave(name)
    }

    private mutating func receive(_ call: BusMessage) {
        calls.append(
            ReceivedCall(
                sender: call.sender ?? "", path: call.path ?? "", interface: call.interface ?? "",
                member: call.member ?? "", arguments: call.body))
        switch fault(of: call)?.outcome {
        case nil: answer(call, call.path ?? "")
        case .fails(let name, let text): fail(call, name, text)
        case .isSilent: break
        case .succeeds: reply(to: call)
        }
    }

    private mutating func fault(of call: BusMessage) -> Fault? {
        guard
            let place = faults.firstIndex(where: {
                $0.member == call.member && (call.path ?? "").hasSuffix($0.path) && $0.times > 0
            })
        else { return nil }
        if faults[place].times < .max { faults[place].times -= 1 }
        return faults[place]
    }

    private mutating func answer(_ call: BusMessage, _ path: String) {
        switch (call.interface ?? "", call.member ?? "") {
        case ("org.freedesktop.DBus.ObjectManager", "GetManagedObjects"): getObjects(call)
        case ("org.freedesktop.DBus.Properties", "Get"): get(call, path)
        case ("org.freedesktop.DBus.Properties", "Set"): set(call, path)
        case ("org.freedesktop.DBus.Peer", "Ping"): reply(to: call)
        case ("org.freedesktop.DBus.Introspectable", "Introspect"): reply(to: call, .string(""))
        case ("org.bluez.AgentManager1", "RegisterAgent") where isShown: registerAgent(call)
        case ("org.bluez.AgentManager1", "UnregisterAgent"):
            agents[call.sender ?? ""] = nil
            reply(to: call)
        case ("org.bluez.GattManager1", "RegisterApplication"): registerApplication(call)
        case ("org.bluez.GattManager1", "UnregisterApplication"):
            profiles[call.sender ?? ""] = nil
            reply(to: call)
        default: answerOfObject(call, path)
        }
    }

    private mutating func answerOfObject(_ call: BusMessage, _ path: String) {
        switch (call.interface ?? "", call.member ?? "") {
        case ("org.bluez.Adapter1", let member) where adapter(at: path) != nil:
            answerOfAdapter(call, member, path)
        case ("org.bluez.Device1", "Connect"): connect(call, path)
        case ("org.bluez.Device1", "Disconnect"): disconnect(call, path)
        case ("org.bluez.Device1", "Pair"): pair(call, path)
        case ("org.bluez.Device1", "CancelPairing"): cancelPairing(call, path)
        case ("org.bluez.GattCharacteristic1", "StartNotify"): startNotify(call, path)
        case ("org.bluez.GattCharacteristic1", "StopNotify"): stopNotify(call, path)
        case ("org.bluez.GattCharacteristic1", "ReadValue"): readValue(call, path)
        case ("org.bluez.GattCharacteristic1", "WriteValue"): writeValue(call, path)
        default: unknownObject(call)
        }
    }

    private mutating func answerOfAdapter(_ call: BusMessage, _ member: String, _ path: String) {
        switch member {
        case "StartDiscovery": startDiscovery(call, path)
        case "StopDiscovery": stopDiscovery(call, path, of: call.sender ?? "")
        case "SetDiscoveryFilter": reply(to: call)
        case "RemoveDevice": removeDevice(call)
        default: unknownObject(call)
        }
    }

    mutating func unknownObject(_ call: BusMessage) {
        fail(
            call, "org.freedesktop.DBus.Error.UnknownObject",
            "Method \"\(call.member ?? "")\" on interface \"\(call.interface ?? "")\" doesn't exist"
        )
    }
}

extension World {
    private mutating func getObjects(_ call: BusMessage) {
        let entries = objects.map { object in
            BusValue.Entry(.objectPath(object.path), interfaceDictionary(object.interfaces))
        }
        for address in surprises { introduce(address, true, true, false) }
        surprises = []
        reply(to: call, .dictionary(key: "o", value: "a{sa{sv}}", entries))
    }

    private mutating func get(_ call: BusMessage, _ path: String) {
        if call.body.first?.text == "org.freedesktop.timedate1" {
            return reply(to: call, .variant(.boolean(isClockSynchronised == true)))
        }
        let found = objects.first { $0.path == path }?.interfaces
            .first { $0.0 == call.body.first?.text }?.1
            .first { $0.0 == call.body.last?.text }
        guard let found else {
            return fail(call, "org.freedesktop.DBus.Error.InvalidArgs", "No such property")
        }
        reply(to: call, .variant(found.1))
    }

    private mutating func set(_ call: BusMessage, _ path: String) {
        let value = call.body.last?.bool ?? false
        switch call.body.dropFirst().first?.text {
        case "Powered" where adapter(at: path) != nil: setPowered(value, path, call)
        case "Trusted" where devices[path] != nil: setTrusted(value, path, call)
        default: unknownObject(call)
        }
    }

    private mutating func setTrusted(_ isTrusted: Bool, _ path: String, _ call: BusMessage) {
        if devices[path]?.isTrusted != isTrusted {
            devices[path]?.isTrusted = isTrusted
            if isTrusted { devices[path]?.isTemporary = false }
            changed(path, "org.bluez.Device1", [("Trusted", .boolean(isTrusted))])
        }
        reply(to: call)
    }
}
