import DBus
import DaemonHarness
import FakeBlueZ
import Testing

/// Pairing without a desktop: bonds, and the questions that they have.
@Suite struct LivePairingTests {
    @Test(
        "G1: healthctl pair --yes pairs the only sensor there is, and ends when a reading has come")
    func healthctlPairsTheOnlySensor() throws {
        let rig = try LiveRig.strange()
        let client = try ChildProcess(
            [BuiltProgram.healthctl.path, "pair", "--yes"],
            environment: ["TZ": "UTC", "HEALTHD_SOCKET": rig.daemon.socket])
        try rig.fake.waitUntilArmed("2a5f", of: LiveRig.oximeter)
        try waitUntil { client.errors.contains("measurement") }
        rig.fake.send(Frame.continuous(97), of: "2a5f", from: LiveRig.oximeter)
        #expect(try client.wait() == .exit(0))
        #expect(client.output.contains("97"))
        try rig.expectPaired()
        #expect(rig.fake.calls("RequestDefaultAgent").isEmpty)
    }

    @Test("H3: a sensor that was paired comes by itself when it wakes again")
    func aSensorThatWasPairedComesByItself() throws {
        let rig = try LiveRig.strange()
        _ = try PairingWindow(rig, LiveRig.oximeter).test()
        rig.fake.sleep(LiveRig.oximeter)
        rig.fake.forgetCalls()
        rig.fake.wake(LiveRig.oximeter)
        try rig.fake.waitUntilArmed("2a5f", of: LiveRig.oximeter)
        try rig.expectStream(90...92)
        rig.expectGoodManners()
    }

    @Test(
        "G3: a passkey that the sensor shows is asked for, and told to bluetoothd",
        arguments: [123_456, 7] as [UInt32])
    func aPasskeyIsAskedFor(number: UInt32) throws {
        let rig = try LiveRig.strange { $0.pairing = .display(number) }
        let window = try PairingWindow(rig, LiveRig.oximeter)
        try window.line("\"kind\":\"passkey\"")
        let digits = String(number)
        try window.answer(String(repeating: "0", count: 6 - digits.count) + digits)
        _ = try window.test()
        try rig.expectPaired()
    }

    @Test("G3: a wrong passkey is told as such")
    func aWrongPasskeyIsTold() throws {
        let rig = try LiveRig.strange { $0.pairing = .display(123_456) }
        let window = try PairingWindow(rig, LiveRig.oximeter)
        try window.line("\"kind\":\"passkey\"")
        try window.answer("111111")
        let end = try window.line("ERR")
        #expect(end.contains("The number was wrong"))
        try waitUntil { rig.fake.isTrusted(LiveRig.oximeter) != true }
    }

    @Test("G3: numbers are compared, and a no is a no", arguments: [true, false])
    func numbersAreCompared(isSame: Bool) throws {
        let rig = try LiveRig.strange { $0.pairing = .compare(4711) }
        let window = try PairingWindow(rig, LiveRig.oximeter)
        #expect(try window.line("\"kind\":\"confirm\"").contains("004711"))
        try window.answer(isSame ? "yes" : "no")
        guard isSame else {
            #expect(try window.line("ERR").contains("the answer was no"))
            return
        }
        _ = try window.test()
        try rig.expectPaired()
    }

    @Test("G3: a number that has to be typed on the sensor is shown")
    func aNumberToTypeIsShown() throws {
        let rig = try LiveRig.strange { $0.pairing = .keyboard(81_5) }
        let window = try PairingWindow(rig, LiveRig.oximeter)
        #expect(try window.line("\"kind\":\"display\"").contains("000815"))
        _ = try window.test()
        try rig.expectPaired()
    }

    @Test("G3: a PIN is asked for")
    func aPINIsAskedFor() throws {
        let rig = try LiveRig.strange { $0.pairing = .pin("0000") }
        let window = try PairingWindow(rig, LiveRig.oximeter)
        try window.line("\"kind\":\"pin\"")
        try window.answer("0000")
        _ = try window.test()
        try rig.expectPaired()
    }

    @Test("G3: outside a window strangers are refused")
    func outsideAWindowStrangersAreRefused() throws {
        let rig = try LiveRig.strange()
        let agent = try #require(rig.fake.agents.first)
        let stranger = BusValue.objectPath(rig.fake.path(LiveRig.oximeter))
        for (member, more) in [
            ("RequestAuthorization", nil), ("RequestPasskey", nil), ("RequestPinCode", nil),
            ("RequestConfirmation", BusValue.uint32(1)),
        ] {
            let answer = try rig.fake.ask(
                agent.client, path: agent.path, interface: "org.bluez.Agent1", member: member,
                [stranger] + [more].compactMap(\.self))
            #expect(answer.errorName == "org.bluez.Error.Rejected", "\(member)")
        }
    }

    @Test("G6: a sensor that is paired already is not paired again, only tried")
    func aPairedSensorIsOnlyTried() throws {
        let rig = try LiveRig(.oximeter()) { $0.know(LiveRig.oximeter) }
        try rig.fake.waitUntilRegistered()
        rig.fake.wake(LiveRig.oximeter)
        try rig.fake.waitUntilArmed("2a5f", of: LiveRig.oximeter)
        _ = try PairingWindow(rig, LiveRig.oximeter).test()
        #expect(rig.fake.calls("Pair").isEmpty)
        #expect(rig.fake.calls("RemoveDevice").isEmpty)
    }

    @Test("G7: a sensor that hangs up at the end of pairing is waited for until its next wake")
    func aSensorThatHangsUpAfterPairingIsWaitedFor() throws {
        let rig = try LiveRig.strange { $0.hangsUpAfterPairing = true }
        let window = try PairingWindow(rig, LiveRig.oximeter)
        try window.line("\"step\":\"test\"")
        try rig.fake.waitUntilConnected(LiveRig.oximeter, false)
        rig.fake.wake(LiveRig.oximeter)
        try rig.fake.waitUntilArmed("2a5f", of: LiveRig.oximeter)
        rig.fake.send(Frame.continuous(97), of: "2a5f", from: LiveRig.oximeter)
        try window.line("\"step\":\"done\"")
        try window.line("OK")
        #expect(try rig.wait(for: 1, "spo2") == ["97"])
    }

    @Test("G8: a sensor that is not in pairing mode is told in words that help")
    func aSensorThatIsNotInPairingModeIsTold() throws {
        let rig = try LiveRig.strange()
        rig.fake.setFault(
            Fault("Pair", .fails("AuthenticationTimeout", "Authentication Timeout")))
        let end = try PairingWindow(rig, LiveRig.oximeter).line("ERR")
        #expect(end.contains("pairing mode"))
        #expect(end.contains("hold its button"))
    }

    @Test func forgettingRemovesTheBondOnlyWhenItIsConfirmed() throws {
        let rig = try LiveRig.withOximeter()
        try rig.expectStream(90...92)
        #expect(try rig.daemon.healthctl(["forget", LiveRig.oximeter]).wait() == .exit(2))
        #expect(rig.fake.calls("RemoveDevice").isEmpty)
        let client = try rig.daemon.healthctl(["forget", LiveRig.oximeter, "--yes"])
        #expect(try client.wait() == .exit(0))
        #expect(rig.fake.calls("RemoveDevice").count == 1)
        #expect(rig.fake.isTrusted(LiveRig.oximeter) == nil)
        #expect(try rig.values("spo2").count == 3)
    }
}
