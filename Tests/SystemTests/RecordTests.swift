import DaemonHarness
import Foundation
import Testing

/// `record`: what comes through the door, as a recording that replays to the same readings.
@Suite struct RecordTests {
    private let all = "samples spo2 hr temp rr perfusionIndex battery quality=all modality=all"

    /// All columns of all samples but id and seq, in the order in which the readings came in.
    private func rows(_ daemon: DaemonUnderTest, after seq: Int = 0) throws -> [[String]] {
        try daemon.request("\(all) tz=UTC format=tsv").rows
            .filter { Int($0.last ?? "") ?? 0 > seq }
            .sorted { Int($0[13]) ?? 0 < Int($1[13]) ?? 0 }
            .map { Array($0.dropLast(2)) }
    }

    /// What is known of the devices, but for their ages: one daemon is asked after the other.
    private func devices(_ daemon: DaemonUnderTest) throws -> [String] {
        try daemon.request("devices tz=UTC").data
            .map { $0.replacing(/,"age":-?[0-9]+/, with: "") }
    }

    /// Ends a recording, and replays it into a daemon whose host is in another zone.
    private func copy(_ recorder: RecorderClient) throws -> DaemonUnderTest {
        let lines = try recorder.end()
        let daemon = try DaemonUnderTest(zone: "Asia/Tokyo")
        let reply = try daemon.replay(lines.joined(separator: "\n"), options: "")
        #expect(reply.isOK)
        #expect(reply.count("damaged") == nil)
        return daemon
    }

    @Test(arguments: [
        "nonin3230-continuous", "spotcheck-stored-records", "thermometer-celsius-fahrenheit",
        "thermometer-minute-stamps", "thermometer-device-clock", "two-devices",
        "heartrate-strap", "damaged-lines",
    ])
    func whatIsReplayedMeanwhileGivesAnEqualStore(name: String) throws {
        let daemon = try DaemonUnderTest(zone: "America/New_York")
        let recorder = try RecorderClient(daemon)
        #expect(try daemon.replay(ShippedRecording.text(name)).isOK)
        let copy = try copy(recorder)
        #expect(try rows(copy) == rows(daemon))
        #expect(try devices(copy) == devices(daemon))
        #expect(try !rows(daemon).isEmpty)
    }

    @Test(arguments: 1..<18) func aRecordingMayBeginInsideALink(events: Int) throws {
        let lines = ShippedRecording.text("thermometer-device-clock").split(separator: "\n")
        let places = lines.indices.filter { lines[$0].hasPrefix("{") }
        let daemon = try DaemonUnderTest(zone: "Europe/Berlin")
        let replay = try BrokenReplay(daemon)
        try replay.send(lines[..<places[events]].joined(separator: "\n"))
        let seq = try daemon.newestSeq
        let recorder = try RecorderClient(daemon)
        try replay.send(lines[places[events]...].joined(separator: "\n"))
        #expect(try replay.end().isOK)
        #expect(try rows(copy(recorder)) == rows(daemon, after: seq))
    }

    @Test func twoSourcesOfOneDeviceKeepTheirClocksApart() throws {
        let daemon = try DaemonUnderTest(zone: "Europe/Berlin")
        let recorder = try RecorderClient(daemon)
        let (one, other) = try (BrokenReplay(daemon), BrokenReplay(daemon))
        let clocks = [
            "ea070b18143200", "ea070b190a0000",  // ten minutes too little, three hours too much
        ]
        for (number, clock) in clocks.enumerated() {
            let replay = number == 0 ? one : other
            try replay.send(ClockTemperature.link(clock, day: 24 + number))
        }
        for minute in 1...3 {
            try one.send(ClockTemperature.line(day: 24, minute: minute))
            try other.send(ClockTemperature.line(day: 25, minute: minute))
        }
        #expect(try one.end().isOK)
        #expect(try other.end().isOK)
        let copy = try copy(recorder)
        #expect(try rows(copy) == rows(daemon))
        #expect(try rows(copy).count { $0[10] == "mapped" } == 6)
    }

    @Test func whatTheStoreKnowsOfADeviceComesFirst() throws {
        let daemon = try DaemonUnderTest()
        #expect(try daemon.replay(ShippedRecording.text("nonin3230-continuous")).isOK)
        let recorder = try RecorderClient(daemon)
        let packet = RecordingText.oximeter(seconds: 1)
        #expect(try daemon.replay(packet).isOK)
        let copy = try copy(recorder)
        let attributes = ["name", "manufacturer", "model", "serial", "firmware"]
        for key in attributes.map({ "\"\($0)\":" }) {
            let both = try [daemon, copy].map { daemon in
                try devices(daemon).joined().split(separator: ",").filter { $0.contains(key) }
            }
            #expect(both[0] == both[1])
        }
        #expect(try rows(copy).count == 2)
    }

    @Test func aDryRunIsNotRecorded() throws {
        let daemon = try DaemonUnderTest()
        let recorder = try RecorderClient(daemon)
        #expect(try daemon.replay(QueryData.recording, options: "dry-run=yes").isOK)
        #expect(try recorder.end() == [])
    }

    @Test func recordingIsNotFollowing() throws {
        let daemon = try DaemonUnderTest()
        let recorder = try RecorderClient(daemon)
        let follower = try daemon.connect()
        try follower.send("follow spo2\n")
        #expect(try follower.line()?.hasPrefix("# hb ") == true)
        #expect(try daemon.request("metrics").count("followers") == 1)
        #expect(try recorder.end() == [])
    }

    @Test func whoDoesNotReadIsCutOffAndTold() throws {
        let daemon = try DaemonUnderTest()
        let slow = try RecorderClient(daemon)
        #expect(try daemon.replay(RecordingText.oximeter(seconds: 40_000)).isOK)
        #expect(try daemon.request("samples spo2 limit=1 order=desc")["n"] == "1")
        let (lines, end) = try slow.rest()
        #expect(end.hasPrefix("ERR 503 slow-client n=\(lines.count { $0.hasPrefix("{") }) "))
        #expect(lines.last?.hasPrefix("# cut t=") == true)
        #expect((16_000..<40_000).contains(lines.count))
        let next = try RecorderClient(daemon)
        #expect(try daemon.replay(QueryData.recording).isOK)
        #expect(try next.end().count { $0.contains("\"notify\"") } == 9)
    }

    @Test func aFewMayRecordAtOnce() throws {
        let daemon = try DaemonUnderTest()
        var recorders = try (0..<8).map { _ in try RecorderClient(daemon) }
        #expect(try daemon.request("record").failure == "409 busy")
        recorders.removeLast()
        try waitUntil { try daemon.request("metrics").count("connections") == 8 }
        recorders.append(try RecorderClient(daemon))
        #expect(try daemon.replay(QueryData.recording).isOK)
        let copies = try recorders.map { try $0.end() }
        #expect(Set(copies).count == 1)
    }
}

/// A client that records.
final class RecorderClient {
    private let client: LineClient

    /// Begins with what comes from now on.
    init(_ daemon: DaemonUnderTest) throws {
        client = try daemon.connect()
        try client.send("record\n")
        while let line = try client.line(), line != "# gattlog 1" {}
    }

    /// Ends it; the lines that came, but for the first.
    func end() throws -> [String] {
        try client.send("ping\n")
        let reply = try client.reply()
        #expect(reply.isOK)
        #expect(reply["n"] == "\(reply.data.count)")
        #expect(try client.reply().isOK)
        return reply.lines.filter { !$0.hasPrefix("# hb ") }
    }

    /// Reads until the daemon ends it.
    func rest() throws -> (lines: [String], end: String) {
        let reply = try client.reply()
        return (reply.lines, reply.end)
    }
}

/// A recording that comes in piece by piece, each of which is stored before the next is sent.
final class BrokenReplay {
    private static let marker = "00:1C:05:FF:00:01"
    private let daemon: DaemonUnderTest
    private let client: LineClient
    private var pieces = 0

    /// Begins it.
    init(_ daemon: DaemonUnderTest) throws {
        self.daemon = daemon
        client = try daemon.connect()
        try client.send("replay\n")
        while let line = try client.line(), line != "# send" {}
    }

    /// Sends lines, and waits until they are through the door.
    func send(_ text: String) throws {
        pieces += 1
        let before = try daemon.newestSeq
        let packet = RecordingText.notify(
            "2a19", "\(10 + pieces)", at: RecordingText.time(1_600_000_000 + before),
            device: Self.marker)
        try client.send("\(text)\n\(packet)\n")
        try waitUntil { try daemon.markers(Self.marker) > before }
    }

    /// Ends it.
    func end() throws -> LineReply {
        try client.send(".\n")
        return try client.reply()
    }
}

extension DaemonUnderTest {
    /// The greatest seq of all samples.
    var newestSeq: Int {
        get throws {
            let anchor = try connect().request("status").data.joined()
            let digits = anchor.range(of: #""anchor":"[^:]*:"#, options: .regularExpression)
                .map { anchor[$0.upperBound...].prefix { $0.isNumber } }
            return Int(digits ?? "") ?? -1
        }
    }

    /// The seq of the last battery level of a device.
    fileprivate func markers(_ device: String) throws -> Int {
        let reply = try request("samples battery device=\(device) order=desc limit=1 format=tsv")
        return Int(reply.column("seq").first ?? "") ?? -1
    }
}

/// The recordings that are in the repository.
enum ShippedRecording {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../ReplayTests/Recordings").standardizedFileURL.path

    /// The lines of one.
    static func text(_ name: String) -> String {
        let octets = FileManager.default.contents(atPath: "\(folder)/\(name).gattlog")
        return String(decoding: octets ?? Data(), as: UTF8.self)
    }
}

/// A thermometer whose clock is read, and goes wrong.
private enum ClockTemperature {
    private static let device = "EC:21:E5:D8:40:1B"

    /// A connect, and a read of the clock.
    static func link(_ clock: String, day: Int) -> String {
        let read =
            #"{"at":"2026-11-\#(day)T20:00:01Z","event":"read","device":"\#(device)","#
            + #""service":"1809","characteristic":"2a08","value":"\#(clock)"}"#
        let zone = "# Zone: Europe/Berlin"
        let connect = RecordingText.link(
            "connect", at: "2026-11-\(day)T20:00:00Z", device: device)
        return "\(zone)\n\(connect)\n\(read)"
    }

    /// A temperature with a stamp of the same evening.
    static func line(day: Int, minute: Int) -> String {
        let stamp = "ea070b\(String(day, radix: 16))150\(minute)00"
        return RecordingText.notify(
            "2a1c", "026e0100ff\(stamp)", at: "2026-11-\(day)T20:0\(minute):30Z", device: device)
    }
}
