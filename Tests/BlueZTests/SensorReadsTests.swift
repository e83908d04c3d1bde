import BlueZ
import DBus
import Measurements
import Testing

/// What is read of a sensor while bluetoothd or the sensor does not let it be read at once.
@Suite struct SensorReadsTests {
    private static let busy = BusError(name: "org.bluez.Error.InProgress", text: "In Progress")

    @Test("F1: what bluetoothd is too busy to read is asked for again on the same link")
    func busyReadsAreMadeAgain() {
        var script = BusScript.started()
        script.connected()
        script.errors["ReadValue \(BusScript.features)"] = Self.busy
        script.resolved()
        #expect(script.look().paths(of: "ReadValue") == [BusScript.features, BusScript.model])
        script.pass(1_000)
        #expect(script.look().paths(of: "ReadValue") == [BusScript.features])
        script.errors = [:]
        script.values[BusScript.features] = [4, 0]
        script.pass(1_000)
        #expect(script.look().events.map(\.characteristic) == [.plxFeatures])
        script.pass(60_000)
        #expect(script.look().paths(of: "ReadValue").isEmpty)
    }

    @Test("F1: a read that never goes well is made four times a link, and no more")
    func readsThatFailAreLimited() {
        var script = BusScript.started()
        script.errors["ReadValue *"] = Self.busy
        for _ in 0..<3 {
            script.connected()
            script.resolved()
            script.pass(20_000)
            let reads = script.look().paths(of: "ReadValue")
            #expect(reads.count { $0 == BusScript.features } == 4)
            #expect(reads.count { $0 == BusScript.model } == 4)
            script.dropped()
        }
    }

    @Test("F1: a read that is refused for good is not made again", arguments: ["0x02", "0x06"])
    func refusedReadsAreLeftAlone(code: String) {
        var script = BusScript.started()
        script.errors["ReadValue *"] = BusError(
            name: "org.bluez.Error.Failed", text: "Operation failed with ATT error: \(code)")
        for _ in 0..<2 {
            script.connected()
            script.resolved()
            script.pass(20_000)
            script.dropped()
        }
        #expect(script.look().paths(of: "ReadValue") == [BusScript.features, BusScript.model])
    }
}
