import DBus
import DaemonHarness
import FakeBlueZ
import Foundation
import Testing

/// healthd with an org.bluez that others have written.
@Suite struct LiveBluezooTests {
    private static let address = "00:11:22:33:44:02"

    /// The Python in which `make setup-test` installs what Tests/Bluezoo/requirements.txt names.
    private static let python: String = {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        return root.appendingPathComponent(".build/bluezoo/bin/python3").path
    }()

    private static let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("Bluezoo/sensor.py").path

    private func run(_ words: [String], on bus: PrivateBus) throws -> ChildProcess {
        try #require(
            FileManager.default.isExecutableFile(atPath: Self.python),
            "bluezoo is not installed: make setup-test")
        return try ChildProcess(
            [Self.python] + words,
            environment: ["DBUS_SYSTEM_BUS_ADDRESS": bus.address, "PYTHONUNBUFFERED": "1"])
    }

    @Test func aSensorOfBluezooIsPairedAndStored() throws {
        let bus = try PrivateBus()
        let code = "from bluezoo.bluezoo import main; main()"
        let zoo = try run(
            [
                "-c", code, "--auto-enable", "--scan-interval", "1",
                "-a", "00:11:22:33:44:01", "-a", Self.address,
            ], on: bus)
        let client = try BusClient(bus)
        try waitUntil {
            try client.askBus("NameHasOwner", .string("org.bluez")) == [.boolean(true)]
        }
        let sensor = try run(
            [Self.script, "/org/bluez/hci1", "/org/bluez/hci0/dev_00_11_22_33_44_02"], on: bus)
        try waitUntil { sensor.output.contains("registered") }

        let daemon = try DaemonUnderTest(bus: bus.address)
        let pairing = try daemon.healthctl(["pair", Self.address, "--yes"])
        #expect(try pairing.wait() == .exit(0), "\(pairing.errors) \(zoo.errors)")
        #expect(pairing.output.contains("ZooOxi (\(Self.address)) works: SpO2 97 %"))
        for (type, value) in [("spo2", "97"), ("temp", "36.7")] {
            try waitUntil {
                let reply = try daemon.request("samples \(type) quality=all format=tsv")
                return reply.column("value").count { $0 == value } >= 3
            }
        }
        withExtendedLifetime((zoo, sensor)) {}
    }
}
