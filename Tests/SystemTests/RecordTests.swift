import DaemonHarness
import Foundation
import Testing

@Suite struct RecordTests {
    static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../ReplayTests/Recordings").standardizedFileURL.path

    private let columns = "quality=all modality=all format=tsv"
    private let types = "spo2 hr temp rr perfusionIndex battery"

    /// What `record` writes of what there is.
    private func record(_ daemon: DaemonUnderTest, since start: String) throws -> [String] {
        let client = try daemon.connect()
        try client.send("record since=\(start)\nping\n")
        return try client.reply().lines
    }

    @Test(arguments: [
        "nonin3230-continuous", "spotcheck-stored-records", "thermometer-celsius-fahrenheit",
        "thermometer-minute-stamps", "two-devices", "heartrate-strap", "damaged-lines",
    ])
    func whatItWritesGivesAnEqualStore(name: String) throws {
        let file = URL(fileURLWithPath: "\(Self.folder)/\(name).gattlog")
        let recording = String(decoding: try Data(contentsOf: file), as: UTF8.self)
        // The store keeps instants: the stamps of a sensor are read in one zone both times.
        let daemon = try DaemonUnderTest(zone: "Europe/Berlin")
        #expect(try daemon.replay(recording).isOK)
        let copy = try DaemonUnderTest(zone: "Europe/Berlin")
        let lines = try record(daemon, since: "start")
        let reply = try copy.replay(lines.joined(separator: "\n"))
        #expect(reply.count("skipped") == 0)
        #expect(reply.isOK)
        let request = "samples \(types) \(columns)"
        #expect(try copy.request(request).rows == daemon.request(request).rows)
        #expect(try devices(copy) == devices(daemon))
    }

    /// What is known of the devices, but for their ages: one daemon is asked after the other.
    private func devices(_ daemon: DaemonUnderTest) throws -> [String] {
        try daemon.request("devices").data.map { $0.replacing(/,"age":-?[0-9]+/, with: "") }
    }

    @Test func itGoesOnWithWhatComes() throws {
        let daemon = try DaemonUnderTest()
        try daemon.replay(RecordingText.oximeter(seconds: 3))
        let client = try daemon.connect()
        try client.send("record\n")
        while try client.line() != "# gattlog 1" {}
        try daemon.replay(RecordingText.oximeter(seconds: 2, from: 1_700_001_000))
        var values: [String] = []
        while values.count < 2, let line = try client.line() {
            if line.contains("\"2a5f\"") { values.append(line) }
        }
        #expect(values.map { $0.contains("2023-11-14T22:30:") } == [true, true])
        try client.send("ping\n")
        #expect(try client.reply()["n"] == "2")
        #expect(try client.reply().isOK)
    }

    @Test func itsFirstLineSaysWhatItIs() throws {
        let daemon = try DaemonUnderTest(zone: "Europe/Berlin")
        try daemon.replay(RecordingText.oximeter(seconds: 1))
        let lines = try record(daemon, since: "start")
        #expect(lines.first == "# gattlog 1")
        #expect(lines.contains("# Zone: Europe/Berlin"))
    }
}
