import BlueZ
import DBus
import Measurements

/// Sensors of a played bluetoothd, and what they do.
extension BusScript {
    static let device1 = "org.bluez.Device1"
    static let adapter1 = "org.bluez.Adapter1"
    static let characteristic1 = "org.bluez.GattCharacteristic1"
    static let service1 = "org.bluez.GattService1"
    static let battery1 = "org.bluez.Battery1"

    static let temperature = device + "/service000e/char000f"
    static let spotCheck = device + "/service001a/char001b"
    static let continuous = device + "/service001a/char001e"
    static let features = device + "/service001a/char0021"
    static let controlPoint = device + "/service001a/char0023"
    static let model = device + "/service002a/char002d"
    static let clock = device + "/service0030/char0031"

    /// An adapter and the agent manager, as they are at a start.
    mutating func addHost(powered: Bool = true) {
        objects["/org/bluez"] = ["org.bluez.AgentManager1": []]
        objects[Self.adapter] = [
            Self.adapter1: [
                ("Address", .string("00:AA:01:00:00:01")), ("Powered", .boolean(powered)),
                ("Discovering", .boolean(false)),
            ],
            "org.bluez.GattManager1": [],
        ]
    }

    static func properties(
        paired: Bool = true, trusted: Bool = true, connected: Bool = false,
        resolved: Bool = false, address: String = "C0:FF:EE:00:00:01"
    ) -> [(String, BusValue)] {
        [
            ("Address", .string(address)), ("AddressType", .string("random")),
            ("Name", .string("VirtOxi")), ("Paired", .boolean(paired)),
            ("Bonded", .boolean(paired)), ("Trusted", .boolean(trusted)),
            ("Connected", .boolean(connected)), ("ServicesResolved", .boolean(resolved)),
            ("UUIDs", uuids(["1822", "1809"])), ("Adapter", .objectPath(adapter)),
        ]
    }

    static func uuids(_ shorts: [String]) -> BusValue {
        .array(of: "s", shorts.map { .string("0000\($0)-0000-1000-8000-00805f9b34fb") })
    }

    /// The services and characteristics of an oximeter that is a thermometer, too.
    static let gatt: [(path: String, interface: String, properties: [(String, BusValue)])] = [
        (device + "/service000e", service1, [uuid("1809")]),
        (temperature, characteristic1, [uuid("2a1c"), flags(["indicate"])]),
        (device + "/service001a", service1, [uuid("1822")]),
        (spotCheck, characteristic1, [uuid("2a5e"), flags(["indicate"])]),
        (continuous, characteristic1, [uuid("2a5f"), flags(["notify"])]),
        (features, characteristic1, [uuid("2a60"), flags(["read"])]),
        (device + "/service002a", service1, [uuid("180a")]),
        (model, characteristic1, [uuid("2a24"), flags(["read"])]),
    ]

    static func uuid(_ short: String) -> (String, BusValue) {
        ("UUID", .string("0000\(short)-0000-1000-8000-00805f9b34fb"))
    }

    static func flags(_ names: [String]) -> (String, BusValue) {
        ("Flags", .array(of: "s", names.map { .string($0) }))
    }

    /// Puts the sensor there before a start, with or without its characteristics.
    mutating func addSensor(
        paired: Bool = true, trusted: Bool = true, connected: Bool = false,
        resolved: Bool = false, hasObjects: Bool = true
    ) {
        objects[Self.device] = [
            Self.device1: Self.properties(
                paired: paired, trusted: trusted, connected: connected, resolved: resolved)
        ]
        if connected { links.insert(Self.device) }
        guard hasObjects else { return }
        for object in Self.gatt { objects[object.path] = [object.interface: object.properties] }
    }

    /// The bus lets us in, and everything that follows is answered.
    mutating func start() {
        give(.busOpened(uniqueName: ":1.7"))
    }

    /// A host with a bonded sensor that sleeps, known with its characteristics, and a start.
    static func started(
        _ settings: Settings = .plain, paired: Bool = true, hasObjects: Bool = true
    ) -> BusScript {
        var script = BusScript(settings)
        script.addHost()
        script.addSensor(paired: paired, hasObjects: hasObjects)
        script.start()
        return script
    }

    // MARK: What sensors do

    mutating func connected(_ isConnected: Bool = true) {
        if isConnected { links.insert(Self.device) } else { links.remove(Self.device) }
        change(Self.device, Self.device1, [("Connected", .boolean(isConnected))])
    }

    mutating func resolved(_ isResolved: Bool = true) {
        change(Self.device, Self.device1, [("ServicesResolved", .boolean(isResolved))])
    }

    /// The sensor hangs up, or is lost: one signal says both.
    mutating func dropped() {
        links.remove(Self.device)
        change(
            Self.device, Self.device1,
            [("ServicesResolved", .boolean(false)), ("Connected", .boolean(false))])
    }

    /// A value that bluetoothd announces.
    mutating func value(_ path: String, _ octets: [UInt8]) {
        signal(
            .signal(
                path: path, interface: "org.freedesktop.DBus.Properties",
                member: "PropertiesChanged",
                [
                    .string(Self.characteristic1), .properties([("Value", .octets(octets))]),
                    .array(of: "s", []),
                ]))
    }

    /// bluetoothd exports the services and characteristics, one by one.
    mutating func exportObjects() {
        for object in Self.gatt { add(object.path, object.interface, object.properties) }
    }
}

extension [BlueZAction] {
    /// The calls of this member, by path.
    func paths(of member: String) -> [String] {
        compactMap { action in
            guard case .call(_, let call) = action, call.member == member else { return nil }
            return call.path
        }
    }

    /// The calls of this member.
    func calls(of member: String) -> [Call] {
        compactMap { action in
            guard case .call(_, let call) = action, call.member == member else { return nil }
            return call
        }
    }

    /// The members that were called, in order.
    var members: [String] {
        compactMap { action in
            guard case .call(_, let call) = action else { return nil }
            return call.member
        }
    }

    /// What went through the door.
    var events: [GATTEvent] {
        compactMap { action in
            guard case .collect(let event) = action else { return nil }
            return event
        }
    }

    /// What was noted.
    var notes: [LedgerEntry.Event] { entries.map(\.event) }

    var entries: [LedgerEntry] {
        compactMap { action in
            guard case .note(let entry) = action else { return nil }
            return entry
        }
    }
}
