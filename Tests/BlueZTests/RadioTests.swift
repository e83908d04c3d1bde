import BlueZ
import DBus
import Measurements
import Testing

/// Adapters that come, go, are off, or are used by others.
@Suite struct RadioTests {
    private static func finding(_ script: BusScript) -> String? {
        script.supervisor.snapshot(at: script.now).findings.first?.code
    }

    @Test("B1: without an adapter it waits, and says so")
    func noAdapterIsTold() {
        var script = BusScript()
        script.objects["/org/bluez"] = ["org.bluez.AgentManager1": []]
        script.start()
        #expect(Self.finding(script) == "no-adapter")
        script.pass(3_600_000)
        #expect(script.supervisor.nextDeadline == nil)
    }

    @Test("B2: an adapter that is off is not switched on unasked")
    func offStaysOff() {
        var script = BusScript()
        script.addHost(powered: false)
        script.addSensor()
        script.start()
        script.pass(3_600_000)
        let wanted = script.look()
        #expect(!wanted.members.contains("Set"))
        #expect(wanted.contains { if case .askRadioBlock = $0 { true } else { false } })
    }

    @Test("B2: an adapter that may be switched on is, once each time that it appears")
    func poweringIsTriedOnce() {
        var settings = Settings.plain
        settings.powersOn = true
        var script = BusScript(settings)
        script.addHost(powered: false)
        script.errors["Set *"] = BusError(name: "org.bluez.Error.Failed", text: "Failed")
        script.start()
        script.pass(3_600_000)
        #expect(script.look().calls(of: "Set").map { $0.arguments[1].text } == ["Powered"])
    }

    @Test("B3: a block of the kernel is told")
    func blockIsTold() {
        var script = BusScript()
        script.addHost(powered: false)
        script.start()
        script.give(.radioBlock(.soft))
        let finding = script.supervisor.snapshot(at: script.now).findings.first
        #expect(finding?.nextStep?.contains("rfkill") == true)
    }

    @Test("B4: while the adapter is off links are over; when it is on again sessions are asked for")
    func powerCycleIsSurvived() {
        var script = BusScript.started()
        script.connected()
        script.resolved()
        _ = script.look()
        script.change(BusScript.adapter, BusScript.adapter1, [("Powered", .boolean(false))])
        let off = script.look()
        #expect(off.events.map(\.kind) == [.disconnect])
        #expect(off.notes == [.adapterOff, .lost] && off.members.isEmpty)
        script.dropped()
        _ = script.look()
        script.change(BusScript.adapter, BusScript.adapter1, [("Powered", .boolean(true))])
        let on = script.look()
        #expect(on.notes == [.adapterOn] && on.paths(of: "StartNotify").count == 3)
    }

    @Test("B7: an adapter without an address is not there yet")
    func zeroAddressIsIgnored() {
        var script = BusScript()
        script.objects["/org/bluez"] = ["org.bluez.AgentManager1": []]
        script.start()
        script.add(
            BusScript.adapter, BusScript.adapter1,
            [("Address", .string("00:00:00:00:00:00")), ("Powered", .boolean(true))])
        #expect(Self.finding(script) == "no-adapter")
        script.change(
            BusScript.adapter, BusScript.adapter1, [("Address", .string("00:AA:01:00:00:01"))])
        #expect(script.look().notes.contains(.adapterAdded))
        #expect(Self.finding(script) == nil)
    }

    @Test("C15: somebody else's search is told as a hint")
    func othersSearchIsTold() {
        var script = BusScript.started()
        script.change(BusScript.adapter, BusScript.adapter1, [("Discovering", .boolean(true))])
        script.pass(600_000)
        let findings = script.supervisor.snapshot(at: script.now).findings
        #expect(findings.contains { $0.level == .warn })
        script.change(BusScript.adapter, BusScript.adapter1, [("Discovering", .boolean(false))])
        #expect(script.supervisor.snapshot(at: script.now).findings.isEmpty)
    }

    @Test func aProfileThatIsRefusedIsToldAndTriedAgain() {
        var script = BusScript()
        script.addHost()
        script.errors["RegisterApplication *"] = BusError(
            name: "org.bluez.Error.Failed", text: "no")
        script.start()
        #expect(script.supervisor.snapshot(at: script.now).findings.isEmpty == false)
        script.errors = [:]
        script.pass(1_000)
        #expect(script.supervisor.snapshot(at: script.now).findings.isEmpty)
    }

    @Test func aProfileThatWasRegisteredAlreadyIsThere() {
        var script = BusScript()
        script.addHost()
        script.errors["RegisterApplication *"] = BusError(name: "org.bluez.Error.AlreadyExists")
        script.start()
        #expect(script.supervisor.snapshot(at: script.now).findings.isEmpty)
        #expect(script.supervisor.nextDeadline == nil)
    }
}
