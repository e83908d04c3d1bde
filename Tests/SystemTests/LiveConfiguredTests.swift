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

    @Test func aSensorThatIsNotWantedIsLeftAloneAndToldUntilItIs() throws {
        let section = Self.section(LiveRig.oximeter, "enabled = no")
        let rig = try LiveRig(.oximeter(), configuration: section) {
            $0.know(LiveRig.oximeter, isExported: true)
        }
        try rig.fake.waitForCall("RegisterApplication")
        rig.fake.wake(LiveRig.oximeter)
        try rig.why("disabled", LiveRig.oximeter)
        let path = rig.fake.path(LiveRig.oximeter)
        #expect(!rig.fake.allCalls.contains { $0.path.hasPrefix(path) })
        try rig.daemon.directory.write(Self.section(LiveRig.oximeter), to: "healthd.conf")
        rig.daemon.process.send(SIGHUP)
        try rig.fake.waitUntilArmed("2a5f", of: LiveRig.oximeter)
        try rig.expectStream(90...92)
        try rig.noLonger("disabled", LiveRig.oximeter)
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
