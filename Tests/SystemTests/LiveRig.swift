import DBus
import DaemonHarness
import FakeBlueZ
import Foundation
import Testing

/// A built daemon that reads the sensors of a fake bluetoothd.
struct LiveRig {
    static let oximeter = "C0:FF:EE:00:00:01"
    static let thermometer = "C0:FF:EE:00:00:02"
    static let strap = "C0:FF:EE:00:00:03"

    let bus: PrivateBus
    let fake: FakeBlueZ
    let daemon: DaemonUnderTest

    /// Starts all three; `prepare` comes before the daemon.
    init(
        _ sensors: FakeSensor..., configuration: String = "", zone: String = "UTC",
        bus: PrivateBus? = nil, prepare: (FakeBlueZ) throws -> Void = { _ in }
    ) throws {
        let bus = try bus ?? PrivateBus()
        self.bus = bus
        let fake = try FakeBlueZ(on: bus)
        for sensor in sensors { fake.add(sensor) }
        try prepare(fake)
        self.fake = fake
        let directory = try ScratchDirectory()
        let file = try directory.write(configuration, to: "healthd.conf")
        daemon = try DaemonUnderTest(
            in: directory, zone: zone, bus: bus.address, arguments: ["--config", file])
    }

    /// A rig with a paired, armed oximeter that is awake and connected.
    static func withOximeter(
        configuration: String = "", _ change: (inout FakeSensor) -> Void = { _ in }
    ) throws -> LiveRig {
        var sensor = FakeSensor.oximeter()
        change(&sensor)
        let rig = try LiveRig(sensor, configuration: configuration) { $0.know(oximeter) }
        try rig.wake()
        return rig
    }

    /// Wakes a sensor once such sensors are waited for, and has it armed.
    func wake(_ address: String = oximeter, _ uuid: String = "2a5f") throws {
        try fake.waitUntilRegistered()
        fake.wake(address)
        try fake.waitUntilArmed(uuid, of: address)
    }
}

/// What sensors send.
enum Frame {
    /// A value of 2A5F.
    static func continuous(_ spo2: UInt8, pulse: UInt8 = 62) -> [UInt8] {
        [0x00, spo2, 0x00, pulse, 0x00]
    }

    /// A value of 2A1C in Celsius: `tenths` of a degree, without a time.
    static func temperature(_ tenths: UInt16) -> [UInt8] {
        [0x00, UInt8(tenths & 0xFF), UInt8(tenths >> 8), 0x00, 0xFF]
    }

    /// A value of 2A5E with the time of a sensor's clock on 2026-11-30.
    static func spot(_ spo2: UInt8, minute: UInt8) -> [UInt8] {
        [0x01, spo2, 0x00, 62, 0x00, 0xEA, 0x07, 11, 30, 3, minute, 0]
    }
}

extension LiveRig {
    /// The values of a type that are stored, oldest first.
    func values(_ type: String, of device: String? = nil) throws -> [String] {
        let filter = device.map { " device=\($0)" } ?? ""
        let reply = try daemon.request(
            "samples \(type) quality=all modality=all format=tsv\(filter)")
        return reply.column("value")
    }

    /// Waits until so many values are stored, and gives them.
    @discardableResult
    func wait(for count: Int, _ type: String, of device: String? = nil) throws -> [String] {
        var found: [String] = []
        try waitUntil {
            found = try values(type, of: device)
            return found.count >= count
        }
        return found
    }

    /// Has the oximeter send these values of SpO2, and waits until they are stored last, as they are.
    func expectStream(_ values: ClosedRange<UInt8>) throws {
        for value in values {
            let isSent = fake.send(Frame.continuous(value), of: "2a5f", from: Self.oximeter)
            #expect(isSent, "after \(fake.allCalls.suffix(9).map(\.member))")
        }
        let expected = values.map { String($0) }
        try waitUntil { try self.values("spo2").suffix(expected.count) == expected[...] }
    }

    /// Waits until `why` has a finding of this code, and gives its line.
    @discardableResult
    func why(_ code: String, _ device: String = "") throws -> String {
        var line = ""
        try waitUntil {
            let lines = try daemon.request("why \(device)").data
            line = lines.first { $0.contains("\"code\":\"\(code)\"") } ?? ""
            return !line.isEmpty
        }
        return line
    }

    /// Waits until `why` does not have a finding of this code any more.
    func noLonger(_ code: String, _ device: String = "") throws {
        try waitUntil {
            let lines = try daemon.request("why \(device)").data
            return !lines.contains { $0.contains("\"code\":\"\(code)\"") }
        }
    }

    /// Whatever happens, these are never called without a person's wish.
    func expectGoodManners() {
        for member in [
            "StartDiscovery", "Connect", "Pair", "RemoveDevice", "RequestDefaultAgent",
            "CancelPairing",
        ] {
            #expect(fake.calls(member).isEmpty, "\(member)")
        }
        #expect(powerCalls.isEmpty)
    }

    /// The calls that switch an adapter.
    var powerCalls: [ReceivedCall] {
        fake.calls("Set").filter { $0.arguments.dropFirst().first?.text == "Powered" }
    }

    /// The match rules that the bus keeps for the daemon.
    func matchRules() throws -> Int {
        let client = try BusClient(bus)
        let reply = try client.call(
            .call(
                to: "org.freedesktop.DBus", path: "/org/freedesktop/DBus",
                interface: "org.freedesktop.DBus.Debug.Stats", member: "GetConnectionStats",
                [.string(try #require(fake.agents.first?.client))]))
        let rules = reply.first?.entries?.first { $0.key.text == "MatchRules" }
        return try #require(rules?.value.integer)
    }

    /// The causes of the gaps so far.
    func causes(_ options: String = "") throws -> [String] {
        try daemon.request("gaps min=0s \(options)").data.compactMap { text("cause", in: $0) }
    }
}

/// The value of a key of a JSON line, where it is a string.
func text(_ key: String, in line: String) -> String? {
    guard let found = line.range(of: "\"\(key)\":\"") else { return nil }
    return String(line[found.upperBound...].prefix { $0 != "\"" })
}
