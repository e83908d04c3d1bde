import BlueZ
import DBus
import Measurements
import Testing

/// When readings may have been lost: always where that cannot be excluded, and never else.
///
/// A sensor that hands out what it has stored as soon as its link is encrypted is confirmed by bluetoothd
/// whether or not a session of StartNotify stands.
@Suite struct SensorLossTests {
    private static let inProgress = BusError(
        name: "org.bluez.Error.InProgress", text: "In Progress")
    private static let reading: [UInt8] = [0, 0x6f, 1, 0, 0xff]

    /// A sensor that was armed on a link, which has ended; nobody has answered yet whether its sessions stand.
    private static func unanswered() -> BusScript {
        var script = BusScript.started()
        script.connected()
        script.resolved()
        script.silent = ["StartNotify"]
        script.dropped()
        _ = script.look()
        return script
    }

    private static func losses(_ script: inout BusScript) -> [String] {
        script.look().entries.filter { $0.event == .possibleLoss }.map(\.detail)
    }

    @Test("A link that comes before the answer may not have been heard, whatever came on it")
    func theAnswerIsLate() {
        for values in 0...1 {
            var script = Self.unanswered()
            script.connected()
            for _ in 0..<values { script.value(BusScript.temperature, Self.reading) }
            script.answer("StartNotify", .success([]))
            let losses = Self.losses(&script)
            #expect(losses.count == 2, "a stream is not stored: \(losses)")
            #expect(losses.allSatisfy { $0.contains("before bluetoothd had said") })
            #expect(script.hasFinding("possible-loss"))
        }
    }

    @Test("A link that came and went before the answer may not have been heard either")
    func theAnswerIsVeryLate() {
        var script = Self.unanswered()
        script.connected()
        script.dropped()
        script.answer("StartNotify", .success([]))
        #expect(Self.losses(&script).count == 2)
    }

    @Test("In Progress is said only of a session that stood all the time, however late")
    func theSessionStood() {
        for isUp in [false, true] {
            var script = Self.unanswered()
            if isUp { script.connected() }
            script.answer("StartNotify", .failure(Self.inProgress))
            script.silent = []
            if !isUp { script.connected() }
            script.resolved()
            script.dropped()
            #expect(Self.losses(&script).isEmpty)
        }
    }

    @Test("A call that was made on a link and failed with it vouches for nothing on the next")
    func theCallFailsWithTheLink() {
        var script = BusScript.started()
        script.connected()
        script.silent = ["StartNotify"]
        script.resolved()
        script.dropped()
        script.connected()
        _ = script.look()
        let gone = BusError(
            name: "org.bluez.Error.Failed", text: "Operation failed with ATT error: 0x0e")
        script.answer("StartNotify", .failure(gone))
        #expect(Self.losses(&script).isEmpty)
        script.silent = []
        script.answer("StartNotify", .success([]))
        #expect(Self.losses(&script).count == 2)
    }

    @Test("A session that is known to have been lost is a loss only where nothing was heard")
    func theSessionWasLost() {
        let heard: [(path: String, isLoss: Bool)] = [
            (BusScript.temperature, false), (BusScript.spotCheck, true),
            (BusScript.continuous, true),
        ]
        for (path, isLoss) in heard {
            var script = BusScript.started()
            script.connected()
            script.resolved()
            script.value(path, Self.reading)
            script.sessions.remove(BusScript.temperature)
            script.dropped()
            let losses = Self.losses(&script)
            #expect(losses.count == (isLoss ? 1 : 0), "\(path)")
            #expect(losses.allSatisfy { $0.contains("2a1c") }, "\(path)")
        }
    }

    @Test("Sessions that are made anew while there was no link have missed nothing")
    func nothingWasThereToBeHeard() {
        var script = BusScript.started()
        script.connected()
        script.resolved()
        script.dropped()
        _ = script.look()
        script.sessions = []
        script.hostResumed()
        let wanted = script.look()
        #expect(wanted.paths(of: "StartNotify").count == 3)
        #expect(!wanted.notes.contains(.possibleLoss))
        #expect(wanted.notes.contains(.rearmed))
    }

    @Test("Links of which every answer came in time lose nothing")
    func everythingIsInTime() {
        var script = BusScript.started()
        for round in 0..<50 {
            script.connected()
            if round % 2 == 0 { script.value(BusScript.temperature, Self.reading) }
            script.resolved()
            script.pass(2_000)
            script.dropped()
            script.pass(60_000)
        }
        #expect(Self.losses(&script).isEmpty)
    }

    @Test("What is refused is told as that, and not as a loss at each link")
    func refusalsAreNoLosses() {
        var script = BusScript.started()
        script.connected()
        script.errors["StartNotify \(BusScript.temperature)"] = BusError(
            name: "org.bluez.Error.NotPermitted", text: "Write not permitted")
        script.resolved()
        script.pass(5_000)
        #expect(script.look().notes.contains(.refused))
        for _ in 0..<5 {
            script.errors = [:]
            script.sessions.remove(BusScript.temperature)
            script.dropped()
            script.pass(5_000)
            script.errors["StartNotify \(BusScript.temperature)"] = BusError(
                name: "org.bluez.Error.NotPermitted", text: "Write not permitted")
            script.connected()
            script.resolved()
            script.pass(5_000)
        }
        #expect(Self.losses(&script).isEmpty)
    }

    @Test("Links that end at once, again and again, fill no ledger with losses")
    func flappingIsNoLoss() {
        var script = BusScript.started()
        script.connected()
        script.resolved()
        script.dropped()
        _ = script.look()
        for _ in 0..<400 {
            script.connected()
            script.pass(20)
            script.dropped()
            script.pass(230)
        }
        #expect(Self.losses(&script).count <= 8)
    }
}

extension BusScript {
    /// The host wakes up, as login1 says.
    fileprivate mutating func hostResumed() {
        signal(
            .signal(
                path: "/org/freedesktop/login1", interface: "org.freedesktop.login1.Manager",
                member: "PrepareForSleep", [.boolean(false)]),
            from: ":1.9")
    }

    /// Whether this is among the findings of the only sensor.
    fileprivate func hasFinding(_ code: String) -> Bool {
        supervisor.snapshot(at: now).sensors.first?.findings.contains { $0.code == code } == true
    }
}
