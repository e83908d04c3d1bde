import DBus
import DaemonHarness
import FakeBlueZ
import Foundation
import Testing

/// Sensors as a `[sensor …]` section names them.
@Suite struct LiveConfiguredTests {
    private static func section(_ address: String, _ lines: String...) -> String {
        (["[sensor \(address)]"] + lines).joined(separator: "\n") + "\n"
    }

    @Test func aSensorHasItsNameAndItsReadingsTheirOwner() throws {
        let section = Self.section(LiveRig.oximeter, "name = Anna's finger", "subject = anna")
        let rig = try LiveRig.withOximeter(configuration: section)
        try rig.expectStream(90...92)
        let devices = try rig.daemon.request("devices").data
        #expect(devices.map { text("name", in: $0) } == ["Anna's finger"])
        let ofAnna = try rig.daemon.request("samples spo2 subject=anna format=tsv")
        #expect(ofAnna.column("value") == ["90", "91", "92"])
    }

    @Test func whereSomeAreNamedOthersAreLeftAlone() throws {
        let section = Self.section(LiveRig.oximeter)
        let rig = try LiveRig(.oximeter(), .thermometer(), configuration: section) { fake in
            fake.know(LiveRig.oximeter, isExported: true)
            fake.know(LiveRig.thermometer, isExported: true)
        }
        try rig.wake()
        rig.fake.wake(LiveRig.thermometer)
        try rig.expectStream(90...92)
        let other = rig.fake.path(LiveRig.thermometer)
        #expect(!rig.fake.allCalls.contains { $0.path.hasPrefix(other) })
    }

    @Test("H4: a sensor that is not wanted keeps its readings, and hands them over once it is")
    func aSensorThatIsNotWantedKeepsItsReadingsUntilItIs() throws {
        var sensor = FakeSensor.thermometer()
        sensor.push = .afterEncryption
        let address = LiveRig.thermometer
        let rig = try LiveRig(sensor, configuration: Self.section(address, "enabled = no")) {
            $0.know(address, isTrusted: true, isExported: true)
        }
        try rig.fake.waitUntilRegistered()
        try rig.waitUntilLeft(address)
        try rig.wakeInVain(address, with: 361)
        try waitUntil { try rig.why("disabled", address).contains("keeps its readings") }
        #expect(rig.fake.calls("StartNotify").isEmpty)

        try rig.reload(Self.section(address))
        try rig.fake.waitUntilStanding("2a1c", of: address)
        try waitUntil { rig.fake.isTrusted(address) == true && rig.fake.connectsByItself(address) }
        rig.fake.wake(address)
        try rig.fake.waitUntilEmpty(address)
        #expect(try rig.wait(for: 1, "temp") == ["36.1"])
        try rig.noLonger("disabled", address)

        rig.fake.sleep(address)
        try rig.reload(Self.section(address, "enabled = no"))
        try rig.waitUntilLeft(address)
        try rig.wakeInVain(address, with: 362)
        #expect(rig.fake.sensor(address)?.lost == 0)
        rig.expectGoodManners()
    }

    @Test(arguments: ["hci0", "hci1"])
    func aSensorIsReachedByItsAdapter(name: String) throws {
        let addresses = ["hci0": "00:AA:01:00:00:01", "hci1": "00:AA:01:00:00:02"]
        let adapter = try #require(addresses[name])
        let section = Self.section(LiveRig.oximeter, "adapter = \(adapter)")
        let rig = try LiveRig(.oximeter(), configuration: section) { fake in
            fake.plug("hci1", address: "00:AA:01:00:00:02")
            fake.know(LiveRig.oximeter, isExported: true)
        }
        try rig.fake.waitForCall("StartNotify")
        try rig.why("never-seen", LiveRig.oximeter)
        let paths = rig.fake.calls("StartNotify").map(\.path)
        #expect(paths.allSatisfy { $0.hasPrefix("/org/bluez/\(name)/") }, "\(paths)")
        rig.expectGoodManners()
    }
}

extension LiveRig {
    /// Waits until bluetoothd does not connect a sensor by itself any more.
    fileprivate func waitUntilLeft(_ address: String) throws {
        try waitUntil { fake.isTrusted(address) == false && !fake.connectsByItself(address) }
    }

    /// Has a sensor wake with a reading, and sleep again with it.
    fileprivate func wakeInVain(_ address: String, with tenths: UInt16) throws {
        fake.change(address) { $0.queue = [("2a1c", Frame.temperature(tenths))] }
        fake.wake(address)
        fake.sleep(address)
        #expect(fake.sensor(address)?.queue.count == 1)
    }

    /// Gives the daemon another configuration, which it reads at once.
    fileprivate func reload(_ configuration: String) throws {
        try daemon.directory.write(configuration, to: "healthd.conf")
        daemon.process.send(SIGHUP)
    }
}
