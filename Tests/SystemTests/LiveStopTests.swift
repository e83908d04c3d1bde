import DaemonHarness
import FakeBlueZ
import Foundation
import Testing

/// healthd itself ends, in order or not.
@Suite struct LiveStopTests {
    @Test("H4: an orderly stop leaves sleeping sensors so that they keep their readings")
    func anOrderlyStopLeavesSensorsTheirReadings() throws {
        var sensor = FakeSensor.thermometer()
        sensor.push = .afterEncryption
        let rig = try LiveRig(sensor) { $0.know(LiveRig.thermometer, isExported: true) }
        try rig.fake.waitUntilStanding("2a1c", of: LiveRig.thermometer)
        try rig.fake.waitUntilRegistered()
        try rig.wakeThermometer(with: [360])
        try rig.wait(for: 1, "temp")
        #expect(try rig.daemon.stop() == .exit(0))
        #expect(rig.fake.isTrusted(LiveRig.thermometer) == false)
        #expect(!rig.fake.connectsByItself(LiveRig.thermometer))

        rig.fake.change(LiveRig.thermometer) { $0.queue = [("2a1c", Frame.temperature(361))] }
        rig.fake.wake(LiveRig.thermometer)
        rig.fake.sleep(LiveRig.thermometer)
        #expect(rig.fake.sensor(LiveRig.thermometer)?.queue.count == 1)

        let next = try DaemonUnderTest(in: rig.daemon.directory, bus: rig.bus.address)
        try rig.fake.waitUntilStanding("2a1c", of: LiveRig.thermometer)
        try rig.fake.waitUntilRegistered()
        try waitUntil { rig.fake.isTrusted(LiveRig.thermometer) == true }
        rig.fake.wake(LiveRig.thermometer)
        try rig.fake.waitUntilEmpty(LiveRig.thermometer)
        try waitUntil {
            try next.request("samples temp format=tsv").column("value") == ["36.0", "36.1"]
        }
        #expect(rig.fake.sensor(LiveRig.thermometer)?.lost == 0)
        rig.expectGoodManners()
    }

    @Test("H4: an unbonded sensor is left alone at a stop, or bluetoothd would forget it")
    func anUnbondedSensorIsLeftAloneAtAStop() throws {
        let rig = try LiveRig(.oximeter()) { fake in
            fake.know(LiveRig.oximeter, isPaired: false, isTrusted: true)
        }
        try rig.fake.waitUntilRegistered()
        rig.fake.wake(LiveRig.oximeter)
        try rig.fake.waitUntilArmed("2a5f", of: LiveRig.oximeter)
        try rig.expectStream(90...92)
        #expect(try rig.daemon.stop() == .exit(0))
        #expect(rig.fake.isTrusted(LiveRig.oximeter) == true)
        #expect(rig.fake.calls("Disconnect").isEmpty)
    }

    @Test("A4: a bluetoothd that hangs does not hold the stop")
    func aBluetoothdThatHangsDoesNotHoldTheStop() throws {
        let rig = try LiveRig(.oximeter(), .thermometer()) { fake in
            fake.know(LiveRig.oximeter)
            fake.know(LiveRig.thermometer)
        }
        try rig.fake.waitUntilRegistered()
        rig.fake.hang()
        #expect(try rig.daemon.stop() == .exit(0))
    }

    @Test func aTransferThatIsUnderWayIsLetEndBeforeTheStop() throws {
        let rig = try LiveRig(.thermometer()) { $0.know(LiveRig.thermometer) }
        try rig.fake.waitUntilRegistered()
        rig.fake.wake(LiveRig.thermometer)
        try rig.fake.waitUntilArmed("2a1c", of: LiveRig.thermometer)
        rig.fake.send(Frame.temperature(360), of: "2a1c", from: LiveRig.thermometer)
        try rig.wait(for: 1, "temp")
        rig.daemon.process.send(SIGTERM)
        #expect(try rig.daemon.nextNotification() == "STOPPING=1")
        rig.fake.send(Frame.temperature(361), of: "2a1c", from: LiveRig.thermometer)
        #expect(try rig.daemon.process.wait() == .exit(0))
        let next = try DaemonUnderTest(in: rig.daemon.directory)
        #expect(try next.request("samples temp format=tsv").column("value") == ["36.0", "36.1"])
    }

    @Test func aCrashLosesNothingThatCameBefore_andTheNextStartGoesOn() throws {
        let rig = try LiveRig.withOximeter()
        try rig.expectStream(90...92)
        _ = try rig.daemon.request("checkpoint")
        rig.daemon.crash()
        rig.fake.forgetCalls()
        let next = try DaemonUnderTest(in: rig.daemon.directory, bus: rig.bus.address)
        try rig.fake.waitUntilRegistered()
        try rig.fake.waitUntilArmed("2a5f", of: LiveRig.oximeter)
        for value in UInt8(93)...95 {
            #expect(rig.fake.send(Frame.continuous(value), of: "2a5f", from: LiveRig.oximeter))
        }
        try waitUntil {
            try next.request("samples spo2 format=tsv").column("value")
                == ["90", "91", "92", "93", "94", "95"]
        }
        let causes = try next.request("gaps spo2 min=0s").data.compactMap { text("cause", in: $0) }
        #expect(causes.contains("healthd-crashed"))
        rig.expectGoodManners()
    }

    @Test(
        "A paired sensor that is away costs nothing: no call, and no turn of the loop",
        .enabled(if: !isSanitized, "the sanitizer has a thread that turns"))
    func aSensorThatIsAwayCostsNothing() throws {
        let rig = try LiveRig(.oximeter()) { $0.know(LiveRig.oximeter) }
        try rig.fake.waitUntilRegistered()
        try rig.why("never-seen", LiveRig.oximeter)
        // The absence of something can only be watched for a while.
        try waitUntil {
            let (calls, before) = (rig.fake.callCount, try rig.daemon.switches)
            Thread.sleep(forTimeInterval: 5)
            return try rig.daemon.switches == before && rig.fake.callCount == calls
        }
    }
}

extension DaemonUnderTest {
    /// How often its threads have gone to sleep of their own accord.
    fileprivate var switches: Int {
        get throws {
            let tasks = "/proc/\(process.pid)/task"
            return try FileManager.default.contentsOfDirectory(atPath: tasks).reduce(0) {
                let status = try String(contentsOfFile: "\(tasks)/\($1)/status", encoding: .utf8)
                let line = status.split(separator: "\n").first {
                    $0.hasPrefix("voluntary_ctxt_switches")
                }
                return $0 + (Int(line?.filter(\.isNumber) ?? "") ?? 0)
            }
        }
    }
}
