package import DBus

/// The objects that bluetoothd calls: our application with one GattProfile1, and our agent.
///
/// The profile makes bluetoothd connect our sensors by itself; the agent answers while pairing.
/// Only the owner of org.bluez is served.
/// Source: BlueZ, org.bluez.GattProfile, org.bluez.GattManager, org.bluez.Agent.
package enum ExportedObjects {
    /// The application, an ObjectManager.
    package static let root = "/org/healthd"
    /// The object with GattProfile1.
    package static let profile = "/org/healthd/profile"
    /// The object with Agent1.
    package static let agent = "/org/healthd/agent"

    /// What a call means beyond its reply.
    package enum News: Equatable, Sendable {
        /// A question, which is to be answered with one of its messages.
        case request(AgentRequest)
        /// The question that was asked last needs no answer any more.
        case requestCanceled
        /// bluetoothd has let go of our agent.
        case agentReleased
        /// bluetoothd has let go of our profile.
        case profileReleased
    }

    /// What is to be sent at once, and what the call means.
    package struct Outcome: Equatable, Sendable {
        /// nil if the caller wants none, or if the news has to be answered later.
        package var reply: BusMessage?
        package var news: News?
    }

    /// Takes in a call of one of our objects.
    ///
    /// The owner is the unique name that owns org.bluez now; nil if there is none.
    package static func handle(_ call: BusMessage, owner: String?) -> Outcome {
        guard call.kind == .call else { return Outcome() }
        guard let owner, call.sender == owner else {
            return refusal(of: call, "AccessDenied", "only bluetoothd is served here")
        }
        var outcome = outcome(of: call)
        if call.isReplyUnwanted { outcome.reply = nil }
        return outcome
    }

    /// Makes our agent known; bluetoothd asks it about what we pair, never about others' pairings.
    ///
    /// With this capability a sensor may show a number or have one typed.
    package static let registerAgent = Call(
        path: "/org/bluez", interface: "org.bluez.AgentManager1", member: "RegisterAgent",
        [.objectPath(agent), .string("KeyboardDisplay")])

    /// Makes our application known to an adapter.
    package static func registerApplication(adapter: String) -> Call {
        Call(
            path: adapter, interface: "org.bluez.GattManager1", member: "RegisterApplication",
            [.objectPath(root), .properties([])])
    }

    /// Has an adapter let go of our application.
    package static func unregisterApplication(adapter: String) -> Call {
        Call(
            path: adapter, interface: "org.bluez.GattManager1", member: "UnregisterApplication",
            [.objectPath(root)])
    }
}

extension ExportedObjects {
    private static func outcome(of call: BusMessage) -> Outcome {
        switch call.interface {
        case "org.freedesktop.DBus.Peer": peer(call)
        case "org.freedesktop.DBus.Introspectable": introspection(of: call)
        case "org.freedesktop.DBus.ObjectManager" where call.path == root: objectManager(call)
        case "org.freedesktop.DBus.Properties" where call.path == profile: properties(call)
        case "org.bluez.GattProfile1" where call.path == profile: profileCall(call)
        case "org.bluez.Agent1" where call.path == agent: agentCall(call)
        default: refusal(of: call, "UnknownMethod", "no such object, interface or method")
        }
    }

    private static func peer(_ call: BusMessage) -> Outcome {
        guard call.member == "Ping" else {
            return refusal(of: call, "UnknownMethod", "there is only Ping")
        }
        return Outcome(reply: call.reply())
    }

    private static func introspection(of call: BusMessage) -> Outcome {
        guard let interfaces = interfaces(of: call.path) else {
            return refusal(of: call, "UnknownObject", "no such object")
        }
        let xml = interfaces.map { "<interface name=\"\($0)\"/>" } + children(of: call.path)
        return Outcome(reply: call.reply([.string("<node>" + xml.joined() + "</node>")]))
    }

    private static func interfaces(of path: String?) -> [String]? {
        switch path {
        case root: ["org.freedesktop.DBus.ObjectManager"]
        case profile: ["org.freedesktop.DBus.Properties", "org.bluez.GattProfile1"]
        case agent: ["org.bluez.Agent1"]
        default: nil
        }
    }

    private static func children(of path: String?) -> [String] {
        path == root ? ["<node name=\"profile\"/>", "<node name=\"agent\"/>"] : []
    }

    private static func objectManager(_ call: BusMessage) -> Outcome {
        guard call.member == "GetManagedObjects" else {
            return refusal(of: call, "UnknownMethod", "there is only GetManagedObjects")
        }
        return Outcome(reply: call.reply([managedObjects]))
    }

    private static let managedObjects = BusValue.dictionary(
        key: "o", value: "a{sa{sv}}",
        [
            .init(
                .objectPath(profile),
                .dictionary(
                    key: "s", value: "a{sv}",
                    [.init(.string("org.bluez.GattProfile1"), .properties([("UUIDs", uuids)]))]))
        ])

    /// The services whose sensors bluetoothd is to connect, in full, as it compares them.
    private static let uuids = BusValue.array(
        of: "s",
        ["1809", "180d", "1822"].map { .string("0000\($0)-0000-1000-8000-00805f9b34fb") })

    private static func properties(_ call: BusMessage) -> Outcome {
        guard call.body.first?.text == "org.bluez.GattProfile1" else {
            return refusal(of: call, "InvalidArgs", "no such interface")
        }
        switch (call.member, call.body.dropFirst().first?.text) {
        case ("GetAll", _):
            return Outcome(reply: call.reply([.properties([("UUIDs", uuids)])]))
        case ("Get", "UUIDs"): return Outcome(reply: call.reply([.variant(uuids)]))
        case ("Get", _): return refusal(of: call, "InvalidArgs", "no such property")
        default: return refusal(of: call, "PropertyReadOnly", "nothing can be set here")
        }
    }

    private static func profileCall(_ call: BusMessage) -> Outcome {
        guard call.member == "Release" else {
            return refusal(of: call, "UnknownMethod", "there is only Release")
        }
        return Outcome(reply: call.reply(), news: .profileReleased)
    }

    private static func agentCall(_ call: BusMessage) -> Outcome {
        switch call.member {
        case "Release": return Outcome(reply: call.reply(), news: .agentReleased)
        case "Cancel": return Outcome(reply: call.reply(), news: .requestCanceled)
        default: break
        }
        guard let request = AgentRequest(call) else {
            return refusal(of: call, "UnknownMethod", "no such method, or other arguments")
        }
        return Outcome(news: .request(request))
    }

    private static func refusal(of call: BusMessage, _ name: String, _ text: String) -> Outcome {
        guard !call.isReplyUnwanted else { return Outcome() }
        return Outcome(
            reply: call.failure(
                BusError(name: "org.freedesktop.DBus.Error." + name, text: text)))
    }
}
