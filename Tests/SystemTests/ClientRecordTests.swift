import DaemonHarness
import Foundation
import Testing

/// `healthctl record`, which goes on whatever happens to the daemon and says what is missing.
@Suite struct ClientRecordTests {
    private let columns = "samples spo2 hr temp quality=all modality=all format=tsv"

    /// Starts a recording, and waits until it has begun.
    private func record(_ daemon: DaemonUnderTest, _ words: [String]) throws -> ChildProcess {
        let (titles, requests) = (Self.titles(words), try requests(daemon))
        let record = try ChildProcess(
            [BuiltProgram.healthctl.path, "record"] + words,
            environment: ["HEALTHD_SOCKET": daemon.socket], in: daemon.directory)
        var asked = 0
        try waitUntil {
            // A file that is gone on with gets no title: what the client asks is counted instead.
            guard words.contains("--append") else { return Self.titles(words) > titles }
            asked += 1
            return try self.requests(daemon) > requests + asked
        }
        return record
    }

    private func requests(_ daemon: DaemonUnderTest) throws -> Int {
        try #require(try daemon.request("metrics").count("requests"))
    }

    private static func titles(_ words: [String]) -> Int {
        lines(words.last ?? "").count { $0.hasPrefix("# gattlog 1") }
    }

    private static func lines(_ path: String) -> [String] {
        let data = FileManager.default.contents(atPath: path) ?? Data()
        return String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    private static func values(_ path: String) -> Int {
        lines(path).count { $0.contains("\"event\":\"notify\"") }
    }

    /// Replays a file into a daemon of its own.
    private func copy(_ path: String, readings: Int) throws -> DaemonUnderTest {
        let daemon = try DaemonUnderTest()
        let replay = try daemon.healthctl(["replay", "--strict", path])
        #expect(try replay.wait() == .exit(0), "\(replay.errors)")
        #expect(replay.output.contains("\(readings) readings: \(readings) stored"))
        return daemon
    }

    @Test func aRecordingReplaysAsTheSameReadings() throws {
        let daemon = try DaemonUnderTest()
        let path = daemon.directory.path("all.gattlog")
        let record = try record(daemon, [path])
        try daemon.replay(QueryData.recording)
        try waitUntil { Self.values(path) == 9 }
        record.send(SIGTERM)
        #expect(try record.wait() == .exit(0))
        #expect(record.errors == "\(path): 11 events\n")
        let copy = try copy(path, readings: 9)
        #expect(try copy.request(columns).rows == daemon.request(columns).rows)
    }

    @Test func aKilledRecordingHoldsWhatCame() throws {
        let daemon = try DaemonUnderTest()
        let path = daemon.directory.path("all.gattlog")
        let record = try record(daemon, [path])
        try daemon.replay(QueryData.recording)
        try waitUntil { Self.values(path) == 9 }
        record.cut()
        _ = try copy(path, readings: 9)
    }

    @Test func itGoesOnAfterTheDaemonWasKilledAndSaysWhatIsMissing() throws {
        var daemon = try DaemonUnderTest()
        let directory = daemon.directory
        let path = directory.path("all.gattlog")
        let record = try record(daemon, [path])
        let lines = QueryData.recording.split(separator: "\n")
        try daemon.replay(lines.prefix(4).joined(separator: "\n"))
        try waitUntil { Self.values(path) == 4 }
        daemon.crash()
        daemon = try DaemonUnderTest(in: directory)
        try waitUntil { Self.lines(path).contains { $0.hasPrefix("# Notes: nothing was") } }
        try daemon.replay(lines.dropFirst(4).joined(separator: "\n"))
        try waitUntil { Self.values(path) == 9 }
        record.send(SIGINT)
        #expect(try record.wait() == .exit(0))
        #expect(record.errors.contains("trying again\nhealthd is back\n"))
        let notes = Self.lines(path).filter { $0.hasPrefix("# Notes: ") }
        #expect(notes.count == 1)
        #expect(record.errors.hasSuffix("; \(notes.joined().dropFirst(9))\n"))
        let copy = try copy(path, readings: 9)
        #expect(try copy.request(columns)["n"] == daemon.request(columns)["n"])
    }

    @Test func aFileThatIsThereIsGoneOnWithOnlyOnRequest() throws {
        let daemon = try DaemonUnderTest()
        let path = try daemon.directory.write("# gattlog 1\n# mine", to: "r.gattlog")
        let refused = try daemon.healthctl(["record", path])
        #expect(try refused.wait() == .exit(73))
        #expect(Self.lines(path) == ["# gattlog 1", "# mine"])
        let record = try record(daemon, ["--append", path])
        try daemon.replay(QueryData.recording)
        try waitUntil { Self.values(path) == 9 }
        record.send(SIGTERM)
        #expect(try record.wait() == .exit(0))
        #expect(Self.lines(path).prefix(3) == ["# gattlog 1", "# mine", "# Zone: UTC"])
        _ = try copy(path, readings: 9)
    }

    @Test func itCannotBeginInThePast() throws {
        let daemon = try DaemonUnderTest()
        let record = try daemon.healthctl(["record", "--since", "start", "f.gattlog"])
        #expect(try record.wait() == .exit(2))
        #expect(try daemon.request("record since=start").failure == "400 unknown-key")
    }
}
