import BlueZ
import DBus
import Measurements
import Testing

/// bluetoothd's signals of one link come in many orders; each of them was seen, or may be.
@Suite struct SensorOrderTests {
    private enum Step: CaseIterable {
        case connected, objects, resolved, battery, value
    }

    private static func orders(of steps: [Step]) -> [[Step]] {
        guard !steps.isEmpty else { return [[]] }
        return steps.flatMap { first in
            orders(of: steps.filter { $0 != first }).map { [first] + $0 }
        }
    }

    private static func play(_ order: [Step], on script: inout BusScript) {
        for step in order {
            switch step {
            case .connected: script.connected()
            case .objects: script.exportObjects()
            case .resolved: script.resolved()
            case .battery:
                script.add(BusScript.device, BusScript.battery1, [("Percentage", .byte(70))])
            case .value: script.value(BusScript.temperature, [0, 0x6f, 1, 0, 0xff])
            }
            script.pass(20)
        }
    }

    private static func check(_ events: [GATTEvent], _ order: [Step], values: Int) {
        #expect(events.first?.kind == .connect, "\(order)")
        #expect(events.last?.kind == .disconnect, "\(order)")
        #expect(events.count { $0.kind == .connect } == 1, "\(order)")
        #expect(events.count { $0.kind == .disconnect } == 1, "\(order)")
        #expect(events.count { $0.kind == .indicate } == values, "\(order)")
    }

    @Test("Fact 4: on a link to a known sensor no order loses a value or ends in an unarmed one")
    func knownSensorInAnyOrder() {
        for order in Self.orders(of: [.connected, .resolved, .battery, .value]) {
            var script = BusScript.started()
            _ = script.look()
            Self.play(order, on: &script)
            #expect(script.supervisor.snapshot(at: script.now).sensors.first?.state == "live")
            script.dropped()
            let wanted = script.look()
            Self.check(wanted.events, order, values: 1)
            #expect(wanted.notes.contains(.armed), "\(order)")
        }
    }

    @Test("E3, H2: on the first link after a restart of bluetoothd neither")
    func forgottenObjectsInAnyOrder() {
        for order in Self.orders(of: Step.allCases) {
            var script = BusScript.started(hasObjects: false)
            _ = script.look()
            Self.play(order, on: &script)
            script.dropped()
            let wanted = script.look()
            let isKnown = order.firstIndex(of: .objects) ?? 0 < order.firstIndex(of: .value) ?? 0
            Self.check(wanted.events, order, values: isKnown ? 1 : 0)
            #expect(wanted.notes.contains(.armed), "\(order)")
            #expect(Set(wanted.paths(of: "StartNotify")).count == 3, "\(order)")
        }
    }

    @Test("H2: what has no characteristics since bluetoothd's start is not called armed")
    func nothingIsArmedWithoutObjects() {
        var script = BusScript.started(hasObjects: false)
        let sensors = { (script: BusScript) in
            script.supervisor.snapshot(at: script.now).sensors
        }
        let unarmed = sensors(script).first
        #expect(unarmed?.state == "unarmed")
        let finding = unarmed?.findings.first { $0.code == "not-armed" }
        #expect(finding?.text.contains("only when it comes") == true)
        script.connected()
        script.exportObjects()
        script.resolved()
        script.dropped()
        let armed = sensors(script).first
        #expect(armed?.state == "armed")
        #expect(armed?.findings.contains { $0.code == "not-armed" } == false)
    }

    @Test("A link that no signal but its end tells of is a link if a value came")
    func onlyTheEndIsSignalled() {
        var script = BusScript.started()
        _ = script.look()
        script.value(BusScript.temperature, [0, 0x6f, 1, 0, 0xff])
        script.dropped()
        #expect(script.look().events.map(\.kind) == [.connect, .indicate, .disconnect])
    }

    @Test("A link that ended and came again between two signals is two links")
    func bounceIsTwoLinks() {
        var script = BusScript.started()
        script.connected()
        script.resolved()
        script.pass(5_000)
        _ = script.look()
        script.connected()
        let wanted = script.look()
        #expect(wanted.events.map(\.kind) == [.disconnect, .connect])
        #expect(wanted.paths(of: "StartNotify").count == 3)
    }

    @Test("F4: values that still come while we hang up are taken in")
    func valuesWhileHangingUp() {
        var script = BusScript.started()
        script.silent = ["Disconnect"]
        script.connected()
        script.pass(10_100)
        _ = script.look()
        script.value(BusScript.temperature, [0, 0x6f, 1, 0, 0xff])
        script.resolved(false)
        script.connected(false)
        script.silent = []
        script.answer("Disconnect", .success([]))
        let wanted = script.look()
        #expect(wanted.events.map(\.kind) == [.indicate, .disconnect])
        #expect(wanted.paths(of: "StartNotify").count == 3)
    }

    @Test("The answer to our Disconnect may come before the end of the link is said")
    func answerBeforeTheEnd() {
        var script = BusScript.started()
        script.silent = ["Disconnect"]
        script.connected()
        script.pass(10_100)
        script.silent = []
        script.answer("Disconnect", .success([]))
        _ = script.look()
        script.dropped()
        #expect(script.look().paths(of: "StartNotify").count == 3)
        script.connected()
        script.resolved()
        #expect(script.look().notes.contains(.armed))
    }
}
