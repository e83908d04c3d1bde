import BlueZ
import DBus
import Measurements
import Testing

/// What programs that talk to bluetoothd have lost, and must not lose here.
@Suite struct SensorCaseTests {
    private static let value: [UInt8] = [0, 97, 0, 62, 0]

    private func values(_ script: inout BusScript) -> [GATTEvent] {
        script.look().events.filter { $0.kind == .notify }
    }

    @Test("C45: signals are asked for before any session")
    func c45MatchesComeBeforeSessions() throws {
        var script = BusScript.started()
        let members = script.look().members
        let match = try #require(members.firstIndex(of: "AddMatch"))
        let session = try #require(members.firstIndex(of: "StartNotify"))
        #expect(match < session)
    }

    @Test("C45: a value in the very signal that says Notifying is kept")
    func c45AValueBesideNotifyingIsKept() {
        var script = BusScript.started()
        script.connected()
        _ = script.look()
        script.change(
            BusScript.continuous, BusScript.characteristic1,
            [("Notifying", .boolean(true)), ("Value", .octets(Self.value))])
        #expect(values(&script).map(\.value) == [Self.value])
    }

    @Test("C45: a value before the answer of StartNotify is kept")
    func c45AValueBeforeTheAnswerIsKept() {
        var script = BusScript.started(hasObjects: false)
        script.silent = ["StartNotify"]
        script.connected()
        script.exportObjects()
        script.resolved()
        script.value(BusScript.continuous, Self.value)
        script.silent = []
        script.answer("StartNotify", .success([]))
        script.value(BusScript.continuous, Self.value)
        #expect(values(&script).map(\.value) == [Self.value, Self.value])
    }

    /// Where bluetoothd has the battery level: since 5.48 in Battery1, before it in 2A19.
    enum Battery: CaseIterable {
        case interface, characteristic, both
    }

    @Test(
        "C47: the battery level is told once, wherever bluetoothd has it",
        arguments: Battery.allCases)
    func c47TheBatteryLevelIsToldOnce(battery: Battery) {
        var script = BusScript.started()
        let service = BusScript.device + "/service0040"
        let level = service + "/char0041"
        script.values[level] = [88]
        _ = script.look()
        script.connected()
        if battery != .interface {
            script.add(service, BusScript.service1, [BusScript.uuid("180f")])
            script.add(
                level, BusScript.characteristic1,
                [BusScript.uuid("2a19"), BusScript.flags(["read"])])
        }
        if battery != .characteristic {
            script.add(BusScript.device, BusScript.battery1, [("Percentage", .byte(88))])
        }
        script.resolved()
        let levels = script.look().events.filter { $0.characteristic == .batteryLevel }
        #expect(levels.map(\.value) == [[88]])
        #expect(script.supervisor.snapshot(at: script.now).sensors.first?.battery == 88)
    }
}
