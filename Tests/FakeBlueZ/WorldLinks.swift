import DBus

/// Links: the order of what bluetoothd 5.66 was seen to say.
extension World {
    /// Lets the kernel connect to what it shall connect to, and which is awake.
    mutating func connectByItself() {
        for device in devices.values where device.connectsByItself && canConnect(device) {
            let path = device.path
            after(pace.advertising) { world in
                guard let device = world.devices[path], device.connectsByItself,
                    world.canConnect(device)
                else { return }
                world.linkUp(path)
            }
        }
    }

    func canConnect(_ device: FakeDevice) -> Bool {
        let isInUse = devices.values.contains { $0.address == device.address && $0.isConnected }
        return !isInUse && adapter(at: device.adapter)?.isPowered == true
            && sensors[device.address]?.isAwake == true
    }

    /// Connects to what a call of Connect waits for, and which is awake.
    mutating func connectWhoWaits() {
        for (path, call) in waiting where call.member == "Connect" {
            if let device = devices[path], canConnect(device) { linkUp(path) }
        }
    }

    /// Brings a link up: the kernel has it now, and the rest comes step by step.
    mutating func linkUp(_ path: String) {
        guard let sensor = sensor(path) else { return }
        devices[path]?.isConnected = true
        devices[path]?.wasConnected = true
        devices[path]?.link += 1
        if sensor.isFasterThanConnected { rearm(path) }
        if !sensor.hidesConnected {
            changed(path, "org.bluez.Device1", [("Connected", .boolean(true))])
        }
        if let call = waiting[path], call.member == "Connect" {
            waiting[path] = nil
            reply(to: call)
            devices[path]?.isTemporary = false
        }
        guard !(sensor.hasForgottenBond && devices[path]?.isPaired == true) else {
            return next(path) { $0.linkDown(path) }
        }
        next(path) { world in
            if !sensor.isFasterThanConnected { world.rearm(path) }
            world.next(path) { $0.resolve(path) }
        }
    }

    /// Does the next step of a link, if it is still the same.
    mutating func next(_ path: String, _ action: @escaping (inout World) -> Void) {
        let link = devices[path]?.link
        after(pace.step) { world in
            guard world.devices[path]?.link == link else { return }
            action(&world)
        }
    }

    /// Ends service discovery.
    mutating func resolve(_ path: String) {
        guard let sensor = sensor(path), sensor.resolution != .stuck else { return }
        let isNew = devices[path]?.isExported == false && sensor.resolution == .normal
        if isNew, sensor.resolvesLast { export(path) }
        devices[path]?.isResolved = true
        let services = sensor.services.map { BusValue.string(longUUID($0.uuid)) }
        changed(
            path, "org.bluez.Device1",
            isNew
                ? [("UUIDs", .array(of: "s", services)), ("ServicesResolved", .boolean(true))]
                : [("ServicesResolved", .boolean(true))])
        if isNew, !sensor.resolvesLast { export(path) }
        if let battery = sensor.battery, sensor.resolution == .normal {
            devices[path]?.hasBatteryObject = true
            added(path, [("org.bluez.Battery1", [("Percentage", .byte(battery))])])
        }
        refreshProfiles(of: path)
        hangUpIfDone(path)
    }

    /// Shows the objects of a device's services.
    mutating func export(_ path: String) {
        guard let sensor = sensor(path) else { return }
        devices[path]?.isExported = true
        for attribute in devices[path]?.attributes(of: sensor) ?? [] {
            added(attribute.path, [(attribute.interface, attribute.properties)])
        }
    }

    /// Ends a link from the sensor's side, or because the adapter is gone.
    mutating func linkDown(_ path: String, separately: Bool = false) {
        guard let device = devices[path], device.isConnected else { return }
        if sensor(path)?.resolution == .stuck { endSessions(under: path) }
        let resolved: [(String, BusValue)] =
            device.isResolved ? [("ServicesResolved", .boolean(false))] : []
        devices[path]?.isConnected = false
        devices[path]?.isResolved = false
        devices[path]?.armed = []
        devices[path]?.link += 1
        if separately, !resolved.isEmpty { changed(path, "org.bluez.Device1", resolved) }
        changed(
            path, "org.bluez.Device1",
            (separately ? [] : resolved) + [("Connected", .boolean(false))])
        dropBattery(path)
        loseIfUnwanted(path)
        connectByItself()
    }

    mutating func dropBattery(_ path: String) {
        guard devices[path]?.hasBatteryObject == true else { return }
        devices[path]?.hasBatteryObject = false
        removed(path, ["org.bluez.Battery1"])
    }

    /// An unpaired device that is not trusted is forgotten some time after its link.
    private mutating func loseIfUnwanted(_ path: String) {
        guard let device = devices[path], !device.isPaired, !device.isTrusted else { return }
        devices[path]?.isTemporary = true
        devices[path]?.connectsByItself = false
        expire(path)
    }

    /// Forgets a device in a while if nobody has come to want it.
    mutating func expire(_ path: String) {
        after(pace.forgetting) { world in
            guard let device = world.devices[path], device.isTemporary, !device.isConnected else {
                return
            }
            world.forget(path)
        }
    }
}
