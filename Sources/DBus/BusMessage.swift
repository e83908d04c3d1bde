/// A message on the bus.
///
/// Source: D-Bus Specification, "Message Format".
package struct BusMessage: Equatable, Sendable {
    /// What a message is.
    package enum Kind: Equatable, Sendable {
        case call
        case reply
        case error
        case signal
    }

    package var kind: Kind
    /// The number that its sender gave it; 0 before it is sent.
    package var serial: UInt32 = 0
    /// The serial of the call that a reply or an error answers; 0 in others.
    package var replySerial: UInt32 = 0
    /// Whether the caller wants no reply.
    package var isReplyUnwanted = false
    /// The unique name of who sent it, as the bus says.
    package var sender: String?
    package var destination: String?
    package var path: String?
    package var interface: String?
    package var member: String?
    /// The name of an error.
    package var errorName: String?
    package var body: [BusValue] = []

    /// A message without any field.
    package init(_ kind: Kind) {
        self.kind = kind
    }

    /// A call of a method.
    package static func call(
        to destination: String, path: String, interface: String, member: String,
        _ body: [BusValue] = []
    ) -> BusMessage {
        var message = BusMessage(.call)
        message.destination = destination
        message.path = path
        message.interface = interface
        message.member = member
        message.body = body
        return message
    }

    /// A signal of an object.
    package static func signal(
        path: String, interface: String, member: String, _ body: [BusValue] = []
    ) -> BusMessage {
        var message = BusMessage(.signal)
        message.path = path
        message.interface = interface
        message.member = member
        message.body = body
        return message
    }

    /// The reply to this call.
    package func reply(_ body: [BusValue] = []) -> BusMessage {
        var message = BusMessage(.reply)
        message.replySerial = serial
        message.destination = sender
        message.body = body
        return message
    }

    /// The error that answers this call.
    package func failure(_ error: BusError) -> BusMessage {
        var message = BusMessage(.error)
        message.replySerial = serial
        message.destination = sender
        message.errorName = error.name
        message.body = [.string(error.text)]
        return message
    }
}
