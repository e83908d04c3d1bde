import DBus
import FakeBlueZ
import Testing

@Suite struct RefusalTests {
    private static let broken: [BusValue] = [
        .string("a\0b"), .objectPath("org/bluez"), .objectPath("/a//b"), .objectPath(""),
        .signature("a"), .signature("zz"), .structure([]),
        .array(of: "s", [.int32(1)]), .array(of: "ii", []), .array(of: "", []),
        .array(of: "{sv}", []), .array(of: "s\0", []),
        .dictionary(key: "v", value: "s", []), .dictionary(key: "", value: "sv", []),
        .dictionary(key: "s", value: "v", [.init(.string("x"), .string("no variant"))]),
        .dictionary(key: "s", value: "v", [.init(.int32(1), .variant(.int32(1)))]),
        .variant(.structure([])), .variant(.string("\0")),
        .variant(.structure([.signature("("), .int32(1)])),
        (0..<70).reduce(.byte(1)) { value, _ in .variant(value) },
        (0..<40).reduce(.byte(1)) { value, _ in .structure([value]) },
        .variant((0..<40).reduce(.byte(1)) { value, _ in .structure([value]) }),
        .structure(Array(repeating: .byte(1), count: 300)),
    ]

    @Test(arguments: broken)
    func aBrokenValueIsNotSentAndTheConnectionStays(value: BusValue) throws {
        let pair = try Pair()
        #expect(pair.left.connection.send(pair.call([value])) == 0)
        #expect(try pair.passed([.int32(1)]).body == [.int32(1)])
    }

    private static func call(_ change: (inout BusMessage) -> Void) -> BusMessage {
        var call = BusMessage.call(to: "x.y", path: "/a", interface: "x.Y", member: "Z")
        change(&call)
        return call
    }

    private static let brokenCalls: [BusMessage] = [
        call { $0.path = "no/slash" }, call { $0.path = "" }, call { $0.path = nil },
        call { $0.interface = "nodot" }, call { $0.interface = "x.Y\0" },
        call { $0.member = "a.b" }, call { $0.member = "" }, call { $0.member = nil },
        call { $0.destination = "nodot" }, call { $0.destination = "" },
    ]

    @Test(arguments: brokenCalls)
    func aBrokenFieldIsNotSentAndTheConnectionStays(call: BusMessage) throws {
        let pair = try Pair()
        #expect(pair.left.connection.send(call) == 0)
        #expect(try pair.passed([]).member == "Z")
    }

    @Test func anAnswerToNothingIsNotSent() throws {
        let pair = try Pair()
        #expect(pair.left.connection.send(BusMessage(.reply)) == 0)
        #expect(pair.left.connection.send(BusMessage(.error)) == 0)
        #expect(pair.left.connection.send(BusMessage(.signal)) == 0)
        var nameless = BusMessage(.error)
        nameless.replySerial = 5
        #expect(pair.left.connection.send(nameless) == 0)
        nameless.errorName = "nodot"
        #expect(pair.left.connection.send(nameless) == 0)
        #expect(try pair.passed([]).member == "Z")
    }

    @Test func aMessageWithADescriptorIsDroppedAndCounted() throws {
        let pair = try Pair()
        try DescriptorSender.send(to: pair.right.name, over: pair.bus.path)
        let arrived = try pair.passed([.int32(7)])
        #expect(arrived.body == [.int32(7)])
        #expect(pair.right.connection.undecodable == 1)
        #expect(pair.right.others.allSatisfy { $0.member != "Open" })
    }

    @Test func aReplyOfTooManyValuesComesAsAnError() throws {
        let pair = try Pair()
        let serial = pair.left.connection.send(pair.call())
        let call = try pair.right.first { $0.member == "Z" }
        let many = BusValue.array(of: "i", Array(repeating: .int32(1), count: 500_001))
        #expect(pair.right.connection.send(call.reply([many])) != 0)
        try pair.right.flush()
        let answer = try pair.left.first { $0.replySerial == serial }
        #expect(answer.errorName == BusError.inconsistentMessage)
        #expect(pair.left.connection.undecodable == 1)
    }
}
