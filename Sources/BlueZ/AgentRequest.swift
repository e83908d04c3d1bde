package import DBus
internal import Measurements

/// A question of bluetoothd to our agent, which waits for its answer.
///
/// Source: BlueZ, org.bluez.Agent.
package struct AgentRequest: Equatable, Sendable {
    /// What bluetoothd wants to know or to have shown.
    package enum Kind: Equatable, Sendable {
        /// The sensor's PIN, 1 to 16 characters.
        case pinCode
        /// The PIN that has to be typed on the sensor.
        case displayPinCode(String)
        /// The number that the sensor shows, 0 to 999999.
        case passkey
        /// The number, six digits, that has to be typed on the sensor, and how many were typed.
        case displayPasskey(String, entered: Int)
        /// Whether the sensor shows this number, six digits.
        case confirmation(String)
        /// Whether a device may pair that no number protects.
        case authorization
        /// Whether a device may use a service.
        case service(String)
    }

    /// What bluetoothd wants.
    package let kind: Kind
    /// The object path of the device.
    package let device: String
    private let call: BusMessage

    /// The question that a call of the agent asks.
    ///
    /// - Returns: nil if the call is none, or has other arguments than BlueZ documents.
    package init?(_ call: BusMessage) {
        guard call.kind == .call, let device = call.body.first?.text,
            let kind = Kind(call.member, Array(call.body.dropFirst()))
        else { return nil }
        self.kind = kind
        self.device = device
        self.call = call
    }

    /// Yes, or it is shown.
    package var accepted: BusMessage { call.reply() }

    /// The PIN that the operator typed.
    package func pinCode(_ text: String) -> BusMessage { call.reply([.string(text)]) }

    /// The number that the operator typed.
    package func passkey(_ number: UInt32) -> BusMessage { call.reply([.uint32(number)]) }

    /// No.
    package var rejected: BusMessage {
        call.failure(BusError(name: "org.bluez.Error.Rejected", text: "not wanted"))
    }

    /// Nobody answers.
    package var canceled: BusMessage {
        call.failure(BusError(name: "org.bluez.Error.Canceled", text: "nobody answered"))
    }

    /// The answer while no operator pairs this device: only what our own sensors need without a person.
    package func answer(isOurs: Bool) -> BusMessage {
        switch kind {
        case .authorization, .service: isOurs ? accepted : rejected
        case .pinCode, .displayPinCode, .passkey, .displayPasskey, .confirmation: rejected
        }
    }
}

extension AgentRequest.Kind {
    /// The kind of question that a method of Agent1 asks; the arguments are those after the device.
    fileprivate init?(_ member: String?, _ arguments: [BusValue]) {
        let text = arguments.first?.text
        let number = arguments.first?.integer.map(sixDigits)
        switch (member, text, number) {
        case ("RequestPinCode", _, _): self = .pinCode
        case ("RequestPasskey", _, _): self = .passkey
        case ("RequestAuthorization", _, _): self = .authorization
        case ("DisplayPinCode", .some(let text), _): self = .displayPinCode(text)
        case ("AuthorizeService", .some(let text), _): self = .service(text)
        case ("RequestConfirmation", _, .some(let number)): self = .confirmation(number)
        case ("DisplayPasskey", _, .some(let number)):
            self = .displayPasskey(number, entered: arguments.dropFirst().first?.integer ?? 0)
        default: return nil
        }
    }
}

/// A passkey as people compare it, with its leading zeros.
private func sixDigits(_ number: Int) -> String {
    var text: [UInt8] = []
    text.append(max(0, number) % 1_000_000, digits: 6)
    return String(decoding: text, as: UTF8.self)
}
