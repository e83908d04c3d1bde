import DBus
import FakeBlueZ
import Testing

@Suite struct RoundTripTests {
    private static let basic: [BusValue] = [
        .byte(255), .boolean(true), .boolean(false), .int16(-32768), .uint16(65535),
        .int32(.min), .uint32(.max), .int64(.min), .uint64(.max), .double(-0.1),
        .string("SpO₂ 97 %"), .string(""), .objectPath("/"), .objectPath("/org/bluez"),
        .signature(""), .signature("a{sv}(ii)"), .octets([]), .octets([0, 1, 255]),
    ]

    @Test func everyTypeArrivesAsItWasSent() throws {
        let pair = try Pair()
        #expect(try pair.passed(Self.basic).body == Self.basic)
    }

    @Test func everyTypeArrivesInsideAVariantAStructureAndAnArray() throws {
        let pair = try Pair()
        let nested: [BusValue] = Self.basic.flatMap { value -> [BusValue] in
            [
                .variant(value), .structure([value, value]), .variant(.variant(value)),
                .array(of: value.signature, value.signature == "y" ? [] : [value, value]),
            ]
        }
        let expected = nested.map { $0 == .array(of: "y", []) ? .octets([]) : $0 }
        #expect(try pair.passed(nested).body == expected)
    }

    @Test func dictionariesArriveInTheirOrder() throws {
        let pair = try Pair()
        let inner = BusValue.properties([("UUIDs", .array(of: "s", [.string("1822")]))])
        let values: [BusValue] = [
            .properties([("Powered", .boolean(true)), ("Address", .string("00:11"))]),
            .dictionary(
                key: "o", value: "a{sa{sv}}",
                [
                    .init(
                        .objectPath("/x"),
                        .dictionary(key: "s", value: "a{sv}", [.init(.string("i"), inner)]))
                ]),
            .dictionary(key: "q", value: "v", [.init(.uint16(76), .variant(.octets([1, 2])))]),
            .properties([]),
        ]
        #expect(try pair.passed(values).body == values)
    }

    @Test func variantsNestToTheDepthOfTheSpecification() throws {
        let pair = try Pair()
        let deep = (0..<60).reduce(BusValue.byte(1)) { value, _ in .variant(value) }
        #expect(try pair.passed([deep]).body == [deep])
    }

    @Test(arguments: [1, 4095, 65_536, 3_000_000])
    func anArrayOfManyOctetsArrivesWhole(count: Int) throws {
        let pair = try Pair()
        let octets = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        #expect(try pair.passed([.octets(octets)]).body == [.octets(octets)])
    }

    @Test func theHeaderOfACallArrivesWithItsSender() throws {
        let pair = try Pair()
        let call = try pair.passed([])
        #expect(call.kind == .call)
        #expect(call.sender == pair.left.name)
        #expect(call.destination == pair.right.name)
        #expect(call.path == "/a/b")
        #expect(call.interface == "x.Y")
        #expect(call.serial != 0)
        #expect(!call.isReplyUnwanted)
    }

    @Test func aSignalComesToThoseWhoAskForIt() throws {
        let pair = try Pair()
        try pair.right.askBus("AddMatch", .string("type='signal',interface='x.Y'"))
        pair.left.connection.send(
            .signal(path: "/a", interface: "x.Y", member: "Changed", [.int32(4)]))
        let signal = try pair.right.first { $0.member == "Changed" }
        #expect(signal.kind == .signal)
        #expect(signal.body == [.int32(4)])
    }

    @Test func anErrorComesByItsName() throws {
        let pair = try Pair()
        let serial = pair.left.connection.send(
            .call(to: pair.right.name, path: "/a", interface: "x.Y", member: "Z"))
        let call = try pair.right.first { $0.member == "Z" }
        let error = BusError(name: "org.bluez.Error.InProgress", text: "In Progress")
        pair.right.connection.send(call.failure(error))
        let answer = try pair.left.first { $0.replySerial == serial }
        #expect(throws: error) { try answer.answer }
    }
}
