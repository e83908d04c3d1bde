import BlueZ
import DBus
import Measurements
import Testing

/// One sensor that refuses, drops, forgets or is taken away.
@Suite struct SensorTroubleTests {
    private static let notConnected = BusError(
        name: "org.bluez.Error.Failed", text: "Not connected")

    private static func att(_ code: String) -> BusError {
        BusError(
            name: "org.bluez.Error.Failed", text: "Operation failed with ATT error: \(code)")
    }

    private static func sensor(_ script: BusScript) -> RadioSnapshot.Sensor? {
        script.supervisor.snapshot(at: script.now).sensors.first
    }

    @Test("F1: what may go well later is tried again on the same link, ever more rarely")
    func transientIsRetried() {
        var script = BusScript.started()
        script.connected()
        script.errors["StartNotify \(BusScript.temperature)"] = Self.att("0x0e")
        script.resolved()
        _ = script.look()
        script.pass(20_000)
        let tries = script.look().paths(of: "StartNotify").count
        #expect((3...4).contains(tries))
        script.errors = [:]
        for _ in 0..<60 {
            script.value(BusScript.continuous, [0, 97, 0, 62, 0])
            script.pass(10_000)
        }
        #expect(script.look().paths(of: "StartNotify") == [BusScript.temperature])
    }

    @Test("F1: whatever refuses for ever is left alone in the end")
    func retriesEnd() {
        var script = BusScript.started()
        script.connected()
        script.errors["StartNotify *"] = BusError(name: "org.bluez.Error.Odd", text: "who knows")
        script.resolved()
        script.pass(3_600_000)
        _ = script.look()
        script.pass(3_600_000)
        #expect(script.look().paths(of: "StartNotify").isEmpty)
        #expect(Self.sensor(script)?.findings.contains { $0.code == "arming-failed" } == true)
    }

    @Test("F3: a link that is not encrypted enough is told, after one more try")
    func bondIsWanted() {
        var script = BusScript.started()
        script.connected()
        _ = script.look()
        script.errors["StartNotify *"] = BusError(
            name: "org.bluez.Error.NotPermitted", text: "Not paired")
        script.resolved()
        script.pass(60_000)
        let wanted = script.look()
        #expect(wanted.paths(of: "StartNotify").count <= 9)
        #expect(wanted.notes.filter { $0 == .refused }.count == 3)
        #expect(Self.sensor(script)?.findings.contains { $0.code == "bond-wanted" } == true)
    }

    @Test("F5: a characteristic that another program holds is told, with what it means")
    func heldIsTold() {
        var script = BusScript.started()
        script.connected()
        script.errors["StartNotify \(BusScript.continuous)"] = BusError(
            name: "org.bluez.Error.NotPermitted", text: "Notify acquired")
        script.resolved()
        #expect(Self.sensor(script)?.findings.first?.code == "held-by-another")
        script.errors = [:]
        script.dropped()
        script.connected()
        script.resolved()
        #expect(Self.sensor(script)?.findings.contains { $0.code == "held-by-another" } == false)
    }

    @Test("F5: a characteristic that another program holds is asked for again once a minute")
    func heldIsAskedForAgain() {
        var script = BusScript.started()
        script.connected()
        script.errors["StartNotify \(BusScript.continuous)"] = BusError(
            name: "org.bluez.Error.NotPermitted", text: "Notify acquired")
        script.resolved()
        _ = script.look()
        script.pass(600_000)
        let held = script.look()
        let tries = held.paths(of: "StartNotify").count { $0 == BusScript.continuous }
        #expect((9...11).contains(tries))
        #expect(!held.notes.contains(.refused))
        script.errors = [:]
        script.pass(61_000)
        #expect(Self.sensor(script)?.findings.contains { $0.code == "held-by-another" } == false)
    }

    @Test("A refusal that stays the same is in the ledger once, not at each link")
    func refusalIsNotedOnce() {
        var script = BusScript.started()
        script.errors["StartNotify \(BusScript.continuous)"] = BusError(
            name: "org.bluez.Error.NotPermitted", text: "Notify acquired")
        for _ in 0..<5 {
            script.connected()
            script.resolved()
            script.dropped()
        }
        #expect(script.look().notes.filter { $0 == .refused }.count == 1)
    }

    @Test("Fact 5: In Progress on a link counts as armed, and is asked about again")
    func inProgressIsChecked() {
        var script = BusScript.started()
        script.connected()
        script.errors["StartNotify *"] = BusError(
            name: "org.bluez.Error.InProgress", text: "In Progress")
        _ = script.look()
        script.resolved()
        #expect(script.look().notes.contains(.armed))
        script.pass(2_000)
        #expect(script.look().paths(of: "StartNotify").count == 3)
        for _ in 0..<60 {
            script.value(BusScript.continuous, [0, 97, 0, 62, 0])
            script.pass(10_000)
        }
        #expect(script.look().paths(of: "StartNotify").count == 6)
    }

    @Test("A sensor that does not answer StartNotify on a link is cut off")
    func stuckArmingIsCut() {
        var script = BusScript.started()
        script.silent = ["StartNotify"]
        script.connected()
        script.resolved()
        script.pass(10_100)
        let wanted = script.look()
        #expect(wanted.notes.contains(.stuck))
        #expect(wanted.members.filter { $0 == "Disconnect" }.count == 1)
    }

    @Test("D8: a sensor that sleeps away before its services are resolved stays armed")
    func sleepingAwayIsNoFault() {
        var script = BusScript.started()
        for _ in 0..<2 {
            script.connected()
            script.pass(3_000)
            script.dropped()
            script.pass(60_000)
        }
        let sensor = Self.sensor(script)
        #expect(sensor?.state == "armed" && sensor?.findings.first?.level == .ok)
    }

    @Test("A sensor that drops every link at once is told once a burst")
    func flappingIsTold() {
        var script = BusScript.started()
        _ = script.look()
        for _ in 0..<400 {
            script.connected()
            script.pass(20)
            script.dropped()
            script.pass(230)
        }
        let during = script.look()
        #expect(during.notes.filter { $0 == .flapping }.count == 1)
        #expect(during.notes.count < 20)
        #expect(during.paths(of: "StartNotify").count < 100)
        #expect(Self.sensor(script)?.findings.contains { $0.code == "flapping" } == true)
        script.pass(60_000)
        let after = script.look().entries.filter { $0.event == .flapping }
        #expect(after.count == 1 && after.first?.detail.contains("400 links") == true)
        #expect(Self.sensor(script)?.findings.contains { $0.code == "flapping" } == false)
    }

    @Test("G4: two links that end for want of a key mean that the sensor forgot us")
    func lostBondIsTold() {
        var script = BusScript.started()
        for _ in 0..<2 {
            script.connected()
            script.signal(
                .signal(
                    path: BusScript.device, interface: BusScript.device1,
                    member: "Disconnected",
                    [.string("org.bluez.Reason.Authentication"), .string("")]))
            script.dropped()
        }
        let wanted = script.look()
        #expect(wanted.notes.filter { $0 == .bondLost }.count == 1)
        #expect(!wanted.members.contains("RemoveDevice"))
        #expect(Self.sensor(script)?.findings.first?.code == "bond-lost")
        script.connected()
        script.value(BusScript.continuous, [0, 97, 0, 62, 0])
        #expect(Self.sensor(script)?.findings.contains { $0.code == "bond-lost" } == false)
    }

    @Test("G4: without a reason three links that drop before a word mean the same")
    func silentDropsMeanALostBond() {
        var script = BusScript.started()
        for turn in 1...3 {
            script.connected()
            script.pass(50)
            script.dropped()
            script.pass(1_000)
            #expect(script.look().notes.contains(.bondLost) == (turn == 3))
        }
    }

    @Test("G11: a bond that is removed elsewhere is told; the sensor stays known")
    func removalElsewhereIsTold() {
        var script = BusScript.started()
        script.remove(BusScript.device, BusScript.device1)
        script.pass(3_000)
        #expect(script.look().notes.contains(.removedElsewhere))
        #expect(Self.sensor(script)?.findings.first?.code == "removed-elsewhere")
        script.addSensor()
        script.add(BusScript.device, BusScript.device1, BusScript.properties())
        #expect(Self.sensor(script)?.state == "unarmed")
        script.connected()
        script.exportObjects()
        script.resolved()
        script.dropped()
        #expect(Self.sensor(script)?.state == "armed")
    }

    @Test("B5: a device that goes with its adapter was not removed by anybody")
    func unpluggingIsNoRemoval() {
        var script = BusScript.started()
        script.remove(BusScript.device, BusScript.device1)
        script.remove(BusScript.adapter, BusScript.adapter1)
        script.pass(10_000)
        let notes = script.look().notes
        #expect(notes.contains(.adapterRemoved) && !notes.contains(.removedElsewhere))
    }

    @Test("A3: a device that goes with bluetoothd was not removed by anybody")
    func stoppingIsNoRemoval() {
        var script = BusScript.started()
        script.remove(BusScript.device, BusScript.device1)
        script.remove(BusScript.adapter, BusScript.adapter1)
        script.remove("/org/bluez", "org.bluez.AgentManager1")
        script.ownerChanged(to: nil)
        script.pass(10_000)
        #expect(!script.look().notes.contains(.removedElsewhere))
    }

    @Test("F2: a read that fails since the link is gone changes nothing")
    func lostReadIsHarmless() {
        var script = BusScript.started()
        script.errors["ReadValue *"] = Self.notConnected
        script.connected()
        script.resolved()
        script.dropped()
        #expect(Self.sensor(script)?.findings.first?.level == .ok)
    }

    @Test("I8: a finger that is out is told, and frames go on")
    func fingerOutIsTold() {
        var script = BusScript.started()
        script.connected()
        script.resolved()
        for _ in 0..<3 { script.value(BusScript.continuous, [0, 0xff, 0x07, 0xff, 0x07]) }
        let sensor = Self.sensor(script)
        #expect(sensor?.state == "live" && sensor?.framesOfLink == 3)
        #expect(sensor?.findings.contains { $0.code == "no-finger" } == true)
    }

    @Test("A stop that was not in order is written down as a possible loss")
    func unorderlyStopIsWritten() {
        var settings = Settings.plain
        settings.wasStoppedInOrder = false
        var script = BusScript.started(settings)
        #expect(script.look().notes.filter { $0 == .possibleLoss }.count == 1)
        script.ownerChanged(to: nil)
        script.ownerChanged(to: ":1.8")
        #expect(!script.look().notes.contains(.possibleLoss))
    }

    @Test func whoTakesTrustAwayIsNotFoughtWith() {
        var script = BusScript.started()
        _ = script.look()
        for _ in 0..<20 {
            script.change(BusScript.device, BusScript.device1, [("Trusted", .boolean(false))])
            script.connected()
            script.dropped()
        }
        #expect(script.look().members.count { $0 == "Set" } <= 3)
    }
}
