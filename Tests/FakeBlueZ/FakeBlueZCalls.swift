package import DBus
import DaemonHarness

/// What clients call, and what they are told.
extension FakeBlueZ {
    /// The calls of a method so far, on objects whose path has an end.
    package func calls(_ member: String, on path: String = "") -> [ReceivedCall] {
        loop.change { $0.calls(member, on: path) }
    }

    /// The calls of any method so far, in their order.
    package var allCalls: [ReceivedCall] { loop.change { $0.calls } }

    /// How many calls of any method came so far.
    package var callCount: Int { allCalls.count }

    /// Forgets the calls so far.
    package func forgetCalls() { loop.change { $0.calls = [] } }

    /// Waits for a call of a method; with `count` for so many since the last `forgetCalls`.
    ///
    /// - Throws: An error if they do not come.
    @discardableResult
    package func waitForCall(
        _ member: String, on path: String = "", count: Int = 1
    ) throws -> ReceivedCall {
        try loop.wait(for: "\(member) \(path) × \(count)") { world in
            let calls = world.calls(member, on: path)
            return calls.count >= count ? calls[count - 1] : nil
        }
    }

    /// Has calls go wrong.
    package func setFault(_ fault: Fault) { loop.change { $0.faults.append(fault) } }

    /// Lets everything go right again.
    package func clearFaults() { loop.change { $0.faults = [] } }

    /// Waits until a sensor is subscribed to on a link.
    ///
    /// - Parameters:
    ///   - uuid: The number of the characteristic.
    ///   - address: The sensor's.
    ///   - place: Which of several characteristics of a number, in the order of handles.
    /// - Throws: An error if that does not come.
    package func waitUntilArmed(_ uuid: String, of address: String, place: Int = 0) throws {
        try wait(uuid, of: address) { world, device, path in
            world.hasSession(path) && device.armed.contains(path)
                && world.paths(of: uuid, in: device.path).firstIndex(of: path) == place
        }
    }

    /// Waits until a sensor without a link would be subscribed to on its next one.
    ///
    /// - Throws: An error if that does not come.
    package func waitUntilStanding(_ uuid: String, of address: String) throws {
        try wait(uuid, of: address) { world, device, path in
            world.hasSession(path) && !device.isConnected
        }
    }

    private func wait(
        _ uuid: String, of address: String, until isSo: (World, FakeDevice, String) -> Bool
    ) throws {
        try loop.wait(for: "\(uuid) of \(address)") { world in
            let devices = world.devices.values.filter { $0.address == address }
            let isFound = devices.contains { device in
                world.paths(of: uuid, in: device.path).contains { isSo(world, device, $0) }
            }
            return isFound ? () : nil
        }
    }

    /// Waits until a client's profile has its devices connected by themselves.
    ///
    /// - Throws: An error if that does not come.
    package func waitUntilRegistered() throws {
        try loop.wait(for: "RegisterApplication") { $0.profiles.isEmpty ? nil : () }
    }

    /// Waits until a sensor's link is up, or down.
    ///
    /// - Throws: An error if that does not come.
    package func waitUntilConnected(_ address: String, _ isConnected: Bool = true) throws {
        try loop.wait(for: "\(address) connected: \(isConnected)") { world in
            let devices = world.devices.values.filter { $0.address == address }
            return devices.contains { $0.isConnected } == isConnected ? () : nil
        }
    }

    /// Waits until a sensor has handed out all that it had stored.
    ///
    /// - Throws: An error if it does not.
    package func waitUntilEmpty(_ address: String) throws {
        try loop.wait(for: "\(address) empty") {
            $0.sensors[address]?.queue.isEmpty == true ? () : nil
        }
    }

    /// Waits until a characteristic of a sensor was read.
    ///
    /// - Throws: An error if that does not come.
    package func waitUntilRead(_ uuid: String, of address: String) throws {
        try waitForCall("ReadValue", on: path(of: uuid, in: address))
    }

    /// How often a sensor's Record Access Control Point was written.
    package func controlPointWrites(_ address: String) -> Int {
        calls("WriteValue", on: path(of: "2a52", in: address)).count
    }

    /// Says something as bluetoothd does.
    package func say(_ message: BusMessage) { loop.change { $0.send(message) } }

    /// Calls an object of a client, and waits for its answer.
    ///
    /// - Throws: An error if none comes.
    package func ask(
        _ client: String, path: String, interface: String, member: String, _ arguments: [BusValue]
    ) throws -> BusMessage {
        let question = BusMessage.call(
            to: client, path: path, interface: interface, member: member, arguments)
        return try loop.ask(question)
    }

    /// The agents: whose they are, their paths and what they can do.
    package var agents: [(client: String, path: String, capability: String)] {
        loop.change { $0.agents.map { ($0.key, $0.value.path, $0.value.capability) } }
    }

    /// Whether a device is trusted; nil if it is not known.
    package func isTrusted(_ address: String) -> Bool? {
        loop.change { $0.devices[path(address)]?.isTrusted }
    }

    /// Whether the kernel connects to a device by itself.
    package func connectsByItself(_ address: String) -> Bool {
        loop.change { $0.devices[path(address)]?.connectsByItself == true }
    }
}
