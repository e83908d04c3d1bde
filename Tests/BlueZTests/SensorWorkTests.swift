import BlueZ
import DBus
import Measurements
import Testing

/// What is asked of a sensor on a link, and in which order.
@Suite struct SensorWorkTests {
    private static let record: [UInt8] = [0, 97, 0, 62, 0]

    /// A bonded oximeter with stored records and a clock, which sleeps.
    private static func started(_ change: (inout Settings) -> Void = { _ in }) -> BusScript {
        var settings = Settings.plain
        change(&settings)
        var script = BusScript(settings)
        script.addHost()
        script.addSensor()
        script.objects[BusScript.controlPoint] = [
            BusScript.characteristic1: [
                BusScript.uuid("2a52"), BusScript.flags(["write", "indicate"]),
            ]
        ]
        script.objects[BusScript.clock] = [
            BusScript.characteristic1: [
                BusScript.uuid("2a08"), BusScript.flags(["read", "write"]),
            ]
        ]
        script.values[BusScript.clock] = [0xea, 0x07, 1, 1, 0, 0, 0]
        script.start()
        script.connected()
        script.resolved()
        return script
    }

    private static func writes(_ actions: [BlueZAction]) -> [[UInt8]] {
        actions.calls(of: "WriteValue").compactMap { $0.arguments.first?.bytes }
    }

    /// The sensor counts two records and sends them.
    private static func sendTwo(_ script: inout BusScript) {
        script.value(BusScript.controlPoint, [5, 0, 2, 0])
        for _ in 0..<2 { script.value(BusScript.spotCheck, record) }
        script.value(BusScript.controlPoint, [6, 0, 1, 1])
    }

    @Test("Stored records are fetched before the clock is read, and both before the description")
    func orderIsKept() {
        var script = Self.started()
        let begin = script.look()
        #expect(begin.paths(of: "ReadValue") == [BusScript.features])
        #expect(Self.writes(begin) == [[4, 1]])
        Self.sendTwo(&script)
        script.pass(2_000)
        let wanted = script.look()
        #expect(Self.writes(wanted) == [[1, 1]])
        #expect(wanted.paths(of: "ReadValue") == [BusScript.clock, BusScript.model])
        #expect(wanted.notes.contains(.recordsFetched))
    }

    @Test func whatWasWrittenAndReadGoesThroughTheDoor() {
        var script = Self.started()
        Self.sendTwo(&script)
        script.pass(2_000)
        let events = script.look().events
        #expect(events.filter { $0.kind == .write }.map(\.value) == [[4, 1], [1, 1]])
        #expect(events.filter { $0.characteristic == .plxSpotCheckMeasurement }.count == 2)
        #expect(events.contains { $0.kind == .read && $0.characteristic == .dateTime })
    }

    @Test("Records are deleted only where that is wanted, and after they are on the disk")
    func deletingWaitsForTheDisk() {
        var script = Self.started { $0.deletesStoredRecords = true }
        Self.sendTwo(&script)
        var wanted = script.look()
        #expect(!Self.writes(wanted).contains([2, 1]))
        let ids = wanted.compactMap { action -> PersistID? in
            guard case .persist(let id) = action else { return nil }
            return id
        }
        #expect(ids.count == 1)
        for id in ids { script.give(.persisted(id, true)) }
        script.value(BusScript.controlPoint, [5, 0, 2, 0])
        wanted = script.look()
        #expect(Self.writes(wanted) == [[4, 1], [2, 1]])
    }

    @Test func recordsAreNotDeletedByDefault() {
        var script = Self.started()
        Self.sendTwo(&script)
        script.pass(60_000)
        #expect(!Self.writes(script.look()).contains([2, 1]))
    }

    @Test("I3: a clock is not set while this computer's own may be wrong")
    func unsynchronisedHostSetsNothing() {
        var script = Self.started { $0.setsClocks = true }
        script.value(BusScript.controlPoint, [5, 0, 0, 0])
        script.pass(2_000)
        let asked = script.look().contains { if case .askHostClock = $0 { true } else { false } }
        #expect(asked)
        script.give(.hostClock(isSynchronised: false))
        #expect(!script.look().paths(of: "WriteValue").contains(BusScript.clock))
    }

    @Test("I5: a clock that was set is read back, and the write goes through the door")
    func clockIsSet() {
        var script = Self.started { $0.setsClocks = true }
        script.value(BusScript.controlPoint, [5, 0, 0, 0])
        script.pass(2_000)
        script.give(.hostClock(isSynchronised: true))
        let wanted = script.look()
        #expect(wanted.paths(of: "WriteValue").contains(BusScript.clock))
        #expect(wanted.paths(of: "ReadValue").filter { $0 == BusScript.clock }.count == 2)
        let written = wanted.events.first { $0.kind == .write && $0.characteristic == .dateTime }
        #expect(written?.value.count == 7)
    }

    @Test func anOperatorHasTheClockSetAtTheNextLink() {
        var script = Self.started()
        script.value(BusScript.controlPoint, [5, 0, 0, 0])
        script.dropped()
        let who = OperatorID(number: 7)
        script.give(.request(who, .setClock(BusScript.address)))
        _ = script.look()
        script.connected()
        script.resolved()
        script.value(BusScript.controlPoint, [5, 0, 0, 0])
        script.pass(2_000)
        script.values[BusScript.clock] = []
        script.give(.hostClock(isSynchronised: true))
        let told = script.look().contains {
            if case .tell(who, .progress) = $0 {
                false
            } else if case .tell(who, _) = $0 {
                true
            } else {
                false
            }
        }
        #expect(told)
    }

    @Test func anOperatorHasTheClockSetNow() {
        var script = Self.started()
        script.value(BusScript.controlPoint, [5, 0, 0, 0])
        script.pass(5_000)
        _ = script.look()
        script.give(.request(OperatorID(number: 7), .setClock(BusScript.address)))
        script.pass(1_000)
        #expect(script.look().contains { if case .askHostClock = $0 { true } else { false } })
    }

    @Test func aStopWaitsForRecordsThatAreComing() {
        var script = Self.started()
        script.value(BusScript.controlPoint, [5, 0, 2, 0])
        script.pass(1_500)
        _ = script.look()
        script.give(.stop)
        #expect(script.look().members.isEmpty)
        script.value(BusScript.spotCheck, Self.record)
        script.dropped()
        #expect(script.look().members == ["Set", "Disconnect"])
    }

    @Test("F2: a link that ends while records come is over, and the next fetches them")
    func brokenTransferIsRepeated() {
        var script = Self.started()
        script.value(BusScript.controlPoint, [5, 0, 2, 0])
        script.value(BusScript.spotCheck, Self.record)
        script.dropped()
        _ = script.look()
        script.connected()
        script.resolved()
        #expect(Self.writes(script.look()) == [[4, 1]])
    }
}
