internal import Measurements

/// Why a window ended without a sensor that works.
enum PairingFailure: Equatable {
    case environment(EnvironmentFailure)
    case search(SearchFailure)
    case bond(BondFailure)
    case link(LinkFailure)

    /// The symbol for programs.
    var symbol: OperatorMessage.Failure {
        switch self {
        case .environment(let failure): failure.symbol
        case .search(let failure): failure.symbol
        case .bond(let failure): failure.symbol
        case .link(let failure): failure.symbol
        }
    }

    /// What holds and what to do, in plain words.
    var text: String {
        switch self {
        case .environment(let failure): failure.text
        case .search(let failure): failure.text
        case .bond(let failure): failure.text
        case .link(let failure): failure.text
        }
    }

    /// What the operator is told.
    var message: OperatorMessage { .failed(symbol, text: text) }
}

/// What this computer lacks for pairing, or who called it off.
enum EnvironmentFailure: Equatable {
    case busy
    case bluetoothdAbsent
    case noAdapter
    case adaptersOff
    case adapterLost
    case notPermitted
    case bluetoothdLost(isBonded: Bool)
    case cancelled(isBonded: Bool)

    /// The symbol for programs.
    var symbol: OperatorMessage.Failure {
        switch self {
        case .busy: .busy
        case .bluetoothdAbsent, .bluetoothdLost: .bluetoothdAbsent
        case .noAdapter, .adaptersOff, .adapterLost: .noAdapter
        case .notPermitted: .refused
        case .cancelled: .cancelled
        }
    }

    /// What holds and what to do, in plain words.
    var text: String {
        switch self {
        case .busy: "Another pairing is going on. Wait until it has ended."
        case .bluetoothdAbsent:
            "The Bluetooth service (bluetoothd) is not running. "
                + "Start it: sudo systemctl start bluetooth"
        case .noAdapter: "This computer has no Bluetooth adapter. Plug one in and try again."
        case .adaptersOff:
            "Bluetooth is switched off on this computer. Switch it on: bluetoothctl power on"
        case .adapterLost:
            "The Bluetooth adapter was unplugged or switched off meanwhile. "
                + "Bring it back and pair again."
        case .notPermitted:
            "The D-Bus policy of this computer forbids healthd to pair. "
                + "See bluetooth.conf in /etc/dbus-1/system.d."
        case .bluetoothdLost(isBonded: false):
            "The Bluetooth service ended or was restarted meanwhile. Pair again."
        case .bluetoothdLost(isBonded: true):
            "The Bluetooth service ended or was restarted meanwhile. "
                + "The bond was made already: take a measurement, and look by healthctl latest."
        case .cancelled(isBonded: false): "Cancelled; nothing is left behind."
        case .cancelled(isBonded: true): "Cancelled. The bond was made already, and stays."
        }
    }
}

/// Why no sensor was found.
enum SearchFailure: Equatable {
    case refused(String)
    case notHeard(DeviceAddress)
    case nothingHeard
    case notChosen

    /// The symbol for programs.
    var symbol: OperatorMessage.Failure {
        switch self {
        case .refused: .failed
        case .notHeard, .nothingHeard: .noSuchDevice
        case .notChosen: .timedOut
        }
    }

    /// What holds and what to do, in plain words.
    var text: String {
        switch self {
        case .refused(let why):
            "The Bluetooth adapter does not search (\(why)). "
                + "Unplug it and plug it in again, or restart the Bluetooth service."
        case .notHeard(let address):
            "The sensor \(address) was not heard. Switch the sensor on, hold it close, "
                + "and see that no phone is connected to it."
        case .nothingHeard:
            "No sensor was heard. Switch the sensor on, bring it into pairing mode, "
                + "and see that no phone is connected to it."
        case .notChosen:
            "No sensor was chosen. Name the one that is meant: healthctl pair ADDRESS"
        }
    }
}

/// Why there is no bond.
enum BondFailure: Equatable {
    case notKept(String)
    case wrongNumber
    case numbersDiffer
    case notTyped
    case saidNo
    case nobodyAnswered
    case calledOff
    case otherPairing
    case timedOut
    case windowOver
    case notInPairingMode(String)
    case keyMissing(DeviceAddress)

    /// The symbol for programs.
    var symbol: OperatorMessage.Failure {
        switch self {
        case .wrongNumber, .numbersDiffer, .notTyped, .saidNo, .calledOff, .notInPairingMode,
            .keyMissing:
            .refused
        case .nobodyAnswered, .timedOut, .windowOver: .timedOut
        case .otherPairing: .busy
        case .notKept: .failed
        }
    }

    /// What holds and what to do, in plain words.
    var text: String {
        switch self {
        case .notKept(let why):
            "The Bluetooth service does not keep the sensor (\(why)). Pair again."
        case .wrongNumber: "The number was wrong: the sensor refused it. Pair again."
        case .numbersDiffer: "The sensor did not confirm the number. Pair again."
        case .notTyped: "The number was not typed on the sensor, or not rightly. Pair again."
        case .saidNo: "Not paired, since the answer was no."
        case .nobodyAnswered: "Nobody answered the sensor's question in time. Pair again."
        case .calledOff: "The sensor called the pairing off. Pair again."
        case .otherPairing: "Another program is pairing this sensor. Wait until it has ended."
        case .timedOut: "The sensor did not finish pairing in two minutes. Pair again."
        case .windowOver: "The time was over before the sensor had finished pairing. Pair again."
        case .notInPairingMode(let why):
            "The sensor refused to pair (\(why)). Bring it into pairing mode "
                + "(often: hold its button until the display shows Pr or blinks), and pair again."
        case .keyMissing(let address):
            "The sensor has lost its half of the bond. Remove the other half first: "
                + "healthctl forget \(address), then pair again."
        }
    }
}

/// Why a sensor brings no reading.
enum LinkFailure: Equatable {
    case vanished
    case noLink(String)
    case noServices(String)
    case privateProtocol(String, isBonded: Bool)
    case noHealthService(isBonded: Bool)
    case removed
    case noReading(DeviceAddress)
    case noReadingUnbonded(String)

    /// The symbol for programs.
    var symbol: OperatorMessage.Failure {
        switch self {
        case .vanished: .noSuchDevice
        case .noLink, .noServices, .privateProtocol, .noHealthService, .removed: .failed
        case .noReading, .noReadingUnbonded: .timedOut
        }
    }

    /// What holds and what to do, in plain words.
    var text: String {
        switch self {
        case .vanished:
            "The sensor was heard and went away again. Wake it up, hold it close, and pair again."
        case .noLink(let why):
            "No link to the sensor could be made (\(why)). "
                + "Wake it up, bring it into pairing mode, hold it close, and pair again."
        case .noServices(let why):
            "The sensor was reached, but not what it offers (\(why)). "
                + "Switch it off and on, and pair again."
        case .privateProtocol(let name, let isBonded):
            "The sensor offers no standard health service, only \(name); "
                + "healthd does not read it." + Self.removal(isBonded)
        case .noHealthService(let isBonded):
            "The sensor offers no health service: no pulse oximeter, thermometer or heart rate."
                + Self.removal(isBonded)
        case .removed: "Another program removed the sensor meanwhile. Pair again."
        case .noReading(let address):
            "The bond exists and stays, but no reading came. Take a measurement; it will be kept. "
                + "If none comes: healthctl why \(address)"
        case .noReadingUnbonded(let why):
            "No reading came, and there is no bond (\(why)); nothing is left behind. "
                + "Bring it into pairing mode, pair again, and take a measurement meanwhile."
        }
    }

    private static func removal(_ isBonded: Bool) -> String {
        isBonded ? " A bond was made; healthctl forget removes it." : ""
    }
}

extension OperatorMessage {
    /// There is a window already.
    package static let pairingBusy = PairingFailure.environment(.busy).message
    /// Nobody owns org.bluez.
    package static let bluetoothdAbsent = PairingFailure.environment(.bluetoothdAbsent).message
}
