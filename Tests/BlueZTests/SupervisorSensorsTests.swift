import BlueZ
import DBus
import Measurements
import Testing

/// Which sensors are cared for, and by which adapter.
@Suite struct SupervisorSensorsTests {
    private static let other = BusScript.address("C0:FF:EE:00:00:02")
    private static let otherPath = BusScript.adapter + "/dev_C0_FF_EE_00_00_02"

    private static func sensors(_ script: BusScript) -> [RadioSnapshot.Sensor] {
        script.supervisor.snapshot(at: script.now).sensors
    }

    @Test func withoutAConfigurationBondedHealthSensorsAreWanted() {
        var script = BusScript.started()
        script.add(
            Self.otherPath, BusScript.device1,
            [("Address", .string("C0:FF:EE:00:00:02")), ("Paired", .boolean(true))])
        #expect(Self.sensors(script).map(\.address) == [BusScript.address])
        #expect(script.look().notes.filter { $0 == .adopted }.count == 1)
    }

    @Test func aStrangerIsNotWantedUntilItIsBonded() {
        var script = BusScript()
        script.addHost()
        script.addSensor(paired: false, trusted: false)
        script.start()
        #expect(script.look().paths(of: "StartNotify").isEmpty && Self.sensors(script).isEmpty)
        script.change(BusScript.device, BusScript.device1, [("Paired", .boolean(true))])
        #expect(script.look().paths(of: "StartNotify").count == 3)
    }

    @Test func withAConfigurationOnlyItsSensorsAreWanted() {
        var settings = Settings.plain
        settings.sensors[Self.other] = Settings.Sensor()
        var script = BusScript.started(settings)
        #expect(script.look().paths(of: "StartNotify").isEmpty)
        let sensors = Self.sensors(script)
        #expect(sensors.map(\.address) == [Self.other] && sensors.first?.state == "absent")
        #expect(sensors.first?.findings.first?.code == "not-paired")
    }

    @Test func aSensorThatIsDisabledIsNotArmedAndNotTrusted() {
        var settings = Settings.plain
        settings.sensors[BusScript.address] = Settings.Sensor()
        settings.sensors[BusScript.address]?.isEnabled = false
        var script = BusScript.started(settings)
        let wanted = script.look()
        #expect(wanted.paths(of: "StartNotify").isEmpty)
        #expect(wanted.calls(of: "Set").map { $0.arguments.last?.bool } == [false])
        #expect(Self.sensors(script).first?.state == "disabled")
    }

    @Test("B10: of two adapters that know a sensor, the one with the bond is used")
    func bondDecides() {
        var script = BusScript()
        script.addHost()
        script.objects["/org/bluez/hci1"] = [
            BusScript.adapter1: [
                ("Address", .string("00:AA:01:00:00:02")), ("Powered", .boolean(true)),
            ]
        ]
        script.addSensor(paired: false, trusted: true)
        let bonded = "/org/bluez/hci1/dev_C0_FF_EE_00_00_01"
        script.objects[bonded] = [BusScript.device1: BusScript.properties()]
        script.start()
        #expect(Self.sensors(script).map(\.adapter) == ["hci1"])
    }

    @Test("B10: the adapter that the configuration names is used, or none")
    func configurationDecides() {
        var settings = Settings.plain
        var sensor = Settings.Sensor()
        sensor.adapter = BusScript.address("00:AA:01:00:00:09")
        settings.sensors[BusScript.address] = sensor
        let script = BusScript.started(settings)
        #expect(
            Self.sensors(script).first?.findings.contains { $0.code == "wanted-adapter-missing" }
                == true)
    }

    @Test("B9: a bond on an adapter that is gone is told")
    func missingAdapterIsTold() {
        var script = BusScript.started()
        script.remove(BusScript.device, BusScript.device1)
        script.remove(BusScript.adapter, BusScript.adapter1)
        script.add(
            "/org/bluez/hci1", BusScript.adapter1,
            [("Address", .string("00:AA:01:00:00:02")), ("Powered", .boolean(true))])
        #expect(Self.sensors(script).first?.findings.first?.code == "bonded-elsewhere")
    }

    @Test("B6: an adapter that is plugged in again under another name goes on")
    func repluggedAdapterGoesOn() {
        var script = BusScript.started()
        script.connected()
        script.dropped()
        script.remove(BusScript.device, BusScript.device1)
        script.remove(BusScript.adapter, BusScript.adapter1)
        _ = script.look()
        script.add(
            "/org/bluez/hci1", BusScript.adapter1,
            [("Address", .string("00:AA:01:00:00:01")), ("Powered", .boolean(true))])
        script.add("/org/bluez/hci1", "org.bluez.GattManager1", [])
        let path = "/org/bluez/hci1/dev_C0_FF_EE_00_00_01"
        script.add(path, BusScript.device1, BusScript.properties())
        let characteristic = path + "/service000e/char000f"
        script.add(
            characteristic, BusScript.characteristic1,
            [BusScript.uuid("2a1c"), BusScript.flags(["indicate"])])
        let wanted = script.look()
        #expect(wanted.paths(of: "RegisterApplication") == ["/org/bluez/hci1"])
        #expect(wanted.paths(of: "StartNotify") == [characteristic])
        #expect(Self.sensors(script).map(\.adapter) == ["hci1"])
        script.pass(5_000)
        #expect(!script.look().notes.contains(.removedElsewhere))
    }

    @Test("D13: after bonding a sensor goes by its identity address")
    func identityAddressIsTaken() {
        var script = BusScript.started()
        script.change(
            BusScript.device, BusScript.device1, [("Address", .string("C0:FF:EE:00:00:02"))])
        script.connected()
        _ = script.look()
        script.value(BusScript.temperature, [0, 1, 1, 0, 0xff])
        #expect(script.look().events.map(\.device.address) == [Self.other])
        #expect(Self.sensors(script).map(\.address) == [Self.other])
    }

    @Test("A10: what is said of devices that are not ours costs nothing")
    func strangersAreIgnored() {
        var script = BusScript.started()
        _ = script.look()
        for turn in 0..<2_000 {
            let path = BusScript.adapter + "/dev_\(turn)"
            script.add(
                path, BusScript.device1,
                [
                    ("Address", .string(DeviceAddress(bits: UInt64(turn)).description)),
                    ("RSSI", .int16(-60)),
                ])
            script.change(path, BusScript.device1, [("RSSI", .int16(-61))])
        }
        #expect(script.look().isEmpty && Self.sensors(script).count == 1)
    }

    @Test func noMoreSensorsAreCaredForThanTheLimit() {
        var script = BusScript.started()
        for turn in 0..<100 {
            script.add(
                BusScript.adapter + "/dev_\(turn)", BusScript.device1,
                [
                    ("Address", .string(DeviceAddress(bits: UInt64(turn + 1)).description)),
                    ("Paired", .boolean(true)), ("UUIDs", BusScript.uuids(["1822"])),
                ])
        }
        #expect(Self.sensors(script).count == Supervisor.sensorLimit)
    }
}
