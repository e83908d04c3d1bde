import BlueZ
import DBus
import Measurements
import Testing

/// Links that are stuck or empty, and what is done about them.
@Suite struct SensorLinkTests {
    @Test("E2: a link of which nobody says that Disconnect ended it is over all the same")
    func aLinkThatNobodyEndsIsOver() {
        var script = BusScript.started(hasObjects: false)
        script.connected()
        script.resolved()
        script.pass(2_500)
        #expect(script.look().members.contains("Disconnect"))
        script.exportObjects()
        script.pass(3_500)
        script.value(BusScript.continuous, [0, 97, 0, 62, 0])
        #expect(script.look().events.map(\.kind).suffix(3) == [.disconnect, .connect, .notify])
        #expect(script.supervisor.snapshot(at: script.now).sensors.first?.state == "live")
    }

    @Test("E1: a link that is not resolved in 10 s is cut")
    func stuckLinkIsCut() {
        var script = BusScript.started()
        script.connected()
        script.pass(9_900)
        #expect(!script.look().members.contains("Disconnect"))
        script.pass(200)
        let wanted = script.look()
        #expect(wanted.paths(of: "Disconnect") == [BusScript.device])
        #expect(wanted.notes.contains(.stuck))
    }

    @Test(
        "A3: a link that is older than bluetoothd is cut after 2 s, if it is not resolved by then")
    func deafLinkIsCut() {
        for isResolvedInTime in [false, true] {
            var script = BusScript()
            script.addHost()
            script.addSensor(connected: true, hasObjects: false)
            script.start()
            script.pass(1_900)
            #expect(!script.look().members.contains("Disconnect"))
            if isResolvedInTime {
                script.resolved()
                script.exportObjects()
            }
            script.pass(200)
            #expect(script.look().members.contains("Disconnect") == !isResolvedInTime)
        }
    }

    @Test("E1: the first link ever may take 30 s")
    func firstLinkIsGivenTime() {
        var script = BusScript.started(hasObjects: false)
        script.connected()
        script.pass(29_900)
        #expect(!script.look().members.contains("Disconnect"))
        script.pass(200)
        #expect(script.look().members.contains("Disconnect"))
    }

    @Test func duringOurDisconnectNothingIsAskedForAndAfterItEverything() {
        var script = BusScript.started()
        script.silent = ["Disconnect"]
        script.connected()
        script.pass(10_100)
        _ = script.look()
        script.dropped()
        #expect(script.look().paths(of: "StartNotify").isEmpty)
        script.answer("Disconnect", .success([]))
        #expect(script.look().paths(of: "StartNotify").count == 3)
    }

    @Test("E2: resolved but empty is cut once, then told")
    func emptyLinkIsCutOnce() {
        var script = BusScript.started(hasObjects: false)
        for turn in 0..<3 {
            script.connected()
            script.resolved()
            script.pass(2_100)
            let wanted = script.look()
            #expect(wanted.notes.contains(.resolvedEmpty))
            #expect(wanted.members.contains("Disconnect") == (turn == 0))
            #expect(!wanted.members.contains("RemoveDevice"))
            script.dropped()
        }
        let sensor = script.supervisor.snapshot(at: script.now).sensors.first
        #expect(sensor?.findings.first?.code == "no-services")
    }
}
