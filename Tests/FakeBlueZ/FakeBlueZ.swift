import DBus
import DaemonHarness

/// An org.bluez on a private bus that behaves as bluetoothd 5.66 was seen to behave.
///
/// It runs on a thread of its own. What it does by itself (links that come up, sensors that hand out
/// what they have stored) takes milliseconds; `Pace` says how many.
package final class FakeBlueZ {
    /// The path of the adapter that it starts with.
    package static let adapter = "/org/bluez/hci0"
    private let bus: PrivateBus
    let loop = FakeBlueZLoop()

    /// Starts a bluetoothd with one adapter, which is on, and these sensors in the room, all asleep.
    ///
    /// - Throws: An error if the bus cannot be reached.
    package init(on bus: PrivateBus, _ sensors: FakeSensor...) throws {
        self.bus = bus
        try loop.start()
        loop.change { world in
            world.adapters = [FakeAdapter(name: "hci0", address: "00:AA:01:00:00:01")]
            for sensor in sensors { world.sensors[sensor.address] = sensor }
        }
        try start()
    }

    deinit { loop.end() }
}

/// The process and its adapters.
extension FakeBlueZ {
    /// Starts bluetoothd after `kill` or `terminate`: it owns its name when this returns.
    package func start() throws { try loop.appear(on: bus) }

    /// Ends bluetoothd at once: the bus says nothing but that its name has no owner.
    package func kill() { loop.vanish() }

    /// Ends bluetoothd in order: everything is taken off the bus before the name.
    package func terminate() {
        loop.change { $0.terminate() }
        loop.vanish()
    }

    /// Lets bluetoothd keep its name and answer nothing.
    package func hang() { loop.setHanging(true) }

    /// Lets bluetoothd go on, with answers to what came meanwhile.
    package func goOn() { loop.setHanging(false) }

    /// Pulls an adapter out.
    package func unplug(_ name: String = "hci0") { loop.change { $0.unplug(name) } }

    /// Puts an adapter in.
    package func plug(
        _ name: String = "hci0", address: String = "00:AA:01:00:00:01", isPowered: Bool = true
    ) {
        loop.change {
            $0.plug(FakeAdapter(name: name, address: address, isPowered: isPowered))
        }
    }

    /// Gives an adapter another address.
    package func setAddress(_ address: String, of name: String) {
        loop.change { $0.setAddress(address, of: name) }
    }

    /// Switches an adapter on or off, as another program does.
    package func setPowered(_ isOn: Bool, _ path: String = adapter) {
        loop.change { $0.setPowered(isOn, path) }
    }

    /// Has the kernel block the radio, or not.
    package func setBlocked(_ isBlocked: Bool) {
        loop.change { world in
            for place in world.adapters.indices { world.adapters[place].isBlocked = isBlocked }
            for path in world.adapters.map(\.path) { world.setPowered(!isBlocked, path) }
        }
    }

    /// Lets another program look for devices, or stop it.
    package func setDiscovering(_ isOn: Bool, by client: String = ":9.9") {
        loop.change { $0.setDiscovering(isOn, Self.adapter, by: client) }
    }

    /// Says how the host's clock is, as systemd-timedated does.
    package func setHostClock(isSynchronised: Bool) {
        loop.change { $0.isClockSynchronised = isSynchronised }
        loop.ownClock()
    }

    /// Leaves out properties that an older bluetoothd does not have.
    package func omit(_ properties: String...) {
        loop.change { $0.omitted = Set(properties) }
    }

    /// Makes a sensor known in the middle of the next GetManagedObjects.
    package func surprise(with address: String) {
        loop.change { $0.surprises.append(address) }
    }

    /// Says how long things take.
    package func setPace(_ change: (inout Pace) -> Void) {
        loop.change { change(&$0.pace) }
    }
}

/// The sensors.
extension FakeBlueZ {
    /// The path of a sensor's object.
    package func path(_ address: String, under adapter: String = adapter) -> String {
        FakeDevice.path(address, under: adapter)
    }

    /// The path of a characteristic of a sensor; the first of its number.
    package func path(of uuid: String, in address: String, under adapter: String = adapter)
        -> String
    {
        loop.change { $0.paths(of: uuid, in: path(address, under: adapter)).first ?? "" }
    }

    /// Puts another sensor into the room.
    package func add(_ sensor: FakeSensor) {
        loop.change { $0.sensors[sensor.address] = sensor }
    }

    /// Changes how a sensor behaves.
    package func change(_ address: String, _ body: (inout FakeSensor) -> Void) {
        loop.change { world in
            guard var sensor = world.sensors[address] else { return }
            body(&sensor)
            world.sensors[address] = sensor
        }
    }

    /// What a sensor is like now.
    package func sensor(_ address: String) -> FakeSensor? {
        loop.change { $0.sensors[address] }
    }

    /// Makes a sensor known to bluetoothd as one that was there before; paired, or trusted only.
    package func know(
        _ address: String, isPaired: Bool = true, isTrusted: Bool = false, isExported: Bool = false
    ) {
        loop.change { $0.introduce(address, isPaired, isTrusted, isExported) }
    }

    /// Makes a sensor known under an adapter as one that was only heard.
    package func show(_ address: String, under adapter: String = adapter) {
        loop.change { world in
            guard let place = world.adapter(at: adapter) else { return }
            world.know(address, under: place)
        }
    }

    /// Wakes a sensor: it advertises, and is connected to if the kernel or a caller wants it.
    package func wake(_ address: String) {
        loop.change { world in
            world.sensors[address]?.isAwake = true
            world.hear(address)
            world.connectWhoWaits()
            world.connectByItself()
        }
    }

    /// Brings the link to a sensor up that is awake, as another program's Connect does.
    package func connect(_ address: String) {
        loop.change { world in
            for device in world.devices.values
            where device.address == address && world.canConnect(device) {
                world.linkUp(device.path)
            }
        }
    }

    /// Lets a sensor hang up and sleep.
    package func sleep(_ address: String) {
        loop.change { world in
            world.sensors[address]?.isAwake = false
            for device in world.devices.values where device.address == address {
                world.linkDown(device.path)
            }
        }
    }

    /// Lets the link to a sensor break; it goes on advertising.
    ///
    /// - Parameters:
    ///   - address: The sensor's.
    ///   - reason: What a newer bluetoothd says first, such as `org.bluez.Reason.Timeout`.
    package func drop(_ address: String, reason: String? = nil) {
        loop.change { world in
            for device in world.devices.values where device.address == address {
                if let reason {
                    world.send(
                        .signal(
                            path: device.path, interface: "org.bluez.Device1",
                            member: "Disconnected", [.string(reason), .string("")]))
                }
                world.linkDown(device.path)
            }
        }
    }

    /// Lets a sensor send a value.
    ///
    /// - Parameters:
    ///   - value: The octets.
    ///   - uuid: The number of the characteristic.
    ///   - address: The sensor's.
    ///   - place: Which of several characteristics of a number, in the order of handles.
    /// - Returns: False if it is not subscribed to, or nobody on the bus gets it.
    @discardableResult
    package func send(
        _ value: [UInt8], of uuid: String, from address: String, place: Int = 0
    ) -> Bool {
        loop.change { world in
            let device = world.devices.values.first { $0.address == address && $0.isConnected }
            guard let device else { return false }
            let paths = world.paths(of: uuid, in: device.path)
            guard paths.indices.contains(place), device.armed.contains(paths[place]) else {
                return false
            }
            return world.value(value, at: paths[place])
        }
    }

    /// Changes a sensor's battery, in percent.
    package func setBattery(_ percent: UInt8, of address: String) {
        loop.change { world in
            world.sensors[address]?.battery = percent
            for device in world.devices.values
            where device.address == address && device.hasBatteryObject {
                world.changed(device.path, "org.bluez.Battery1", [("Percentage", .byte(percent))])
            }
        }
    }

    /// Takes the objects of a connected sensor's services away, and shows them anew.
    package func renewServices(_ address: String) {
        loop.change { world in
            for device in world.devices.values where device.address == address {
                world.removeAttributes(of: device.path)
                world.endSessions(under: device.path)
                world.devices[device.path]?.armed = []
                world.devices[device.path]?.notifying = []
                world.export(device.path)
            }
        }
    }

    /// Removes a device as `bluetoothctl remove` does.
    package func remove(_ address: String) {
        loop.change { world in
            var call = BusMessage(.call)
            call.body = [.objectPath(path(address))]
            call.isReplyUnwanted = true
            world.removeDevice(call)
        }
    }
}
