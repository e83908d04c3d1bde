import BlueZ
import DBus
import Measurements
import Testing

@Suite struct SupervisorStopTests {
    private static let fever: [UInt8] = [0, 0x6f, 0x01, 0, 0xff]

    private static func isStopped(_ actions: [BlueZAction]) -> Bool {
        actions.contains { if case .stopped = $0 { true } else { false } }
    }

    private static func trusts(_ actions: [BlueZAction]) -> [Bool] {
        actions.calls(of: "Set").compactMap { $0.arguments.last?.bool }
    }

    @Test func aSleepingBondedSensorIsLeftAtOnce() {
        var script = BusScript.started()
        _ = script.look()
        script.give(.stop)
        let wanted = script.look()
        #expect(Self.trusts(wanted) == [false])
        #expect(wanted.members == ["Set", "Disconnect"])
        #expect(Self.isStopped(wanted))
        #expect(script.supervisor.nextDeadline == nil)
    }

    @Test func anUnbondedSensorIsLeftAlone() {
        var script = BusScript.started(paired: false)
        _ = script.look()
        script.give(.stop)
        let wanted = script.look()
        #expect(wanted.members.isEmpty && Self.isStopped(wanted))
    }

    @Test func aRunningTransferIsTakenInFirst() {
        var script = BusScript.started()
        script.connected()
        script.value(BusScript.temperature, Self.fever)
        script.give(.stop)
        _ = script.look()
        for _ in 0..<3 {
            script.pass(600)
            script.value(BusScript.temperature, Self.fever)
        }
        let during = script.look()
        #expect(during.events.count == 3 && during.members.isEmpty)
        script.dropped()
        let after = script.look()
        #expect(after.members == ["Set", "Disconnect"] && Self.isStopped(after))
    }

    @Test func aTransferWithoutEndIsWaitedForFourSeconds() {
        var script = BusScript.started()
        script.connected()
        script.value(BusScript.temperature, Self.fever)
        script.give(.stop)
        let begin = script.boot
        while !script.look().members.contains("Set"), script.boot < begin + 20_000 {
            script.pass(200)
            script.value(BusScript.temperature, Self.fever)
        }
        #expect((3_900...4_400).contains(script.boot - begin))
    }

    @Test func aStreamIsNotWaitedFor() {
        var script = BusScript.started()
        script.connected()
        script.resolved()
        script.value(BusScript.continuous, [0, 97, 0, 62, 0])
        _ = script.look()
        script.give(.stop)
        #expect(script.look().members.first == "Set")
    }

    @Test("A4: a bluetoothd that hangs keeps nobody from stopping")
    func hangingDoesNotHold() {
        var script = BusScript.started()
        script.silent = ["Set", "Disconnect"]
        script.give(.stop)
        _ = script.look()
        script.pass(1_000)
        #expect(Self.isStopped(script.look()))
    }

    @Test("A1: without bluetoothd it stops at once")
    func absenceDoesNotHold() {
        var script = BusScript()
        script.owner = nil
        script.start()
        script.give(.stop)
        #expect(Self.isStopped(script.look()))
    }

    @Test func bluetoothdMayGoWhileASensorIsLeft() {
        var script = BusScript.started()
        script.silent = ["Set"]
        script.give(.stop)
        script.ownerChanged(to: nil)
        #expect(Self.isStopped(script.look()))
    }

    @Test func afterTheStopNothingIsDone() {
        var script = BusScript.started()
        script.give(.stop)
        _ = script.look()
        script.connected()
        script.value(BusScript.temperature, Self.fever)
        script.pass(100_000)
        #expect(script.look().isEmpty)
    }

    @Test func aSensorThatIsNoLongerWantedIsLeftToo() {
        var settings = Settings.plain
        settings.sensors[BusScript.address] = Settings.Sensor()
        var script = BusScript.started(settings)
        _ = script.look()
        settings.sensors[BusScript.address]?.isEnabled = false
        script.give(.settings(settings))
        #expect(script.look().members == ["Set", "Disconnect"])
        #expect(script.supervisor.snapshot(at: script.now).sensors.first?.state == "disabled")
        settings.sensors[BusScript.address]?.isEnabled = true
        script.give(.settings(settings))
        let again = script.look()
        #expect(Self.trusts(again) == [true] && again.paths(of: "StartNotify").count == 3)
    }
}
