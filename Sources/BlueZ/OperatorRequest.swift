package import Measurements

/// What somebody at a terminal wants.
package enum OperatorRequest: Equatable, Sendable {
    /// Open a window for pairing, for one sensor or to look which there are.
    case pair(PairingWish)
    /// The answer to a question.
    case answer(String)
    /// The operator has gone, or wants no more.
    case cancel
    /// Remove the bond with a sensor.
    case forget(DeviceAddress)
    /// Set a sensor's clock at its next link, or now.
    case setClock(DeviceAddress)
}

/// What pairing is to do.
package struct PairingWish: Equatable, Sendable {
    /// The sensor; nil means that candidates are listed and one is asked for.
    package var address: DeviceAddress?
    /// How long the window is open, in ms.
    package var window: Int64
    /// Whether every question that needs no number is answered with yes.
    package var answersYes: Bool

    /// A wish to pair within `window` ms.
    package init(address: DeviceAddress? = nil, window: Int64 = 120_000, answersYes: Bool = false) {
        self.address = address
        self.window = window
        self.answersYes = answersYes
    }
}

/// What is said to somebody at a terminal.
package enum OperatorMessage: Equatable, Sendable {
    /// A sensor that could be paired; said again when its signal changes much.
    case candidate(Candidate)
    /// A question; `OperatorRequest.answer` answers it.
    case ask(Question)
    /// How far it is: a word for programs, and a sentence.
    case progress(step: String, text: String)
    /// It is done; a sentence that says so.
    case done(String)
    /// It cannot be done: a symbol for programs, why, and what to do.
    case failed(Failure, text: String)

    /// Why something cannot be done.
    package enum Failure: Equatable, Sendable {
        case noAdapter
        case bluetoothdAbsent
        case noSuchDevice
        /// Another window is open, or a question is not answered.
        case busy
        case timedOut
        case refused
        case cancelled
        case failed
    }
}

/// A sensor that could be paired.
package struct Candidate: Equatable, Sendable {
    package var address: DeviceAddress
    package var name: String?
    /// The health services it offers, by their SIG numbers.
    package var services: [BluetoothUUID]
    /// In dBm.
    package var rssi: Int?
    package var isPaired: Bool

    /// A candidate with the given parts.
    package init(
        address: DeviceAddress, name: String?, services: [BluetoothUUID], rssi: Int?, isPaired: Bool
    ) {
        self.address = address
        self.name = name
        self.services = services
        self.rssi = rssi
        self.isPaired = isPaired
    }
}

/// A question that pairing has.
package struct Question: Equatable, Sendable {
    /// What kind of answer is needed.
    package enum Kind: String, Equatable, Sendable {
        /// Which of the candidates; the answer is an address.
        case choose
        /// The number that the sensor shows, 0 to 999999.
        case passkey
        /// The PIN of the sensor, 1 to 16 characters.
        case pin
        /// Whether the sensor shows this number: yes or no.
        case confirm
        /// Whether to go on: yes or no.
        case authorize
        /// A number that has to be typed on the sensor; needs no answer.
        case display
    }

    package let kind: Kind
    /// The sentence for people.
    package let text: String
    /// The number that is shown or compared, six digits.
    package let number: String?
    /// How long the answer is waited for, in ms.
    package let patience: Int64

    /// A question with the given parts.
    package init(_ kind: Kind, text: String, number: String? = nil, patience: Int64 = 30_000) {
        self.kind = kind
        self.text = text
        self.number = number
        self.patience = patience
    }
}
