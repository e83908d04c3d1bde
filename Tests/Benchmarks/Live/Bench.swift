import DaemonHarness
import FakeBlueZ
import Foundation

/// A built daemon with sensors of a fake bluetoothd, to be measured.
struct Bench {
    let bus: PrivateBus
    let fake: FakeBlueZ
    let daemon: DaemonUnderTest

    /// Starts all three with sensors that are paired; those that are `awake` are armed when it returns.
    init(_ sensors: [FakeSensor], armed uuid: String? = nil) throws {
        bus = try PrivateBus()
        fake = try FakeBlueZ(on: bus)
        for sensor in sensors {
            fake.add(sensor)
            fake.know(sensor.address, isExported: true)
        }
        daemon = try DaemonUnderTest(bus: bus.address)
        try fake.waitUntilRegistered()
        guard let uuid else { return }
        for sensor in sensors { fake.wake(sensor.address) }
        for sensor in sensors { try fake.waitUntilArmed(uuid, of: sensor.address) }
    }

    /// How many readings of any kind were stored so far.
    func readings() throws -> Int {
        try daemon.request("status").count("stored") ?? 0
    }

    /// How many values of a type are stored.
    func stored(_ type: String) throws -> Int {
        let reply = try daemon.request("samples \(type) quality=all modality=all format=tsv")
        return reply.data.count
    }

    /// The processor's time that the daemon has used, in seconds.
    var processorSeconds: Double {
        get throws {
            let text = try String(
                contentsOfFile: "/proc/\(daemon.process.pid)/stat", encoding: .utf8)
            let fields = text.split(separator: ")").last?.split(separator: " ") ?? []
            guard fields.count > 12, let user = Double(fields[11]), let system = Double(fields[12])
            else { throw HarnessError("no times in \(text)") }
            return (user + system) / Double(sysconf(Int32(_SC_CLK_TCK)))
        }
    }

    /// How often its threads have run.
    var wakeUps: Int {
        get throws {
            let tasks = "/proc/\(daemon.process.pid)/task"
            return try FileManager.default.contentsOfDirectory(atPath: tasks).reduce(0) {
                sum, task in
                let status = try String(contentsOfFile: "\(tasks)/\(task)/status", encoding: .utf8)
                let lines = status.split(separator: "\n").filter { $0.contains("ctxt_switches") }
                return sum + lines.reduce(0) { $0 + (Int($1.filter(\.isNumber)) ?? 0) }
            }
        }
    }
}

/// A value of 2A5F.
func continuous(_ number: Int) -> [UInt8] {
    [0x00, UInt8(80 + number % 20), 0x00, UInt8(50 + number % 50), 0x00]
}

/// Seconds that something takes.
func seconds(_ body: () throws -> Void) rethrows -> Double {
    let time = try ContinuousClock().measure(body)
    return Double(time.components.seconds) + Double(time.components.attoseconds) / 1e18
}

/// The value that a share of all does not exceed, by nearest rank.
func quantile(_ values: [Double], _ share: Double) -> Double {
    let ordered = values.sorted()
    return ordered[max(0, Int((share * Double(ordered.count)).rounded(.up)) - 1)]
}

/// Prints one measurement, its cells apart by tabs.
func row(_ what: String, _ measured: String, _ target: String, _ beside: String, _ isHit: Bool) {
    print([what, measured, target, beside, isHit ? "PASS" : "MISS"].joined(separator: "\t"))
    fflush(nil)
}

/// A number with so many decimals.
func text(_ number: Double, _ decimals: Int) -> String {
    String(format: "%.\(decimals)f", number)
}
