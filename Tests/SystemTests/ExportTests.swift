import DaemonHarness
import Foundation
import Testing

/// What `healthctl export` writes comes back as the same.
@Suite struct ExportTests {
    static let recordings = [
        "heartrate-strap", "nonin3230-continuous", "spotcheck-stored-records",
        "thermometer-celsius-fahrenheit", "thermometer-device-clock", "thermometer-minute-stamps",
        "two-devices", "damaged-lines",
    ]

    private func export(
        _ daemon: DaemonUnderTest, _ arguments: [String] = [], to name: String
    ) throws -> (path: String, errors: String) {
        let client = try daemon.healthctl(["export"] + arguments)
        #expect(try client.wait() == .exit(0), "\(client.errors)")
        return (try daemon.directory.write(client.output, to: name), client.errors)
    }

    /// All samples of a store, without what names them and without some members.
    private func samples(_ daemon: DaemonUnderTest, without keys: [String]) throws -> [String] {
        let request =
            "samples spo2 hr pi temp rr battery steps modality=all quality=all unit=sent tz=UTC"
        return try daemon.request(request).data.map { line in
            try (keys + ["id", "seq"]).reduce(line) { text, key in
                let member = try Regex(#","\#(key)":("[^"]*"|[0-9]+|true)"#)
                return text.replacing(member, with: "")
            }
        }.sorted()
    }

    @Test(arguments: recordings)
    func samplesComeBackAsTheyWere(recording: String) throws {
        let daemon = try DaemonUnderTest()
        try daemon.replay(ShippedRecording.text(recording))
        let middle = try samples(daemon, without: []).count / 2
        #expect(middle > 0)
        let first = try daemon.request("latest").data.first ?? ""
        let device = first.components(separatedBy: #""device":""#)[1].prefix { $0 != "\"" }
        #expect(
            try daemon.request("assign device=\(device) subject=anna start=2026-11-27T06:30:30Z")
                .isOK)
        let file = try export(daemon, to: "e.ndjson")
        let other = try DaemonUnderTest()
        let take = try other.healthctl(["import", file.path])
        #expect(try take.wait() == .exit(0), "\(take.errors)")
        #expect(take.errors == "")
        let keys = ["source", "timeQuality"]
        #expect(try samples(other, without: keys) == samples(daemon, without: keys))
    }

    @Test(arguments: recordings)
    func samplesAddNothingToTheStoreThatTheyAreFrom(recording: String) throws {
        let daemon = try DaemonUnderTest()
        try daemon.replay(ShippedRecording.text(recording))
        let before = try samples(daemon, without: [])
        let file = try export(daemon, to: "e.ndjson")
        let take = try daemon.healthctl(["import", file.path])
        #expect(take.output.contains(": 0 stored, \(before.count) duplicate"), "\(take.output)")
        #expect(try samples(daemon, without: []) == before)
    }

    @Test(arguments: recordings)
    func packetsComeBackAsTheyWere(recording: String) throws {
        let daemon = try DaemonUnderTest(zone: "Europe/Berlin")
        try daemon.replay(ShippedRecording.text(recording))
        let file = try export(daemon, ["-o", "gattlog"], to: "e.gattlog")
        #expect(file.errors == "")
        let other = try DaemonUnderTest(zone: "Europe/Berlin")
        let replay = try other.healthctl(["replay", "--strict", file.path])
        #expect(try replay.wait() == .exit(0), "\(replay.errors)")
        #expect(try samples(other, without: []) == samples(daemon, without: []))
        let devices = [daemon, other].map { daemon in
            (try? daemon.request("devices tz=UTC").data.map {
                $0.replacing(/"age":[0-9]+/, with: "")
            }.sorted()) ?? []
        }
        #expect(devices[0] == devices[1])
    }

    @Test func stampsOfAnotherZoneKeepTheirTimes() throws {
        let daemon = try DaemonUnderTest(zone: "Asia/Tokyo")
        try daemon.replay(ShippedRecording.text("thermometer-minute-stamps"))
        let file = try export(daemon, ["-o", "gattlog"], to: "e.gattlog")
        let other = try DaemonUnderTest(zone: "America/New_York")
        #expect(try other.healthctl(["replay", file.path]).wait() == .exit(0))
        #expect(
            try samples(other, without: ["ambiguous"]) == samples(daemon, without: ["ambiguous"]))
    }

    @Test func importedSamplesAreNoPackets() throws {
        let daemon = try DaemonUnderTest()
        let path = try daemon.directory.write(
            "type,start,value\nhr,2020-12-01T00:00:00Z,72\n", to: "t.csv")
        #expect(try daemon.healthctl(["import", path]).wait() == .exit(0))
        let file = try export(daemon, ["-o", "gattlog"], to: "e.gattlog")
        #expect(file.errors.contains("1 imported samples are no packets"))
    }

    @Test func aTableComesBackWithItsValues() throws {
        let daemon = try DaemonUnderTest()
        try daemon.replay(QueryData.recording)
        let file = try export(daemon, ["-o", "csv"], to: "e.csv")
        let other = try DaemonUnderTest()
        let take = try other.healthctl(["import", file.path])
        #expect(try take.wait() == .exit(0), "\(take.errors)")
        let request = "samples spo2 hr temp modality=all quality=all format=tsv tz=UTC"
        let keys = ["start", "end", "type", "value", "unit", "device", "modality", "quality"]
        for key in keys {
            let values = try daemon.request(request + " where=value>=0").column(key)
            #expect(try other.request(request).column(key) == values)
        }
    }

    @Test func typesAndTimesCanBeChosen() throws {
        let daemon = try DaemonUnderTest()
        try daemon.replay(QueryData.recording)
        let temperatures = try export(daemon, ["temp", "-o", "csv"], to: "t.csv")
        let text = try String(contentsOfFile: temperatures.path, encoding: .utf8)
        #expect(text.contains("bodyTemperature"))
        #expect(!text.contains("oxygenSaturation"))
        let none = try daemon.healthctl(["export", "-o", "csv", "-U", "2000-01-01"])
        #expect(none.output.components(separatedBy: "\r\n").count == 2)
        let packets = try daemon.healthctl(
            ["export", "temp", "-o", "gattlog", "--device", QueryData.thermometer])
        #expect(!packets.output.contains(#""characteristic":"2a5f""#))
        #expect(packets.output.contains(#""characteristic":"2a1c""#))
    }
}

/// Who may read only some types is not shown packets that hold others.
@Suite(.enabled(if: AccessPeer.isPermitted, "only root can be somebody else"))
struct ExportAccessTests {
    @Test func packetsThatHoldMoreAreLeftOutAndCounted() throws {
        let directory = try ScratchDirectory()
        let path = try directory.write(
            "[access]\nuser nobody = read spo2 temp\n", to: "healthd.conf")
        let daemon = try DaemonUnderTest(in: directory, arguments: ["--config", path])
        #expect(try daemon.replay(QueryData.recording).isOK)
        let reply = try AccessPeer(daemon).request("readings")
        #expect(reply.isOK)
        #expect(Int(reply["denied"] ?? "") ?? 0 > 0)
        #expect(!reply.data.joined().contains("2a5f"))
        #expect(reply.data.joined().contains(#""characteristic":"2a1c""#))
        #expect(try AccessPeer(daemon).request("readings hr").failure == "403 denied")
    }
}
