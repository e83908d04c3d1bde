import BlueZ
import DBus
import Testing

@Suite struct ErrorClassTests {
    private static func error(_ name: String, _ text: String = "") -> BusError {
        BusError(name: name.contains(".") ? name : "org.bluez.Error." + name, text: text)
    }

    @Test(arguments: [
        ("InProgress", "In Progress", ErrorClass.Operation.arm, ErrorClass.alreadyDone),
        ("NotPermitted", "Notify acquired", .arm, .held),
        ("NotPermitted", "Not paired", .arm, .bond),
        ("NotPermitted", "Write not permitted", .arm, .permission),
        ("NotConnected", "Not Connected", .arm, .transient),
        ("NotSupported", "Operation is not supported", .arm, .permanent),
        ("Failed", "Operation failed with ATT error: 0x80", .arm, .transient),
        ("Failed", "Operation failed with ATT error: 0x0f", .arm, .bond),
        ("Failed", "Operation failed with ATT error: 0x03", .arm, .permission),
        ("Failed", "Not connected", .read, .transient),
        ("InProgress", "In Progress", .read, .transient),
        ("InvalidArguments", "Invalid Length", .write, .permanent),
        ("Failed", "No discovery started", .stopDiscovery, .alreadyDone),
        ("NotReady", "Resource Not Ready", .stopDiscovery, .alreadyDone),
        ("NotReady", "Resource Not Ready", .startDiscovery, .environment),
        ("InProgress", "Operation already in progress", .startDiscovery, .alreadyDone),
        ("Blocked", "Blocked through rfkill", .setProperty, .environment),
        ("AlreadyExists", "Already Exists", .register, .alreadyDone),
        ("NotConnected", "Not Connected", .disconnect, .alreadyDone),
        ("InProgress", "In Progress", .connect, .alreadyDone),
        ("Failed", "Operation already in progress", .connect, .alreadyDone),
        ("AlreadyConnected", "Already Connected", .connect, .alreadyDone),
        ("Failed", "le-connection-abort-by-local", .connect, .transient),
        ("Failed", "Software caused connection abort", .connect, .transient),
        ("Failed", "br-connection-canceled", .connect, .transient),
        ("Failed", "br-connection-key-missing", .connect, .bond),
        ("Failed", "le-connection-concurrent-connection-limit", .connect, .slot),
        ("Failed", "le-connection-invalid-arguments", .connect, .permanent),
        ("Failed", "le-connection-adapter-not-powered", .connect, .environment),
        ("Failed", "Input/output error", .connect, .environment),
        ("AuthenticationFailed", "Authentication Failed", .pair, .bond),
        ("org.freedesktop.DBus.Error.UnknownObject", "", .arm, .gone),
        ("org.freedesktop.DBus.Error.NoReply", "", .arm, .unanswered),
        ("org.freedesktop.DBus.Error.AccessDenied", "", .bus, .permission),
        ("org.freedesktop.DBus.Error.LimitsExceeded", "", .bus, .slot),
        ("org.freedesktop.DBus.Error.Spawn.ChildExited", "", .bus, .environment),
        ("org.freedesktop.systemd1.NoSuchUnit", "", .bus, .environment),
        ("Failed", "something nobody has seen", .arm, .unknown),
        ("some.other.Error", "", .arm, .unknown),
    ])
    func eachErrorHasItsClass(
        name: String, text: String, operation: ErrorClass.Operation, expected: ErrorClass
    ) {
        #expect(ErrorClass(Self.error(name, text), of: operation) == expected)
    }

    @Test func theATTErrorIsReadOutOfTheText() {
        let text = "Operation failed with ATT error: 0xfd"
        #expect(ErrorClass.attError(in: Self.error("Failed", text)) == 0xFD)
        #expect(ErrorClass.attError(in: Self.error("Failed", "error: 0x1ff")) == nil)
        #expect(ErrorClass.attError(in: Self.error("Failed", "error:")) == nil)
    }
}
