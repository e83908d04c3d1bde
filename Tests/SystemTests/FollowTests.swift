import DaemonHarness
import Foundation
import Testing

@Suite struct FollowTests {
    /// The next line that is no heartbeat.
    private func record(_ client: LineClient) throws -> String? {
        while let line = try client.line() {
            if !line.hasPrefix("#") { return line }
        }
        return nil
    }

    private func records(_ count: Int, _ client: LineClient) throws -> [String] {
        try (0..<count).map { _ in try FollowRecord(record(client) ?? "").text }
    }

    @Test func withoutAnAnchorOnlyWhatComesIsTold() throws {
        let daemon = try DaemonUnderTest()
        try daemon.replay(RecordingText.oximeter(seconds: 3))
        let client = try daemon.connect()
        try client.send("follow spo2\n")
        #expect(try client.line()?.hasSuffix("anchor=\(daemon.epoch):3") == true)
        try daemon.replay(RecordingText.oximeter(seconds: 2, from: 1_700_001_000))
        #expect(try records(2, client) == ["add 4.0 4", "add 5.0 5"])
    }

    @Test func itBeginsWithAHeartbeatSoThatTheAnchorIsKnown() throws {
        let daemon = try DaemonUnderTest()
        let client = try daemon.connect()
        try client.send("follow since=now\n")
        let beat = try client.line() ?? ""
        #expect(beat.hasPrefix("# hb t=2"))
        #expect(beat.hasSuffix(" anchor=\(try daemon.epoch):0"))
    }

    @Test func sinceStartIsEverythingAndThenWhatComes() throws {
        let daemon = try DaemonUnderTest()
        try daemon.replay(RecordingText.oximeter(seconds: 300))
        let client = try daemon.connect()
        try client.send("follow spo2 since=start\n")
        #expect(try records(300, client) == (1...300).map { "add \($0).0 \($0)" })
        try daemon.replay(RecordingText.oximeter(seconds: 1, from: 1_700_001_000))
        #expect(try records(1, client) == ["add 301.0 301"])
    }

    @Test func anAddHasTheKeysOfASample() throws {
        let daemon = try DaemonUnderTest()
        let client = try daemon.connect()
        try client.send("follow spo2 tz=Europe/Berlin\n")
        _ = try client.line()
        try daemon.replay(RecordingText.oximeter(seconds: 1))
        let sample = try daemon.request("samples spo2 tz=Europe/Berlin").data
        let line = try record(client)
        #expect(
            line
                == sample.first?.replacingOccurrences(
                    of: #""class":"sample""#, with: #""class":"add""#))
    }

    @Test func theNextRequestEndsIt() throws {
        let daemon = try DaemonUnderTest()
        try daemon.replay(RecordingText.oximeter(seconds: 2))
        let client = try daemon.connect()
        try client.send("@f follow spo2 since=start\n")
        #expect(try records(2, client) == ["add 1.0 1", "add 2.0 2"])
        try client.send("# only a remark\n\n@p ping\n")
        #expect(try client.reply().end == "OK @f n=2 anchor=\(daemon.epoch):2")
        #expect(try client.reply().end == "OK @p")
    }

    @Test func aRequestSentAheadEndsItOnceItHasCaughtUp() throws {
        let daemon = try DaemonUnderTest()
        try daemon.replay(RecordingText.oximeter(seconds: 500))
        let client = try daemon.connect()
        try client.send("follow spo2 since=start\nping\n")
        let reply = try client.reply()
        #expect(reply.data.count == 500)
        #expect(reply["n"] == "500")
        #expect(try client.reply().end == "OK")
    }

    @Test func aHalfCloseDoesNotEndIt() throws {
        let daemon = try DaemonUnderTest()
        let client = try daemon.connect()
        try client.send("follow spo2\n")
        client.endInput()
        _ = try client.line()
        try daemon.replay(RecordingText.oximeter(seconds: 1))
        #expect(try records(1, client) == ["add 1.0 1"])
        try daemon.replay(RecordingText.oximeter(seconds: 1, from: 1_700_001_000))
        #expect(try records(1, client) == ["add 2.0 2"])
    }

    @Test func heartbeatsComeThoughNothingHappens() throws {
        let daemon = try DaemonUnderTest()
        let client = try daemon.connect()
        try client.send("follow heartbeat=1 tz=Asia/Tokyo\n")
        for _ in 0..<3 {
            let line = try client.line() ?? ""
            #expect(line.hasPrefix("# hb t="))
            #expect(line.hasSuffix("+09:00 anchor=\(try daemon.epoch):0"))
        }
    }

    @Test func heartbeatsPassWhatTheFilterLeavesOut() throws {
        let daemon = try DaemonUnderTest()
        let client = try daemon.connect()
        try client.send("follow temp heartbeat=1 since=start\n")
        try daemon.replay(RecordingText.oximeter(seconds: 60))
        let anchor = "anchor=\(try daemon.epoch):60"
        while let line = try client.line(), !line.hasSuffix(anchor) {
            #expect(line.hasPrefix("# hb "))
        }
        #expect(try client.request("ping").lines == [])
    }

    @Test(arguments: [
        ("follow since=0000000000000000:1", "410 anchor-foreign"),
        ("follow since=EPOCH:5", "410 anchor-foreign"),
        ("changes since=EPOCH:5", "410 anchor-foreign"),
        ("record since=EPOCH:5", "400 unknown-key"),
        ("follow since=EPOCH:-1", "400 bad-value"),
        ("follow since=yesterday", "400 bad-value"),
        ("changes since=now", "400 bad-value"),
        ("changes", "400 bad-value"),
        ("follow heartbeat=0", "400 bad-value"),
        ("follow heartbeat=3601", "422 range"),
        ("follow limit=3", "400 unknown-key"),
        ("follow nonsense", "404 no-such-type"),
        ("changes since=start where=value<3", "400 unknown-key"),
    ])
    func whatCannotBeFollowedIsSaid(request: String, failure: String) throws {
        let daemon = try DaemonUnderTest()
        try daemon.replay(RecordingText.oximeter(seconds: 4))
        let text = request.replacingOccurrences(of: "EPOCH", with: try daemon.epoch)
        #expect(try daemon.request(text).failure == failure)
    }

    @Test func theSeamHasNeitherGapNorRepeat() throws {
        let daemon = try DaemonUnderTest()
        let producers = FollowThreads()
        for number in 0..<3 {
            let (path, device) = (daemon.socket, "00:1C:05:01:02:0\(number)")
            producers.begin {
                for turn in 0..<50 {
                    let recording = RecordingText.oximeter(
                        seconds: 3, from: 1_700_000_000 + turn * 10, device: device)
                    let reply = try LineClient(path: path).replay(recording)
                    guard reply.count("stored") == 3 else { throw HarnessError(reply.end) }
                }
            }
        }
        var follower = ResumingFollower(epoch: try daemon.epoch)
        var random = SystemRandomNumberGenerator()
        while producers.isRunning {
            let client = try daemon.connect()
            try client.send(follower.request)
            for _ in 0..<Int.random(in: 1...60, using: &random) {
                try follower.take(try #require(try client.line()))
            }
            follower.disconnect()
        }
        try producers.finish()
        let rest = try daemon.request("changes quality=all modality=all since=\(follower.anchor)")
        let whole = try daemon.request("changes quality=all modality=all since=start")
        #expect(whole.data.count == 900)
        #expect(follower.lines + rest.data == whole.data)
    }

    @Test func manyFollowersSeeTheSame() throws {
        let daemon = try DaemonUnderTest()
        let clients = try (0..<40).map { _ in try daemon.connect() }
        for client in clients { try client.send("follow since=start\n") }
        for turn in 0..<10 {
            try daemon.replay(RecordingText.oximeter(seconds: 5, from: 1_700_000_000 + turn * 10))
        }
        let right = try daemon.request("changes since=start").data
        #expect(right.count == 100)
        for client in clients {
            let lines = try (0..<100).compactMap { _ in try record(client) }
            #expect(lines == right)
        }
    }

    @Test func whoLagsMissesNothing() throws {
        let daemon = try DaemonUnderTest()
        let lagging = try daemon.connect()
        try lagging.send("follow since=start\n")
        for turn in 0..<20 {
            try daemon.replay(
                RecordingText.oximeter(seconds: 200, from: 1_700_000_000 + turn * 1000))
        }
        let memory = try daemon.residentMemory
        let right = try daemon.request("changes since=start").data
        #expect(try (0..<8000).compactMap { _ in try record(lagging) } == right)
        #expect(try daemon.residentMemory < memory + 4096)
    }
}
