package import DBus

/// All that the fake bluetoothd knows: messages in, messages out, and what is due later.
struct World {
    /// Whether its own object is on the bus: some time after its name.
    var isShown = false
    var adapters: [FakeAdapter] = []
    /// By path; those of an adapter that is unplugged stay in `stored`.
    var devices: [String: FakeDevice] = [:]
    /// What bluetoothd keeps on the disk of devices, by the adapter's and their own address.
    var stored: [Bond: FakeDevice] = [:]
    /// What is in the room, by address.
    var sensors: [String: FakeSensor] = [:]
    /// Who subscribed to which characteristic.
    var sessions: Set<Session> = []
    /// The agents by the unique names of their owners.
    var agents: [String: Agent] = [:]
    /// The services for which clients want devices connected, by their unique names.
    var profiles: [String: Set<String>] = [:]
    /// Calls of Connect and Pair that wait, by the path of the device.
    var waiting: [String: BusMessage] = [:]
    var pace = Pace()
    var faults: [Fault] = []
    /// Properties that this version of bluetoothd does not have.
    var omitted: Set<String> = []
    /// Sensors that become known between the moment that GetManagedObjects shows and its reply.
    var surprises: [String] = []
    /// Whether the host's clock is right, as systemd-timedated says; nil if it is not on the bus.
    var isClockSynchronised: Bool?
    var calls: [ReceivedCall] = []
    var outbox: [Outgoing] = []
    var plans: [Plan] = []
    var now = ContinuousClock.now

    /// An adapter and a device, whose bond it is.
    struct Bond: Hashable {
        let adapter: String
        let device: String
    }

    /// A client's subscription.
    struct Session: Hashable {
        let client: String
        let path: String
    }

    /// A client's agent.
    struct Agent {
        let path: String
        let capability: String
    }

    /// What is to be sent.
    enum Outgoing {
        case message(BusMessage)
        /// A call of a client's object, and what its answer is good for.
        case call(BusMessage, then: (inout World, BusMessage) -> Void)
    }

    /// What is to happen later.
    struct Plan {
        let due: ContinuousClock.Instant
        let action: (inout World) -> Void
    }
}

/// How long the fake bluetoothd takes; much shorter than the real one by default.
package struct Pace {
    /// Between two steps of a link that comes up.
    package var step = Duration.milliseconds(2)
    /// From a sensor that advertises to its link.
    package var advertising = Duration.milliseconds(5)
    /// What a call of Disconnect takes.
    package var disconnecting = Duration.milliseconds(30)
    /// How long Connect tries.
    package var connecting = Duration.seconds(40)
    /// How long an agent may think.
    package var thinking = Duration.seconds(32)
    /// How long a device that nobody wants is remembered.
    package var forgetting = Duration.seconds(30)
}

/// A call that the fake bluetoothd received.
package struct ReceivedCall {
    package let sender: String
    package let path: String
    package let interface: String
    package let member: String
    package let arguments: [BusValue]
}

/// What goes wrong with calls of a method.
package struct Fault {
    /// What a call that goes wrong comes to.
    package enum Outcome {
        /// An error of org.bluez, by the end of its name, or any by its whole name.
        case fails(String, String)
        /// No answer.
        case isSilent
        /// Success, though nothing was done.
        case succeeds
    }

    package let member: String
    /// The end of the object's path; empty means all.
    package let path: String
    package var times: Int
    package let outcome: Outcome

    /// Calls of a method on a path with this end go wrong so many times.
    package init(
        _ member: String, on path: String = "", times: Int = .max, _ outcome: Outcome
    ) {
        self.member = member
        self.path = path
        self.times = times
        self.outcome = outcome
    }
}

extension World {
    mutating func send(_ message: BusMessage) {
        outbox.append(.message(message))
    }

    mutating func reply(to call: BusMessage?, _ body: BusValue...) {
        guard let call, call.serial != 0 else { return }
        send(call.reply(body))
    }

    mutating func fail(_ call: BusMessage?, _ name: String, _ text: String) {
        guard let call, call.serial != 0 else { return }
        let name = name.contains(".") ? name : "org.bluez.Error.\(name)"
        send(call.failure(BusError(name: name, text: text)))
    }

    /// Has something done after a while.
    mutating func after(_ time: Duration, _ action: @escaping (inout World) -> Void) {
        plans.append(Plan(due: now + time, action: action))
    }

    /// Does what is due, in the order in which it is due.
    mutating func catchUp() {
        now = .now
        while let place = plans.indices.filter({ plans[$0].due <= now })
            .min(by: { plans[$0].due < plans[$1].due })
        {
            plans.remove(at: place).action(&self)
        }
    }

    mutating func changed(
        _ path: String, _ interface: String, _ properties: [(String, BusValue)],
        invalidated: [String] = []
    ) {
        let names = invalidated.map { BusValue.string($0) }
        send(
            .signal(
                path: path, interface: "org.freedesktop.DBus.Properties",
                member: "PropertiesChanged",
                [.string(interface), .properties(properties), .array(of: "s", names)]))
    }

    mutating func added(_ path: String, _ interfaces: [(String, [(String, BusValue)])]) {
        send(
            .signal(
                path: "/", interface: "org.freedesktop.DBus.ObjectManager",
                member: "InterfacesAdded",
                [.objectPath(path), interfaceDictionary(interfaces)]))
    }

    /// Interfaces with their properties, as ObjectManager says them.
    func interfaceDictionary(_ interfaces: [(String, [(String, BusValue)])]) -> BusValue {
        let entries = interfaces.map { interface, properties in
            BusValue.Entry(
                .string(interface), .properties(properties.filter { !omitted.contains($0.0) }))
        }
        return .dictionary(key: "s", value: "a{sv}", entries)
    }

    mutating func removed(_ path: String, _ interfaces: [String]) {
        let names = interfaces.map { BusValue.string($0) }
        send(
            .signal(
                path: "/", interface: "org.freedesktop.DBus.ObjectManager",
                member: "InterfacesRemoved", [.objectPath(path), .array(of: "s", names)]))
    }
}
