import BlueZ
import DBus
import Measurements

/// A supervisor on a bus that is played: it answers calls as bluetoothd does, and says what a test lets it say.
struct BusScript {
    static let owner = ":1.5"
    static let adapter = "/org/bluez/hci0"
    static let address = address("C0:FF:EE:00:00:01")
    static let device = adapter + "/dev_C0_FF_EE_00_00_01"

    var supervisor: Supervisor
    /// Both clocks; the wall shows the same plus a constant.
    var boot: Int64 = 1_000_000
    /// bluetoothd's objects: path, interface, property.
    var objects: [String: [String: [(String, BusValue)]]] = [:]
    /// What was wanted since the last look, calls included.
    var actions: [BlueZAction] = []
    /// Calls that nobody has answered.
    var waiting: [(id: CallID, call: Call)] = []
    /// Paths of characteristics whose session stands.
    var sessions: Set<String> = []
    var links: Set<String> = []
    /// Answers of ReadValue by path.
    var values: [String: [UInt8]] = [:]
    /// Errors by member and path; `*` is any path.
    var errors: [String: BusError] = [:]
    /// Members that are not answered until a test does.
    var silent: Set<String> = []
    var owner: String? = BusScript.owner

    init(_ settings: Settings = .plain) {
        supervisor = Supervisor(settings)
    }

    var now: Moment {
        Moment(wall: Instant(milliseconds: 1_800_000_000_000 + boot), boot: boot)
    }

    /// An address that is known to be well formed.
    static func address(_ text: String) -> DeviceAddress {
        DeviceAddress(text) ?? DeviceAddress(bits: 0)
    }
}

extension Settings {
    /// All defaults, in UTC.
    static var plain: Settings {
        var settings = Settings { instant in
            LocalTime(CivilTime(secondsSince1970: instant.milliseconds / 1000), offset: 0)
        }
        settings.setsClocks = false
        return settings
    }
}

// MARK: - Events

extension BusScript {
    /// Gives an event to the supervisor, and answers the calls that come of it.
    mutating func give(_ event: BlueZEvent) {
        take(supervisor.handle(event, at: now))
        answerAll()
    }

    private mutating func take(_ new: [BlueZAction]) {
        actions += new
        for case .call(let id, let call) in new { waiting.append((id, call)) }
    }

    /// Answers what bluetoothd would answer, until nothing is left but what is silent.
    mutating func answerAll() {
        while let index = waiting.firstIndex(where: { !silent.contains($0.call.member) }) {
            let (id, call) = waiting.remove(at: index)
            take(supervisor.handle(.reply(id, answer(to: call)), at: now))
        }
    }

    /// Answers the calls of this member that wait.
    mutating func answer(_ member: String, _ result: Result<[BusValue], BusError>) {
        let matching = waiting.filter { $0.call.member == member }
        waiting.removeAll { $0.call.member == member }
        for (id, _) in matching { take(supervisor.handle(.reply(id, result), at: now)) }
        answerAll()
    }

    /// Lets the time pass, and every deadline on the way come; fails if one does not move on.
    mutating func pass(_ milliseconds: Int64) {
        let end = boot + milliseconds
        var rounds = 0
        while let due = supervisor.nextDeadline, due <= end, rounds < 10_000 {
            boot = max(boot, due)
            give(.deadline)
            rounds += 1
        }
        precondition(rounds < 10_000, "deadlines come without end")
        boot = end
    }

    /// A signal, of bluetoothd if nobody else is named.
    mutating func signal(_ message: BusMessage, from sender: String? = nil) {
        var message = message
        message.sender = sender ?? owner ?? BusScript.owner
        give(.message(message))
    }

    /// What was wanted since the last look.
    mutating func look() -> [BlueZAction] {
        defer { actions = [] }
        return actions
    }
}

// MARK: - bluetoothd

extension BusScript {
    private mutating func answer(to call: Call) -> Result<[BusValue], BusError> {
        if let error = errors["\(call.member) \(call.path)"] ?? errors["\(call.member) *"] {
            return .failure(error)
        }
        switch call.member {
        case "GetNameOwner":
            guard let owner else { return .failure(BusError(name: BusError.nameHasNoOwner)) }
            return .success([.string(call.arguments[0].text == "org.bluez" ? owner : ":1.9")])
        case "GetManagedObjects": return .success([managed])
        case "StartNotify": return startNotify(call.path)
        case "ReadValue": return .success([.octets(values[call.path] ?? [])])
        case "Get": return .success([.variant(.boolean(links.contains(call.path)))])
        case "Set": return set(call)
        default: return .success([])
        }
    }

    private mutating func startNotify(_ path: String) -> Result<[BusValue], BusError> {
        let isUp = links.contains { path.hasPrefix($0 + "/") }
        guard !sessions.insert(path).inserted, !isUp else { return .success([]) }
        return .failure(BusError(name: "org.bluez.Error.InProgress", text: "In Progress"))
    }

    /// Says what became of it, as bluetoothd does before it answers.
    private mutating func set(_ call: Call) -> Result<[BusValue], BusError> {
        guard call.arguments.count == 3, let name = call.arguments[1].text,
            let interface = call.arguments[0].text
        else { return .success([]) }
        change(call.path, interface, [(name, call.arguments[2].unwrapped)])
        return .success([])
    }

    /// All objects, as GetManagedObjects answers.
    var managed: BusValue {
        .dictionary(
            key: "o", value: "a{sa{sv}}",
            objects.map { .init(.objectPath($0.key), Self.interfaces($0.value)) })
    }

    static func interfaces(_ interfaces: [String: [(String, BusValue)]]) -> BusValue {
        .dictionary(
            key: "s", value: "a{sv}",
            interfaces.sorted { $0.key < $1.key }
                .map { .init(.string($0.key), .properties($0.value)) })
    }

    /// Lets properties of an object change, and bluetoothd say so.
    mutating func change(
        _ path: String, _ interface: String, _ properties: [(String, BusValue)]
    ) {
        for (name, value) in properties {
            objects[path]?[interface]?.removeAll { $0.0 == name }
            objects[path]?[interface]?.append((name, value))
        }
        signal(
            .signal(
                path: path, interface: "org.freedesktop.DBus.Properties",
                member: "PropertiesChanged",
                [.string(interface), .properties(properties), .array(of: "s", [])]))
    }

    /// Puts an object there, and lets bluetoothd say so.
    mutating func add(_ path: String, _ interface: String, _ properties: [(String, BusValue)]) {
        objects[path, default: [:]][interface] = properties
        signal(
            .signal(
                path: "/", interface: "org.freedesktop.DBus.ObjectManager",
                member: "InterfacesAdded",
                [.objectPath(path), Self.interfaces([interface: properties])]))
    }

    /// Takes an object away, and lets bluetoothd say so.
    mutating func remove(_ path: String, _ interface: String) {
        objects[path]?[interface] = nil
        if objects[path]?.isEmpty == true { objects[path] = nil }
        signal(
            .signal(
                path: "/", interface: "org.freedesktop.DBus.ObjectManager",
                member: "InterfacesRemoved",
                [.objectPath(path), .array(of: "s", [.string(interface)])]))
    }

    /// Lets the name org.bluez go to somebody else, or to nobody.
    mutating func ownerChanged(to new: String?) {
        let old = owner ?? ""
        owner = new
        sessions = []
        signal(
            .signal(
                path: "/org/freedesktop/DBus", interface: "org.freedesktop.DBus",
                member: "NameOwnerChanged",
                [.string("org.bluez"), .string(old), .string(new ?? "")]),
            from: "org.freedesktop.DBus")
    }
}
