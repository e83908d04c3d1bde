internal import DBus

/// What an error of bluetoothd means to pairing.
enum PairingError: Equatable {
    /// What was asked for is under way already, or holds already.
    case inProgress
    case alreadyPaired
    case alreadyConnected
    /// The object is not there any more.
    case gone
    case adapterOff
    /// The sensor or its keys do not fit: wrong number, refusal, pairing not supported.
    case authenticationFailed
    case authenticationRejected
    case authenticationCanceled
    case authenticationTimeout
    /// The sensor does not know our key any more.
    case keyMissing
    /// The attempt was called off by a Disconnect.
    case attemptCanceled
    case notPermitted
    /// Nobody answered.
    case noReply
    /// Everything else passes, or shows itself again; the words are bluetoothd's.
    case transient(String)

    /// What the error means.
    init(_ error: BusError) {
        let text = error.text
        switch error.name {
        case "org.bluez.Error.InProgress": self = .inProgress
        case "org.bluez.Error.AlreadyExists": self = .alreadyPaired
        case "org.bluez.Error.AlreadyConnected": self = .alreadyConnected
        case "org.bluez.Error.DoesNotExist", "org.freedesktop.DBus.Error.UnknownObject",
            "org.freedesktop.DBus.Error.UnknownMethod":
            self = .gone
        case "org.bluez.Error.NotReady": self = .adapterOff
        case "org.bluez.Error.AuthenticationFailed": self = .authenticationFailed
        case "org.bluez.Error.AuthenticationRejected": self = .authenticationRejected
        case "org.bluez.Error.AuthenticationCanceled": self = .authenticationCanceled
        case "org.bluez.Error.AuthenticationTimeout": self = .authenticationTimeout
        case "org.bluez.Error.NotAuthorized", "org.freedesktop.DBus.Error.AccessDenied":
            self = .notPermitted
        case BusError.noReply: self = .noReply
        case "org.bluez.Error.Failed": self = PairingError(failure: text, error)
        default: self = .transient(error.description)
        }
    }

    /// What bluetoothd's catch-all error means by its text; the texts are those of 5.55 to 5.87.
    private init(failure text: String, _ error: BusError) {
        if text.hasSuffix("already in progress") {
            self = .inProgress
        } else if text.hasSuffix("already-connected") {
            self = .alreadyConnected
        } else if text.hasSuffix("key-missing") {
            self = .keyMissing
        } else if text.hasSuffix("connection-canceled") {
            self = .attemptCanceled
        } else if text.hasSuffix("adapter-not-powered") {
            self = .adapterOff
        } else {
            self = .transient(error.description)
        }
    }

    /// The evidence for people who know bluetoothd.
    var evidence: String {
        switch self {
        case .inProgress: "InProgress"
        case .alreadyPaired: "AlreadyExists"
        case .alreadyConnected: "AlreadyConnected"
        case .gone: "the device object is gone"
        case .adapterOff: "NotReady"
        case .authenticationFailed: "AuthenticationFailed"
        case .authenticationRejected: "AuthenticationRejected"
        case .authenticationCanceled: "AuthenticationCanceled"
        case .authenticationTimeout: "AuthenticationTimeout"
        case .keyMissing: "key-missing"
        case .attemptCanceled: "connection-canceled"
        case .notPermitted: "not permitted"
        case .noReply: "no reply"
        case .transient(let words): words
        }
    }
}
