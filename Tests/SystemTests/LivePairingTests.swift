import DBus
import DaemonHarness
import FakeBlueZ
import Testing

/// A window for pairing, as a program opens it.
private struct PairingWindow {
    let rig: LiveRig
    private let client: LineClient

    init(_ rig: LiveRig, _ options: String = "") throws {
        self.rig = rig
        client = try rig.daemon.connect()
        try client.send("pair \(options)\n")
    }

    /// Goes on to the line that has this text, and gives it; the end of the reply is such a line too.
    @discardableResult
    func line(_ text: String) throws -> String {
        var seen: [String] = []
        while let line = try client.line() {
            if line.contains(text) { return line }
            seen.append(line)
            guard !line.hasPrefix("OK"), !line.hasPrefix("ERR") else { break }
        }
        throw HarnessError("\(text) does not come, but \(seen)")
    }

    func answer(_ text: String) throws {
        try client.send("answer \(text)\n")
    }

    /// Lets the sensor send the reading that is waited for, and goes on to the end.
    func test(_ address: String = LiveRig.oximeter) throws -> String {
        try line("\"step\":\"test\"")
        try rig.fake.waitUntilArmed("2a5f", of: address)
        rig.fake.send(Frame.continuous(97), of: "2a5f", from: address)
        let done = try line("\"step\":\"done\"")
        try line("OK")
        return done
    }

    func hangUp() { client.hangUp() }
}

/// Pairing without a desktop.
@Suite struct LivePairingTests {
    /// A rig with a sensor that nobody knows and that is awake.
    private func strange(_ change: (inout FakeSensor) -> Void = { _ in }) throws -> LiveRig {
        var sensor = FakeSensor.oximeter()
        change(&sensor)
        let rig = try LiveRig(sensor)
        try rig.fake.waitUntilRegistered()
        rig.fake.wake(LiveRig.oximeter)
        return rig
    }

    private func expectPaired(_ rig: LiveRig) throws {
        #expect(rig.fake.isTrusted(LiveRig.oximeter) == true)
        #expect(rig.fake.connectsByItself(LiveRig.oximeter))
        #expect(try rig.wait(for: 1, "spo2") == ["97"])
        try rig.expectStream(90...92)
    }

    @Test(
        "G1: healthctl pair --yes pairs the only sensor there is, and ends when a reading has come")
    func healthctlPairsTheOnlySensor() throws {
        let rig = try strange()
        let client = try ChildProcess(
            [BuiltProgram.healthctl.path, "pair", "--yes"],
            environment: ["TZ": "UTC", "HEALTHD_SOCKET": rig.daemon.socket])
        try rig.fake.waitUntilArmed("2a5f", of: LiveRig.oximeter)
        try waitUntil { client.errors.contains("measurement") }
        rig.fake.send(Frame.continuous(97), of: "2a5f", from: LiveRig.oximeter)
        #expect(try client.wait() == .exit(0))
        #expect(client.output.contains("97"))
        try expectPaired(rig)
        #expect(rig.fake.calls("RequestDefaultAgent").isEmpty)
    }

    @Test("H3: a sensor that was paired comes by itself when it wakes again")
    func aSensorThatWasPairedComesByItself() throws {
        let rig = try strange()
        _ = try PairingWindow(rig, LiveRig.oximeter).test()
        rig.fake.sleep(LiveRig.oximeter)
        rig.fake.forgetCalls()
        rig.fake.wake(LiveRig.oximeter)
        try rig.fake.waitUntilArmed("2a5f", of: LiveRig.oximeter)
        try rig.expectStream(90...92)
        rig.expectGoodManners()
    }

    @Test("C6: the filter is set before each search, the search ends before any link")
    func theSearchEndsBeforeAnyLink() throws {
        let rig = try strange()
        rig.fake.forgetCalls()
        _ = try PairingWindow(rig, LiveRig.oximeter).test()
        let members = rig.fake.allCalls.map(\.member)
        func place(_ member: String) throws -> Int { try #require(members.firstIndex(of: member)) }
        #expect(try place("SetDiscoveryFilter") < place("StartDiscovery"))
        #expect(try place("StopDiscovery") < place("Pair"))
        // Trusted first: bluetoothd forgets an untrusted one at its first drop.
        #expect(try place("Set") < place("Pair"))
        #expect(rig.fake.calls("RemoveDevice").isEmpty)
    }

    @Test(
        "G3: a passkey that the sensor shows is asked for, and told to bluetoothd",
        arguments: [123_456, 7] as [UInt32])
    func aPasskeyIsAskedFor(number: UInt32) throws {
        let rig = try strange { $0.pairing = .display(number) }
        let window = try PairingWindow(rig, LiveRig.oximeter)
        try window.line("\"kind\":\"passkey\"")
        let digits = String(number)
        try window.answer(String(repeating: "0", count: 6 - digits.count) + digits)
        _ = try window.test()
        try expectPaired(rig)
    }

    @Test("G3: a wrong passkey is told as such")
    func aWrongPasskeyIsTold() throws {
        let rig = try strange { $0.pairing = .display(123_456) }
        let window = try PairingWindow(rig, LiveRig.oximeter)
        try window.line("\"kind\":\"passkey\"")
        try window.answer("111111")
        let end = try window.line("ERR")
        #expect(end.contains("The number was wrong"))
        try waitUntil { rig.fake.isTrusted(LiveRig.oximeter) != true }
    }

    @Test("G3: numbers are compared, and a no is a no", arguments: [true, false])
    func numbersAreCompared(isSame: Bool) throws {
        let rig = try strange { $0.pairing = .compare(4711) }
        let window = try PairingWindow(rig, LiveRig.oximeter)
        #expect(try window.line("\"kind\":\"confirm\"").contains("004711"))
        try window.answer(isSame ? "yes" : "no")
        guard isSame else {
            #expect(try window.line("ERR").contains("the answer was no"))
            return
        }
        _ = try window.test()
        try expectPaired(rig)
    }

    @Test("G3: a number that has to be typed on the sensor is shown")
    func aNumberToTypeIsShown() throws {
        let rig = try strange { $0.pairing = .keyboard(81_5) }
        let window = try PairingWindow(rig, LiveRig.oximeter)
        #expect(try window.line("\"kind\":\"display\"").contains("000815"))
        _ = try window.test()
        try expectPaired(rig)
    }

    @Test("G3: a PIN is asked for")
    func aPINIsAskedFor() throws {
        let rig = try strange { $0.pairing = .pin("0000") }
        let window = try PairingWindow(rig, LiveRig.oximeter)
        try window.line("\"kind\":\"pin\"")
        try window.answer("0000")
        _ = try window.test()
        try expectPaired(rig)
    }

    @Test("G3: outside a window strangers are refused")
    func outsideAWindowStrangersAreRefused() throws {
        let rig = try strange()
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
        let rig = try strange { $0.hangsUpAfterPairing = true }
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
        let rig = try strange()
        rig.fake.setFault(
            Fault("Pair", .fails("AuthenticationTimeout", "Authentication Timeout")))
        let end = try PairingWindow(rig, LiveRig.oximeter).line("ERR")
        #expect(end.contains("pairing mode"))
        #expect(end.contains("hold its button"))
    }

    @Test("C7: a sensor that bluetoothd knows already is found without an advert")
    func aKnownSensorIsFound() throws {
        let rig = try LiveRig(.oximeter()) { $0.know(LiveRig.oximeter, isPaired: false) }
        try rig.fake.waitUntilRegistered()
        let window = try PairingWindow(rig)
        try window.line("\"class\":\"candidate\"")
        window.hangUp()
        try rig.fake.waitForCall("StopDiscovery")
    }

    @Test("C5: what is no sensor is no candidate; C10: one that advertises no service may be one")
    func onlySensorsAreCandidates() throws {
        let rig = try strange { $0.advertised = [] }
        rig.fake.add(.mouse())
        rig.fake.wake("C0:FF:EE:00:00:09")
        let window = try PairingWindow(rig)
        let candidate = try window.line("\"class\":\"candidate\"")
        #expect(candidate.contains(LiveRig.oximeter))
        try window.line("\"kind\":\"choose\"")
        try window.answer(LiveRig.oximeter)
        _ = try window.test()
        try expectPaired(rig)
    }

    @Test("C1: a search that somebody says is running already is used, not repeated without end")
    func aRunningSearchIsUsed() throws {
        let rig = try strange()
        rig.fake.setDiscovering(true)
        rig.fake.setFault(
            Fault("StartDiscovery", .fails("InProgress", "Operation already in progress")))
        _ = try PairingWindow(rig, LiveRig.oximeter).test()
        #expect(rig.fake.calls("StartDiscovery").count < 5)
        try expectPaired(rig)
    }

    @Test("C2: a search that cannot be stopped as there is none keeps nobody from pairing")
    func aSearchThatIsGoneKeepsNobodyFromPairing() throws {
        let rig = try strange()
        rig.fake.setFault(Fault("StopDiscovery", .fails("Failed", "No discovery started")))
        _ = try PairingWindow(rig, LiveRig.oximeter).test()
        try expectPaired(rig)
    }

    @Test("C3: a search that the adapter refuses is tried again with rests, then told")
    func aRefusedSearchIsTold() throws {
        let rig = try LiveRig(.oximeter())
        try rig.fake.waitUntilRegistered()
        rig.fake.setFault(Fault("StartDiscovery", .fails("Failed", "Operation failed")))
        let end = try PairingWindow(rig, "window=10s").line("ERR")
        #expect(end.contains("does not search"))
        #expect((1..<10).contains(rig.fake.calls("StartDiscovery").count))
    }

    @Test("C8: a sensor that bluetoothd forgets soon after the search is paired in time")
    func aSensorThatIsForgottenSoonIsPairedInTime() throws {
        let rig = try strange()
        rig.fake.setPace { $0.forgetting = .milliseconds(1) }
        _ = try PairingWindow(rig, LiveRig.oximeter).test()
        try expectPaired(rig)
    }

    @Test("D3: a sensor that makes no bond is connected to, and kept by trusting it")
    func aSensorThatMakesNoBondIsConnectedTo() throws {
        let rig = try strange { $0.pairing = .impossible }
        _ = try PairingWindow(rig, LiveRig.oximeter).test()
        try expectPaired(rig)
        #expect(rig.fake.calls("Disconnect").isEmpty)
        rig.fake.drop(LiveRig.oximeter)
        try rig.fake.waitUntilArmed("2a5f", of: LiveRig.oximeter)
        try rig.expectStream(93...95)
    }

    @Test("D9: a Connect that succeeds without a link is not believed")
    func aConnectWithoutALinkIsNotBelieved() throws {
        let rig = try strange { $0.pairing = .impossible }
        rig.fake.setFault(Fault("Pair", .fails("AuthenticationFailed", "Authentication Failed")))
        rig.fake.setFault(Fault("Connect", times: 1, .succeeds))
        _ = try PairingWindow(rig, LiveRig.oximeter).test()
        #expect(rig.fake.calls("Connect").count > 1)
        try expectPaired(rig)
    }

    @Test("D1: a Connect that is under way already is waited for")
    func aConnectThatIsUnderWayIsWaitedFor() throws {
        let rig = try strange { $0.pairing = .impossible }
        rig.fake.setFault(Fault("Pair", .fails("AuthenticationFailed", "Authentication Failed")))
        rig.fake.setFault(
            Fault("Connect", times: 1, .fails("Failed", "Operation already in progress")))
        let window = try PairingWindow(rig, LiveRig.oximeter)
        try rig.fake.waitForCall("Connect")
        rig.fake.connect(LiveRig.oximeter)
        _ = try window.test()
        #expect(rig.fake.calls("Connect").count == 1)
    }

    @Test("D3: le-connection-abort-by-local says nothing: it is tried again after a rest")
    func anAbortIsTriedAgain() throws {
        let rig = try strange { $0.pairing = .impossible }
        rig.fake.setFault(Fault("Pair", .fails("AuthenticationFailed", "Authentication Failed")))
        rig.fake.setFault(
            Fault("Connect", times: 2, .fails("Failed", "le-connection-abort-by-local")))
        _ = try PairingWindow(rig, LiveRig.oximeter).test()
        #expect(rig.fake.calls("Connect").count == 3)
        try expectPaired(rig)
    }

    @Test("A3: a bluetoothd that ends in the middle of a window is told")
    func aBluetoothdThatEndsInAWindowIsTold() throws {
        let rig = try LiveRig(.oximeter())
        try rig.fake.waitUntilRegistered()
        let window = try PairingWindow(rig, LiveRig.oximeter)
        try rig.fake.waitForCall("StartDiscovery")
        rig.fake.kill()
        #expect(try window.line("ERR").contains("bluetoothd-absent"))
    }

    @Test func anOperatorWhoHangsUpLeavesNothingBehind() throws {
        let rig = try strange { $0.pairing = .display(123_456) }
        let window = try PairingWindow(rig, LiveRig.oximeter)
        try window.line("\"kind\":\"passkey\"")
        window.hangUp()
        try rig.fake.waitForCall("CancelPairing")
        try waitUntil { rig.fake.isTrusted(LiveRig.oximeter) != true }
        #expect(rig.fake.calls("StartDiscovery").count == rig.fake.calls("StopDiscovery").count)
    }

    @Test func aSecondWindowIsRefusedWhileOneIsOpen() throws {
        let rig = try LiveRig(.oximeter())
        try rig.fake.waitUntilRegistered()
        let first = try PairingWindow(rig, LiveRig.oximeter)
        try rig.fake.waitForCall("StartDiscovery")
        #expect(try PairingWindow(rig).line("ERR").contains("409 busy"))
        first.hangUp()
    }

    @Test func withoutAnAdapterAWindowIsNotOpened() throws {
        let rig = try LiveRig { $0.unplug() }
        try rig.why("no-adapter")
        #expect(try PairingWindow(rig).line("ERR").contains("503 no-adapter"))
        rig.fake.kill()
        try rig.why("bluetoothd-absent")
        #expect(try PairingWindow(rig).line("ERR").contains("503 bluetoothd-absent"))
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
