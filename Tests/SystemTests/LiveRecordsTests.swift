import DBus
import DaemonHarness
import FakeBlueZ
import Testing

/// Stored records and clocks.
@Suite struct LiveRecordsTests {
    private static let records = (0..<5).map { Frame.spot(UInt8(90 + $0), minute: UInt8($0)) }

    /// A rig with an oximeter that has records, awake and armed.
    private func rig(configuration: String = "") throws -> LiveRig {
        try LiveRig.withOximeter(configuration: configuration) { $0.records = Self.records }
    }

    @Test func storedRecordsAreFetchedInOrderAndLeftOnTheSensor() throws {
        let rig = try rig()
        #expect(try rig.wait(for: 5, "spo2") == ["90", "91", "92", "93", "94"])
        let rows = try rig.daemon.request("samples spo2 quality=all modality=all format=tsv")
        #expect(rows.column("start").first?.hasPrefix("2026-11-30T03:00:00") == true)
        #expect(rig.fake.sensor(LiveRig.oximeter)?.records.count == 5)
        rig.expectGoodManners()
    }

    @Test("I6: records that are fetched on each link are stored once")
    func recordsAreStoredOnce() throws {
        let rig = try rig()
        try rig.wait(for: 5, "spo2")
        for links in 2...4 {
            rig.fake.drop(LiveRig.oximeter)
            try rig.fake.waitUntilArmed("2a52", of: LiveRig.oximeter)
            // 04 01 asks for their number, 01 01 for all of them.
            try waitUntil { rig.fake.controlPointWrites(LiveRig.oximeter) == links * 2 }
        }
        rig.fake.send(Frame.continuous(99), of: "2a5f", from: LiveRig.oximeter)
        #expect(try rig.wait(for: 6, "spo2") == ["90", "91", "92", "93", "94", "99"])
    }

    @Test func recordsAreDeletedOnTheSensorOnlyIfThatIsConfiguredAndTheyAreKept() throws {
        let rig = try rig(configuration: "[bluetooth]\ndelete_stored_records = yes\n")
        try waitUntil { rig.fake.sensor(LiveRig.oximeter)?.records.isEmpty == true }
        // What was deleted there survives a crash here.
        rig.daemon.crash()
        let next = try DaemonUnderTest(in: rig.daemon.directory)
        let rows = try next.request("samples spo2 quality=all modality=all format=tsv")
        #expect(rows.column("value") == ["90", "91", "92", "93", "94"])
    }

    @Test func aControlPointThatIsBusyIsAskedAgain() throws {
        let rig = try LiveRig(.oximeter()) { fake in
            fake.change(LiveRig.oximeter) { $0.records = Self.records }
            fake.know(LiveRig.oximeter)
            fake.setFault(
                Fault(
                    "WriteValue", times: 1,
                    .fails("Failed", "Operation failed with ATT error: 0xfe")))
        }
        try rig.fake.waitUntilRegistered()
        rig.fake.wake(LiveRig.oximeter)
        #expect(try rig.wait(for: 5, "spo2").count == 5)
    }

    @Test("H6: a clock is set once the stored readings are in, and read back")
    func aClockIsSetAndReadBack() throws {
        let rig = try LiveRig(.thermometer()) { fake in
            fake.setHostClock(isSynchronised: true)
            fake.know(LiveRig.thermometer)
        }
        try rig.fake.waitUntilRegistered()
        rig.fake.wake(LiveRig.thermometer)
        let clock = try clockPath(rig)
        try rig.fake.waitForCall("WriteValue", on: clock)
        try rig.fake.waitForCall("ReadValue", on: clock, count: 2)
        let value = rig.fake.calls("WriteValue", on: clock).first?.arguments.first?.bytes
        #expect(value?.count == 7)
        #expect(value?.prefix(2) != [0xE4, 0x07])
    }

    @Test("I3: a host whose clock is not synchronised sets no clock, and says so")
    func anUnsynchronisedHostSetsNoClock() throws {
        let rig = try LiveRig(.thermometer()) { fake in
            fake.setHostClock(isSynchronised: false)
            fake.know(LiveRig.thermometer)
        }
        try rig.fake.waitUntilRegistered()
        rig.fake.wake(LiveRig.thermometer)
        try rig.fake.waitForCall("ReadValue", on: try clockPath(rig))
        try rig.why("host-clock")
        #expect(rig.fake.calls("WriteValue").isEmpty)
    }

    @Test("I5: a clock that takes the time and shows another is told")
    func aClockThatIgnoresTheTimeIsTold() throws {
        let rig = try LiveRig(.thermometer()) { fake in
            fake.setHostClock(isSynchronised: true)
            fake.know(LiveRig.thermometer)
            fake.setFault(Fault("WriteValue", .succeeds))
        }
        try rig.fake.waitUntilRegistered()
        rig.fake.wake(LiveRig.thermometer)
        try rig.fake.waitForCall("WriteValue")
        try rig.why("clock-unsettable", LiveRig.thermometer)
        #expect(rig.fake.calls("WriteValue").count == 1)
    }

    @Test func set_clocksNoReadsClocksAndLeavesThem() throws {
        let rig = try LiveRig(
            .thermometer(), configuration: "[bluetooth]\nset_clocks = no\n"
        ) { fake in
            fake.setHostClock(isSynchronised: true)
            fake.know(LiveRig.thermometer)
        }
        try rig.fake.waitUntilRegistered()
        rig.fake.wake(LiveRig.thermometer)
        try rig.fake.waitForCall("ReadValue", on: try clockPath(rig))
        try rig.fake.waitUntilRead("2a29", of: LiveRig.thermometer)
        #expect(rig.fake.calls("WriteValue").isEmpty)
    }

    private func clockPath(_ rig: LiveRig) throws -> String {
        try rig.fake.waitUntilArmed("2a1c", of: LiveRig.thermometer)
        return rig.fake.path(of: "2a08", in: LiveRig.thermometer)
    }
}
