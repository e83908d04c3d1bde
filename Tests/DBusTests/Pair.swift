import DBus
import FakeBlueZ
import Testing

/// A bus with two clients on it.
struct Pair {
    let bus: PrivateBus
    let left: BusClient
    let right: BusClient

    init() throws {
        bus = try PrivateBus()
        left = try BusClient(bus)
        right = try BusClient(bus)
    }

    /// A call from the left to the right.
    func call(_ values: [BusValue] = []) -> BusMessage {
        .call(to: right.name, path: "/a/b", interface: "x.Y", member: "Z", values)
    }

    /// A call with this number, to which no reply is wanted: a bus keeps count of those that it expects.
    func notice(_ number: Int) -> BusMessage {
        var message = call([.int32(Int32(number))])
        message.isReplyUnwanted = true
        return message
    }

    /// What arrives of a call with these values.
    func passed(_ values: [BusValue]) throws -> BusMessage {
        #expect(left.connection.send(call(values)) != 0)
        try left.flush()
        return try right.first { $0.member == "Z" }
    }
}
