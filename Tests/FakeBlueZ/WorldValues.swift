import DBus

/// Subscriptions and values.
extension World {
    /// Writes the subscriptions that stand to a sensor that has just been connected to.
    mutating func rearm(_ path: String) {
        guard let sensor = sensor(path), let device = devices[path] else { return }
        if sensor.push == .afterEncryption, device.isPaired { pushAll(path) }
        guard device.isExported, sensor.resolution != .stuck else { return }
        for attribute in device.attributes(of: sensor) where hasSession(attribute.path) {
            guard !refuses(attribute, path) else {
                // The session is lost, and nothing on the bus says so.
                sessions = sessions.filter { $0.path != attribute.path }
                continue
            }
            arm(attribute.path, path)
        }
    }

    func hasSession(_ path: String) -> Bool {
        sessions.contains { $0.path == path }
    }

    /// Forgets who subscribed to the characteristics of a device.
    mutating func endSessions(under device: String) {
        sessions = sessions.filter { !$0.path.hasPrefix(device + "/") }
    }

    private mutating func refuses(_ attribute: FakeAttribute, _ path: String) -> Bool {
        guard let uuid = attribute.characteristic?.uuid, let address = devices[path]?.address
        else { return false }
        return refusal(of: uuid, address) != nil
    }

    /// The ATT error with which a sensor refuses a subscription now.
    private mutating func refusal(of uuid: String, _ address: String) -> UInt8? {
        guard let refusal = sensors[address]?.refusals[uuid], refusal.times > 0 else { return nil }
        sensors[address]?.refusals[uuid]?.times -= 1
        return refusal.code
    }

    private mutating func arm(_ characteristic: String, _ path: String) {
        devices[path]?.armed.insert(characteristic)
        if devices[path]?.notifying.insert(characteristic).inserted == true {
            changed(
                characteristic, "org.bluez.GattCharacteristic1", [("Notifying", .boolean(true))])
        }
        guard let sensor = sensor(path), sensor.push == .afterArming,
            let uuid = self.characteristic(at: characteristic)?.uuid
        else { return }
        push(path) { $0 == uuid }
    }

    private mutating func pushAll(_ path: String) {
        push(path) { _ in true }
    }

    /// Hands out what is stored; bluetoothd confirms it whether or not somebody listens.
    private mutating func push(_ path: String, where isWanted: (String) -> Bool) {
        guard let address = devices[path]?.address, let queue = sensors[address]?.queue else {
            return
        }
        for entry in queue where isWanted(entry.characteristic) {
            if !value(entry.value, of: entry.characteristic, path) { sensors[address]?.lost += 1 }
        }
        sensors[address]?.queue.removeAll { isWanted($0.characteristic) }
        if devices[path]?.isResolved == true { hangUpIfDone(path) }
    }

    /// Lets a sensor that has nothing left hang up.
    mutating func hangUpIfDone(_ path: String) {
        guard let sensor = sensor(path), sensor.hangsUpWhenEmpty, sensor.queue.isEmpty else {
            return
        }
        next(path) { $0.fallAsleep(path) }
    }

    /// A value that a sensor sends by its first characteristic of a number; false if nobody gets it.
    mutating func value(_ value: [UInt8], of uuid: String, _ path: String) -> Bool {
        guard devices[path]?.isExported == true, let first = paths(of: uuid, in: path).first
        else { return false }
        return self.value(value, at: first)
    }

    /// A value that a sensor sends; false if nobody on the bus gets it.
    mutating func value(_ value: [UInt8], at characteristic: String) -> Bool {
        guard hasSession(characteristic) else { return false }
        changed(
            characteristic, "org.bluez.GattCharacteristic1", [("Value", .octets(value))])
        return true
    }
}

extension World {
    mutating func startNotify(_ call: BusMessage, _ path: String) {
        guard let device = device(owning: path), let uuid = characteristic(at: path)?.uuid else {
            return unknownObject(call)
        }
        let session = Session(client: call.sender ?? "", path: path)
        let isNew = !sessions.contains(session)
        guard !device.isDisconnecting else { return fail(call, "NotConnected", "Not Connected") }
        guard device.isConnected else {
            sessions.insert(session)
            return isNew ? reply(to: call) : fail(call, "InProgress", "In Progress")
        }
        if isNew, sensors[device.address]?.resolution != .stuck,
            let code = refusal(of: uuid, device.address)
        {
            return refuse(call, code)
        }
        sessions.insert(session)
        if sensors[device.address]?.resolution != .stuck { arm(path, device.path) }
        reply(to: call)
    }

    private mutating func refuse(_ call: BusMessage, _ code: UInt8) {
        switch code {
        case 0x0F: fail(call, "NotPermitted", "Not paired")
        case 0x03: fail(call, "NotPermitted", "Write not permitted")
        default: failWithATT(call, code)
        }
    }

    mutating func failWithATT(_ call: BusMessage, _ code: UInt8) {
        let hex = (code < 16 ? "0" : "") + String(code, radix: 16)
        fail(call, "Failed", "Operation failed with ATT error: 0x\(hex)")
    }

    mutating func stopNotify(_ call: BusMessage, _ path: String) {
        let session = Session(client: call.sender ?? "", path: path)
        guard sessions.remove(session) != nil else {
            return fail(call, "Failed", "No notify session started")
        }
        if !hasSession(path), let device = device(owning: path) {
            devices[device.path]?.armed.remove(path)
            devices[device.path]?.notifying.remove(path)
            changed(path, "org.bluez.GattCharacteristic1", [("Notifying", .boolean(false))])
        }
        reply(to: call)
    }

    mutating func readValue(_ call: BusMessage, _ path: String) {
        guard let device = device(owning: path), let characteristic = characteristic(at: path)
        else { return unknownObject(call) }
        guard device.isConnected else { return fail(call, "Failed", "Not connected") }
        guard characteristic.flags.contains("read") else {
            return fail(call, "NotPermitted", "Read not permitted")
        }
        changed(
            path, "org.bluez.GattCharacteristic1", [("Value", .octets(characteristic.value))])
        reply(to: call, .octets(characteristic.value))
    }

    mutating func writeValue(_ call: BusMessage, _ path: String) {
        guard let device = device(owning: path), let characteristic = characteristic(at: path)
        else { return unknownObject(call) }
        guard device.isConnected else { return fail(call, "Failed", "Not connected") }
        guard characteristic.flags.contains("write"), let value = call.body.first?.bytes else {
            return fail(call, "NotSupported", "Operation is not supported")
        }
        guard characteristic.uuid != "2a52" else {
            return control(call, value, path, device.path)
        }
        set(value, of: characteristic.uuid, device.address)
        reply(to: call)
    }

    private mutating func set(_ value: [UInt8], of uuid: String, _ address: String) {
        for service in sensors[address]?.services.indices ?? 0..<0 {
            for place in sensors[address]?.services[service].characteristics.indices ?? 0..<0
            where sensors[address]?.services[service].characteristics[place].uuid == uuid {
                sensors[address]?.services[service].characteristics[place].value = value
            }
        }
    }
}

/// The Record Access Control Point of an oximeter.
///
/// Source: Pulse Oximeter Service 1.0.1, "Record Access Control Point".
extension World {
    private mutating func control(
        _ call: BusMessage, _ request: [UInt8], _ path: String, _ device: String
    ) {
        guard let address = devices[device]?.address, devices[device]?.armed.contains(path) == true
        else { return failWithATT(call, 0xFD) }
        let records = sensors[address]?.records ?? []
        switch request.first {
        case 0x01 where !records.isEmpty:
            for record in records { _ = value(record, of: "2a5e", device) }
            _ = value([0x06, 0x00, 0x01, 0x01], of: "2a52", device)
        case 0x02 where !records.isEmpty:
            sensors[address]?.records = []
            _ = value([0x06, 0x00, 0x02, 0x01], of: "2a52", device)
        case 0x04:
            let count = UInt16(records.count)
            _ = value([0x05, 0x00, UInt8(count & 0xFF), UInt8(count >> 8)], of: "2a52", device)
        case 0x03: _ = value([0x06, 0x00, 0x03, 0x01], of: "2a52", device)
        case let code: _ = value([0x06, 0x00, code ?? 0, 0x06], of: "2a52", device)
        }
        reply(to: call)  // as seen: all of it can come before the reply of the write
    }
}
