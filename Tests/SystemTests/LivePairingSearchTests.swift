import DaemonHarness
import FakeBlueZ
import Testing

/// Pairing without a desktop: the search, the first link, and the end of the window.
@Suite struct LivePairingSearchTests {
    @Test("C6: the filter is set before each search, the search ends before any link")
    func theSearchEndsBeforeAnyLink() throws {
        let rig = try LiveRig.strange()
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
        let rig = try LiveRig.strange { $0.advertised = [] }
        rig.fake.add(.mouse())
        rig.fake.wake("C0:FF:EE:00:00:09")
        let window = try PairingWindow(rig)
        let candidate = try window.line("\"class\":\"candidate\"")
        #expect(candidate.contains(LiveRig.oximeter))
        try window.line("\"kind\":\"choose\"")
        try window.answer(LiveRig.oximeter)
        _ = try window.test()
        try rig.expectPaired()
    }

    @Test("C1: a search that somebody says is running already is used, not repeated without end")
    func aRunningSearchIsUsed() throws {
        let rig = try LiveRig.strange()
        rig.fake.setDiscovering(true)
        rig.fake.setFault(
            Fault("StartDiscovery", .fails("InProgress", "Operation already in progress")))
        _ = try PairingWindow(rig, LiveRig.oximeter).test()
        #expect(rig.fake.calls("StartDiscovery").count < 5)
        try rig.expectPaired()
    }

    @Test("C2: a search that cannot be stopped as there is none keeps nobody from pairing")
    func aSearchThatIsGoneKeepsNobodyFromPairing() throws {
        let rig = try LiveRig.strange()
        rig.fake.setFault(Fault("StopDiscovery", .fails("Failed", "No discovery started")))
        _ = try PairingWindow(rig, LiveRig.oximeter).test()
        try rig.expectPaired()
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
        let rig = try LiveRig.strange()
        rig.fake.setPace { $0.forgetting = .milliseconds(1) }
        _ = try PairingWindow(rig, LiveRig.oximeter).test()
        try rig.expectPaired()
    }

    @Test("D3: a sensor that makes no bond is connected to, and kept by trusting it")
    func aSensorThatMakesNoBondIsConnectedTo() throws {
        let rig = try LiveRig.strange { $0.pairing = .impossible }
        _ = try PairingWindow(rig, LiveRig.oximeter).test()
        try rig.expectPaired()
        #expect(rig.fake.calls("Disconnect").isEmpty)
        rig.fake.drop(LiveRig.oximeter)
        try rig.fake.waitUntilArmed("2a5f", of: LiveRig.oximeter)
        try rig.expectStream(93...95)
    }

    @Test("D9: a Connect that succeeds without a link is not believed")
    func aConnectWithoutALinkIsNotBelieved() throws {
        let rig = try LiveRig.strange { $0.pairing = .impossible }
        rig.fake.setFault(Fault("Pair", .fails("AuthenticationFailed", "Authentication Failed")))
        rig.fake.setFault(Fault("Connect", times: 1, .succeeds))
        _ = try PairingWindow(rig, LiveRig.oximeter).test()
        #expect(rig.fake.calls("Connect").count > 1)
        try rig.expectPaired()
    }

    @Test("D1: a Connect that is under way already is waited for")
    func aConnectThatIsUnderWayIsWaitedFor() throws {
        let rig = try LiveRig.strange { $0.pairing = .impossible }
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
        let rig = try LiveRig.strange { $0.pairing = .impossible }
        rig.fake.setFault(Fault("Pair", .fails("AuthenticationFailed", "Authentication Failed")))
        rig.fake.setFault(
            Fault("Connect", times: 2, .fails("Failed", "le-connection-abort-by-local")))
        _ = try PairingWindow(rig, LiveRig.oximeter).test()
        #expect(rig.fake.calls("Connect").count == 3)
        try rig.expectPaired()
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
        let rig = try LiveRig.strange { $0.pairing = .display(123_456) }
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
}
