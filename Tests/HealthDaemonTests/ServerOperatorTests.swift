import BlueZ
import DaemonHarness
import Measurements
import Testing

@testable import HealthDaemon

/// What an operator says and hears over the socket while a sensor is paired.
@Suite struct ServerOperatorTests {
    private let served: ServedBySelf

    init() throws {
        served = try ServedBySelf()
    }

    private let nonin = DeviceAddress(bits: 0x00_1C05_0102_03)

    private func asked() throws -> (OperatorID, OperatorRequest) {
        guard case .request(let who, let request) = try served.asked() else {
            throw HarnessError("the server asks something else")
        }
        return (who, request)
    }

    private func tell(_ who: OperatorID, _ message: OperatorMessage) {
        served.mailbox.post(.told(who, message))
    }

    @Test func pairingIsAConversation() throws {
        let client = try served.connect()
        try client.send("@p pair yes=yes window=30s\n")
        let (who, request) = try asked()
        #expect(request == .pair(PairingWish(window: 30_000, answersYes: true)))
        tell(
            who,
            .candidate(
                Candidate(
                    address: nonin, name: "Nonin \"3230\"", services: [.pulseOximeterService],
                    rssi: -60, isPaired: false)))
        tell(who, .ask(Question(.passkey, text: "the number that it shows", patience: 30_000)))
        #expect(
            try client.line()
                == #"{"class":"candidate","device":"00:1C:05:01:02:03","name":"Nonin \"3230\"","#
                + #""services":["1822"],"rssi":-60,"paired":false}"#)
        #expect(
            try client.line()
                == #"{"class":"ask","kind":"passkey","text":"the number that it shows","patience":30}"#
        )
        try client.send("# thinking\nanswer 012345\n")
        #expect(try asked().1 == .answer("012345"))
        tell(who, .progress(step: "test", text: "take a measurement now"))
        tell(who, .done("It works."))
        let reply = try client.reply()
        #expect(
            reply.lines == [
                #"{"class":"progress","step":"test","text":"take a measurement now"}"#,
                #"{"class":"progress","step":"done","text":"It works."}"#,
            ])
        #expect(reply.end == "OK @p")
    }

    @Test(arguments: [
        (OperatorMessage.Failure.noAdapter, "ERR 503 no-adapter"),
        (.bluetoothdAbsent, "ERR 503 bluetoothd-absent"),
        (.noSuchDevice, "ERR 404 no-such-device"), (.busy, "ERR 409 busy"),
        (.timedOut, "ERR 503 timed-out"), (.refused, "ERR 409 refused"),
        (.cancelled, "ERR 409 cancelled"), (.failed, "ERR 503 failed"),
    ])
    func aFailureHasItsWord(failure: OperatorMessage.Failure, end: String) throws {
        let client = try served.connect()
        try client.send("forget 00:1C:05:01:02:03\n")
        let (who, request) = try asked()
        #expect(request == .forget(nonin))
        tell(who, .failed(failure, text: "why"))
        #expect(try client.reply().end == "\(end) : why")
    }

    @Test func anotherRequestEndsWhatIsBeingDone() throws {
        let client = try served.connect()
        try client.send("pair 00:1c:05:01:02:03\n")
        let (who, request) = try asked()
        #expect(request == .pair(PairingWish(address: nonin)))
        try client.send("@2 ping\n")
        let (canceller, cancel) = try asked()
        #expect(canceller == who)
        #expect(cancel == .cancel)
        tell(who, .failed(.cancelled, text: "as you wished"))
        #expect(try client.reply().failure == "409 cancelled")
        #expect(try client.reply().end == "OK @2")
    }

    @Test("J: whoever hangs up wants no more") func whoHangsUpWantsNoMore() throws {
        let client = try served.connect()
        try client.send("set-clock 00:1C:05:01:02:03\n")
        let (who, request) = try asked()
        #expect(request == .setClock(nonin))
        client.hangUp()
        let (canceller, cancel) = try asked()
        #expect(canceller == who)
        #expect(cancel == .cancel)
    }

    @Test func aShutDownInputCancelsNothing() throws {
        let client = try served.connect()
        try client.send("pair\n")
        client.endInput()
        let (who, _) = try asked()
        tell(who, .done("It works."))
        #expect(try client.reply().isOK)
    }

    @Test func theLateWordOfAnEarlierConversationIsNobodys() throws {
        let client = try served.connect()
        try client.send("forget 00:1C:05:01:02:03\n")
        let first = try asked().0
        tell(first, .failed(.failed, text: "no"))
        _ = try client.reply()
        try client.send("forget 00:1C:05:01:02:03\n")
        let second = try asked().0
        #expect(first != second)
        tell(first, .done("late"))
        tell(second, .done("now"))
        #expect(try client.reply().lines == [#"{"class":"progress","step":"done","text":"now"}"#])
    }

    @Test(arguments: [
        ("pair Nonin3230", "400 bad-value"), ("pair window=5s", "422 range"),
        ("pair window=11m", "422 range"), ("pair window=x", "400 bad-time"),
        ("pair yes=1", "400 bad-value"), ("forget", "400 syntax"),
        ("pair 00:1C:05:01:02:03 x", "400 syntax"), ("answer 1", "409 conflict"),
    ])
    func aWrongRequestReachesNobody(request: String, failure: String) throws {
        #expect(try served.connect().request(request).failure == failure)
        #expect(served.collector.take().isEmpty)
    }

    @Test func withTheSourceNoneNoSensorIsReached() throws {
        let served = try ServedBySelf(source: .none)
        let reply = try served.connect().request("pair")
        #expect(reply.failure == "503 no-adapter")
        #expect(reply.text.contains("source = bluez"))
    }
}
