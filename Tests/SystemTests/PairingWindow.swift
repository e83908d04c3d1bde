import DaemonHarness
import FakeBlueZ
import Testing

/// A window for pairing, as a program opens it.
struct PairingWindow {
    let rig: LiveRig
    private let client: LineClient

    init(_ rig: LiveRig, _ options: String = "") throws {
        self.rig = rig
        client = try rig.daemon.connect()
        try client.send("pair \(options)\n")
    }

    /// Goes on to the line that has this text, and gives it; the end of the reply is such a line too.
    @discardableResult
    func line(_ text: String) throws -> String {
        var seen: [String] = []
        while let line = try client.line() {
            if line.contains(text) { return line }
            seen.append(line)
            guard !line.hasPrefix("OK"), !line.hasPrefix("ERR") else { break }
        }
        throw HarnessError("\(text) does not come, but \(seen)")
    }

    func answer(_ text: String) throws {
        try client.send("answer \(text)\n")
    }

    /// Lets the sensor send the reading that is waited for, and goes on to the end.
    func test(_ address: String = LiveRig.oximeter) throws -> String {
        try line("\"step\":\"test\"")
        try rig.fake.waitUntilArmed("2a5f", of: address)
        rig.fake.send(Frame.continuous(97), of: "2a5f", from: address)
        let done = try line("\"step\":\"done\"")
        try line("OK")
        return done
    }

    func hangUp() { client.hangUp() }
}

/// What a sensor is before it is paired, and after.
extension LiveRig {
    /// A rig with a sensor that nobody knows and that is awake.
    static func strange(_ change: (inout FakeSensor) -> Void = { _ in }) throws -> LiveRig {
        var sensor = FakeSensor.oximeter()
        change(&sensor)
        let rig = try LiveRig(sensor)
        try rig.fake.waitUntilRegistered()
        rig.fake.wake(LiveRig.oximeter)
        return rig
    }

    /// Expects that the sensor is ours, comes by itself, and is heard.
    func expectPaired() throws {
        #expect(fake.isTrusted(LiveRig.oximeter) == true)
        #expect(fake.connectsByItself(LiveRig.oximeter))
        #expect(try wait(for: 1, "spo2") == ["97"])
        try expectStream(90...92)
    }
}
