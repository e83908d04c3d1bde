import BlueZ
import DBus
import Testing

@Suite struct AgentRequestTests {
    private func request(_ member: String, _ body: [BusValue]) -> AgentRequest? {
        var call = BusMessage.call(
            to: ":1.9", path: ExportedObjects.agent, interface: "org.bluez.Agent1", member: member,
            body)
        call.serial = 3
        call.sender = ":1.2"
        return AgentRequest(call)
    }

    private let device = BusValue.objectPath("/org/bluez/hci0/dev_1")

    @Test func eachMethodIsUnderstood() {
        let uuid = "00001822-0000-1000-8000-00805f9b34fb"
        let expected: [(String, [BusValue], AgentRequest.Kind)] = [
            ("RequestPinCode", [device], .pinCode),
            ("RequestPasskey", [device], .passkey),
            ("DisplayPinCode", [device, .string("0042")], .displayPinCode("0042")),
            (
                "DisplayPasskey", [device, .uint32(42), .uint16(3)],
                .displayPasskey("000042", entered: 3)
            ),
            ("RequestConfirmation", [device, .uint32(999_999)], .confirmation("999999")),
            ("RequestAuthorization", [device], .authorization),
            ("AuthorizeService", [device, .string(uuid)], .service(uuid)),
        ]
        for (member, body, kind) in expected {
            #expect(request(member, body)?.kind == kind)
            #expect(request(member, body)?.device == "/org/bluez/hci0/dev_1")
        }
    }

    @Test func callsWithoutTheirArgumentsAreNone() {
        for member in ["RequestPinCode", "DisplayPinCode", "AuthorizeService", "Other"] {
            #expect(request(member, []) == nil)
        }
        #expect(request("DisplayPinCode", [device]) == nil)
        #expect(request("RequestConfirmation", [device]) == nil)
    }

    @Test("G3: outside a window strangers are refused, and our own sensors need no person")
    func outsideAWindowOnlyOursAreLetIn() {
        let members = [
            ("RequestAuthorization", [device], true), ("AuthorizeService", [device, device], true),
            ("RequestPasskey", [device], false), ("RequestPinCode", [device], false),
            ("RequestConfirmation", [device, .uint32(1)], false),
            ("DisplayPasskey", [device, .uint32(1), .uint16(0)], false),
            ("DisplayPinCode", [device, .string("1")], false),
        ]
        for (member, body, isGranted) in members {
            let request = request(member, body)
            let stranger = request?.answer(isOurs: false)
            #expect(stranger?.errorName == "org.bluez.Error.Rejected")
            #expect((request?.answer(isOurs: true).kind == .reply) == isGranted)
        }
    }

    @Test func anAnswerGoesBackToWhoAsked() throws {
        let asked = try #require(request("RequestPasskey", [device]))
        let reply = asked.passkey(123_456)
        #expect(reply.destination == ":1.2" && reply.replySerial == 3)
        #expect(reply.body == [.uint32(123_456)])
        #expect(asked.canceled.errorName == "org.bluez.Error.Canceled")
    }
}
