import BlueZ
import DBus
import Measurements
import Testing

private typealias Script = PairingScript

@Suite struct PairingQuestionTests {
    /// A window that has called Pair.
    private func bonding(answersYes: Bool = false) -> PairingScript {
        var script = PairingScript(
            .init(address: PairingScript.address, answersYes: answersYes))
        script.open()
        script.find()
        return script
    }

    @Test("G3: the number that the sensor shows is asked for, and passed on")
    func thePasskeyIsAskedFor() {
        var script = bonding()
        script.handle(.agent(Script.agent("RequestPasskey")))
        #expect(
            script.questions.map(\.kind) == [.passkey] && script.questions[0].patience == 30_000)
        for wrong in ["", "1234567", "12a", "-5", "１２"] { script.handle(.answer(wrong)) }
        #expect(script.questions.count == 6 && script.sent.isEmpty)
        script.handle(.answer("012345"))
        #expect(script.sent.map(\.body) == [[.uint32(12_345)]])
    }

    @Test func aPINIsPassedOnAsItIs() {
        var script = bonding()
        script.handle(.agent(Script.agent("RequestPinCode")))
        script.handle(.answer("12345678901234567"))
        #expect(script.sent.isEmpty)
        script.handle(.answer("00ab"))
        #expect(script.sent.map(\.body) == [[.string("00ab")]])
    }

    @Test(arguments: [("yes", BusMessage.Kind.reply), ("N", .error)])
    func aNumberIsCompared(answer: String, kind: BusMessage.Kind) {
        var script = bonding()
        script.handle(.agent(Script.agent("RequestConfirmation", [.uint32(42)])))
        #expect(script.questions.map(\.number) == ["000042"])
        script.handle(.answer("perhaps"))
        script.handle(.answer(answer))
        #expect(script.sent.map(\.kind) == [kind])
    }

    @Test func yesAnswersWhatNeedsNoNumber() {
        var script = bonding(answersYes: true)
        script.handle(.agent(Script.agent("RequestConfirmation", [.uint32(42)])))
        script.handle(.agent(Script.agent("RequestAuthorization")))
        #expect(script.sent.map(\.kind) == [.reply, .reply] && script.questions.isEmpty)
        script.handle(.agent(Script.agent("RequestPasskey")))
        #expect(script.questions.map(\.kind) == [.passkey])
    }

    @Test func aNumberToBeTypedIsShownOnceAndNeedsNoAnswer() {
        var script = bonding()
        for entered in 0..<3 {
            script.handle(
                .agent(Script.agent("DisplayPasskey", [.uint32(7), .uint16(UInt16(entered))])))
        }
        #expect(script.questions.map(\.kind) == [.display])
        #expect(script.questions.map(\.number) == ["000007"])
        #expect(script.sent.map(\.kind) == [.reply, .reply, .reply])
    }

    @Test("G1: a sensor without display and keys needs no question")
    func justWorksAsksNothing() {
        var script = bonding()
        script.handle(.agent(Script.agent("RequestAuthorization")))
        script.handle(
            .agent(
                Script.agent(
                    "AuthorizeService", [.string("00001822-0000-1000-8000-00805f9b34fb")])))
        #expect(script.sent.map(\.kind) == [.reply, .reply] && script.questions.isEmpty)
    }

    @Test func nobodyWhoAnswersIsToldSo() {
        var script = bonding()
        script.handle(.agent(Script.agent("RequestPasskey")))
        script.pass(30_000)
        #expect(script.sent.map(\.errorName) == ["org.bluez.Error.Canceled"])
        script.reply(.pair, "org.bluez.Error.AuthenticationCanceled", "Authentication Canceled")
        #expect(script.ending == "timedOut" && script.lastWords.contains("Nobody answered"))
    }

    @Test func aQuestionThatIsWithdrawnCannotBeAnswered() {
        var script = bonding()
        script.handle(.agent(Script.agent("RequestPasskey")))
        script.handle(.agentCanceled)
        script.handle(.answer("1"))
        script.pass(30_000)
        #expect(script.sent.isEmpty)
    }

    @Test func aSecondQuestionTakesTheFirstBack() {
        var script = bonding()
        script.handle(.agent(Script.agent("RequestPasskey")))
        script.handle(.agent(Script.agent("RequestConfirmation", [.uint32(1)])))
        script.handle(.answer("y"))
        #expect(script.sent.map(\.errorName) == ["org.bluez.Error.Canceled", nil])
    }

    @Test func theQuestionOfACancelledWindowIsAnsweredNo() {
        var script = bonding()
        script.handle(.agent(Script.agent("RequestPasskey")))
        script.handle(.cancel)
        #expect(script.sent.map(\.kind) == [.error] && script.isClosed)
    }

    @Test func onlyTheSensorThatIsPairedIsAskedAbout() {
        let script = bonding()
        #expect(script.pairing.isAsked(about: PairingScript.path))
        #expect(!script.pairing.isAsked(about: PairingScript.path + "9"))
        #expect(script.pairing.held == PairingScript.address)
        var other = BusMessage.call(
            to: ":1.9", path: "/org/healthd/agent", interface: "org.bluez.Agent1",
            member: "RequestAuthorization", [.objectPath(PairingScript.path + "9")])
        other.sender = ":1.2"
        var asked = script
        if let request = AgentRequest(other) { asked.handle(.agent(request)) }
        #expect(asked.sent.map(\.errorName) == ["org.bluez.Error.Rejected"])
    }

    @Test(
        "G8: each way to fail has its own words",
        arguments: [
            ("RequestPasskey", "123456", "Failed", "The number was wrong"),
            ("RequestPinCode", "0000", "Failed", "The number was wrong"),
            ("RequestConfirmation", "yes", "Failed", "did not confirm the number"),
            ("RequestConfirmation", "no", "Failed", "the answer was no"),
            ("RequestConfirmation", "no", "Rejected", "the answer was no"),
            ("DisplayPasskey", "", "Failed", "was not typed on the sensor"),
            ("", "", "Timeout", "Bring it into pairing mode"),
            ("", "", "Canceled", "called the pairing off"),
        ])
    func eachFailureHasItsWords(
        member: String, answer: String, error: String, words: String
    ) {
        var script = bonding()
        if !member.isEmpty {
            script.handle(.agent(Script.agent(member, [.uint32(1), .uint16(0)])))
        }
        if !answer.isEmpty { script.handle(.answer(answer)) }
        script.reply(.pair, "org.bluez.Error.Authentication" + error, "Authentication " + error)
        #expect(script.lastWords.contains(words))
        #expect(script.ending == "refused" && script.steps.contains(.untrust))
    }

    @Test(
        "G8: a sensor that refuses every bond and every link is told to be brought into pairing mode"
    )
    func aSensorThatIsNotInPairingModeIsTold() {
        var script = PairingScript(.init(address: PairingScript.address, window: 600_000))
        script.open()
        for _ in 0..<10 where script.ending == nil {
            script.find()
            script.reply(.pair, "org.bluez.Error.AuthenticationRejected", "")
            script.reply(.connect, "org.bluez.Error.Failed", "le-connection-abort-by-local")
            script.pass(10_000)
        }
        #expect(script.ending == "refused" && script.lastWords.contains("pairing mode"))
        #expect(script.lastWords.contains("AuthenticationRejected"))
    }

    @Test func pairThatIsForbiddenIsToldAtOnce() {
        var script = bonding()
        script.reply(.pair, "org.freedesktop.DBus.Error.AccessDenied", "Rejected send message")
        #expect(script.ending == "refused" && script.lastWords.contains("policy"))
    }

    @Test("A4: Pair that is never answered is taken back")
    func pairWithoutAReplyIsTakenBack() {
        var script = bonding()
        script.reply(.pair, BusError.noReply)
        #expect(script.ending == "timedOut" && script.lastWords.contains("two minutes"))
    }

    @Test func aLateReplyToAnEarlierWindowIsNobodys() {
        var first = bonding()
        first.handle(.cancel)
        var second = PairingScript(
            .init(address: PairingScript.address), firstCall: first.pairing.nextCall)
        second.open()
        second.find()
        for mark in first.marks { second.handle(.reply(mark, nil)) }
        #expect(!second.actions.contains { $0.isAdoption })
    }
}
