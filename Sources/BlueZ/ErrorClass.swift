package import DBus

/// What an error of bluetoothd or of the bus means for what comes next.
///
/// Names decide where they tell enough; BlueZ puts much into `org.bluez.Error.Failed`, so there its text does.
/// Source: BlueZ 5.55 to 5.87, src/error.c, src/device.c, src/gatt-client.c; D-Bus Specification.
package enum ErrorClass: Equatable, Sendable {
    /// What was wanted holds already, or somebody is at it.
    case alreadyDone
    /// May go well the next time.
    case transient
    /// The adapter, bluetoothd or the bus is not in the state for it; wait for that.
    case environment
    /// No link or no memory is free for it.
    case slot
    /// The bond is missing or broken, or the link is not encrypted enough.
    case bond
    /// Somebody else has it.
    case held
    /// It is forbidden.
    case permission
    /// It will never go well.
    case permanent
    /// The object is not there any more.
    case gone
    /// No answer came in time.
    case unanswered
    /// Nothing is known of such an error: as transient, but worth telling in full.
    case unknown

    /// What a call did that failed.
    package enum Operation: Equatable, Sendable {
        case arm
        case read
        case write
        case connect
        case disconnect
        case pair
        case startDiscovery
        case stopDiscovery
        case register
        case setProperty
        /// A call of the bus itself.
        case bus
    }

    /// The class of an error that ended a call.
    package init(_ error: BusError, of operation: Operation) {
        self =
            Self.byOperation(error, operation) ?? Self.byName[error.name]
            ?? Self.byText(error, operation) ?? .unknown
    }

    /// The ATT error that bluetoothd names in an error's text, such as 0x0f.
    package static func attError(in error: BusError) -> UInt8? {
        let words = error.text.split(separator: " ")
        guard let mark = words.lastIndex(of: "error:"), mark + 1 < words.count else { return nil }
        let number = words[mark + 1]
        return number.hasPrefix("0x") ? UInt8(number.dropFirst(2), radix: 16) : nil
    }
}

extension ErrorClass {
    /// Errors that mean something of their own to one operation.
    private static func byOperation(_ error: BusError, _ operation: Operation) -> ErrorClass? {
        switch (operation, error.name) {
        case (.arm, "org.bluez.Error.InProgress"): .alreadyDone
        case (.arm, "org.bluez.Error.NotPermitted") where error.text == "Notify acquired": .held
        case (.arm, "org.bluez.Error.NotPermitted"):
            error.text == "Not paired" ? .bond : .permission
        case (.connect, "org.bluez.Error.InProgress"),
            (.connect, "org.bluez.Error.AlreadyConnected"),
            (.disconnect, "org.bluez.Error.NotConnected"),
            (.startDiscovery, "org.bluez.Error.InProgress"),
            (.stopDiscovery, "org.bluez.Error.InProgress"),
            (.stopDiscovery, "org.bluez.Error.NotReady"):
            .alreadyDone
        case (.stopDiscovery, "org.bluez.Error.Failed") where error.text == "No discovery started",
            (.connect, "org.bluez.Error.Failed") where error.text == "Operation already in progress":
            .alreadyDone
        default: nil
        }
    }

    private static let byName: [String: ErrorClass] = [
        "org.bluez.Error.AlreadyExists": .alreadyDone,
        "org.bluez.Error.InProgress": .transient,
        "org.bluez.Error.Busy": .transient,
        "org.bluez.Error.NotConnected": .transient,
        "org.bluez.Error.ConnectionAttemptFailed": .transient,
        "org.bluez.Error.NotReady": .environment,
        "org.bluez.Error.Blocked": .environment,
        "org.bluez.Error.NotAvailable": .environment,
        "org.bluez.Error.NotPermitted": .bond,
        "org.bluez.Error.NotAuthorized": .bond,
        "org.bluez.Error.AuthenticationFailed": .bond,
        "org.bluez.Error.AuthenticationCanceled": .bond,
        "org.bluez.Error.AuthenticationRejected": .bond,
        "org.bluez.Error.AuthenticationTimeout": .bond,
        "org.bluez.Error.NotSupported": .permanent,
        "org.bluez.Error.InvalidArguments": .permanent,
        "org.bluez.Error.DoesNotExist": .gone,
        BusError.noReply: .unanswered,
        "org.freedesktop.DBus.Error.Timeout": .unanswered,
        BusError.disconnected: .environment,
        BusError.accessDenied: .permission,
        BusError.unknownObject: .gone,
        "org.freedesktop.DBus.Error.UnknownMethod": .gone,
        "org.freedesktop.DBus.Error.UnknownInterface": .gone,
        "org.freedesktop.DBus.Error.ServiceUnknown": .environment,
        BusError.nameHasNoOwner: .environment,
        "org.freedesktop.systemd1.NoSuchUnit": .environment,
        "org.freedesktop.DBus.Error.LimitsExceeded": .slot,
        "org.freedesktop.DBus.Error.NoMemory": .slot,
        "org.freedesktop.DBus.Error.InvalidArgs": .permanent,
        "org.freedesktop.DBus.Error.NotSupported": .permanent,
    ]

    /// What `org.bluez.Error.Failed` and the failures to start bluetoothd mean.
    private static func byText(_ error: BusError, _ operation: Operation) -> ErrorClass? {
        if error.name.hasPrefix("org.freedesktop.DBus.Error.Spawn.") { return .environment }
        guard error.name == "org.bluez.Error.Failed" else { return nil }
        if let code = attError(in: error) { return attClass(code) }
        guard let text = failures[error.text] else { return connectClass(error.text) }
        return text
    }

    /// Source: Bluetooth Core, Vol 3 Part F 3.4.1.1.
    private static func attClass(_ code: UInt8) -> ErrorClass {
        switch code {
        case 0x05, 0x08, 0x0C, 0x0F: .bond
        case 0x02, 0x03: .permission
        case 0x01, 0x06, 0x07, 0x0A, 0x0D: .permanent
        case 0x11: .slot
        default: .transient
        }
    }

    private static let failures: [String: ErrorClass] = [
        "Not connected": .transient,
        "Operation already in progress": .transient,
        "Software caused connection abort": .transient,
        "Input/output error": .environment,
        "Host is down": .transient,
        "Failed": .environment,
    ]

    /// The causes of a failed Connect since BlueZ 5.62, without the bearer in front of them.
    private static func connectClass(_ text: String) -> ErrorClass? {
        let cause = ["le-connection-", "br-connection-"].first { text.hasPrefix($0) }
            .map { String(text.dropFirst($0.count)) }
        return cause.flatMap { connectFailures[$0] }
    }

    private static let connectFailures: [String: ErrorClass] = [
        "already-connected": .alreadyDone,
        "invalid-arguments": .permanent,
        "invalid-argument": .permanent,
        "not-supported": .permanent,
        "profile-unavailable": .permanent,
        "adapter-not-powered": .environment,
        "memory-allocation": .environment,
        "create-socket": .environment,
        "concurrent-connection-limit": .slot,
        "busy": .slot,
        "key-missing": .bond,
        "bad-socket": .transient,
        "refused": .transient,
        "timeout": .transient,
        "canceled": .transient,
        "abort-by-remote": .transient,
        "abort-by-local": .transient,
        "link-layer-protocol-error": .transient,
        "gatt-browsing": .transient,
        "unknown": .transient,
    ]
}
