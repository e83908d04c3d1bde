import DaemonHarness
import Foundation
import Testing

/// Followers that ask for the same are told from one answer; nobody notices.
@Suite struct SharedFollowTests {
    /// What a follower has been told when it ends, and how its end counts it.
    private func told(_ client: LineClient) throws -> (lines: [String], count: String?) {
        try client.send("ping\n")
        let reply = try client.reply()
        #expect(try client.reply().isOK)
        return (reply.data, reply["n"])
    }

    private func follow(_ daemon: DaemonUnderTest, _ request: String) throws -> LineClient {
        let client = try daemon.connect()
        try client.send("follow \(request)\n")
        if !request.contains("since=") { _ = try client.line() }
        return client
    }

    @Test func everyOneIsToldWhatItAskedFor() throws {
        let daemon = try DaemonUnderTest()
        try daemon.replay(RecordingText.oximeter(seconds: 3))
        let epoch = try daemon.epoch
        let requests = [
            "spo2", "spo2 heartbeat=30", "spo2 tz=Asia/Tokyo", "hr", "spo2 hr", "temp",
            "spo2 since=start", "spo2 since=\(epoch):2",
        ]
        let clients = try requests.flatMap { request in
            try (0..<6).map { _ in (request, try follow(daemon, request)) }
        }
        for second in 0..<20 {
            try daemon.replay(
                RecordingText.oximeter(seconds: 7, from: 1_700_001_000 + 10 * second))
        }
        for (request, client) in clients {
            let since = request.contains("since=") ? "" : " since=\(epoch):3"
            let asked = request.replacingOccurrences(of: " heartbeat=30", with: "")
            let wanted = try daemon.request("changes \(asked)\(since)").data
            let (lines, count) = try told(client)
            #expect(lines == wanted)
            #expect(count == "\(wanted.count)")
        }
    }

    @Test func oneThatGoesAwayTakesNothingFromTheOthers() throws {
        let daemon = try DaemonUnderTest()
        var clients = try (0..<12).map { _ in try follow(daemon, "spo2") }
        for second in 0..<10 {
            try daemon.replay(
                RecordingText.oximeter(seconds: 5, from: 1_700_001_000 + 10 * second))
            clients.removeFirst().hangUp()
        }
        let wanted = try daemon.request("changes spo2 since=start").data
        #expect(wanted.count == 50)
        for client in clients { #expect(try told(client).lines == wanted) }
    }

    @Test func oneThatDoesNotReadHoldsNobodyUp() throws {
        let daemon = try DaemonUnderTest()
        let slow = try follow(daemon, "spo2 hr perfusionIndex")
        let quick = try follow(daemon, "spo2 hr perfusionIndex")
        var lines = 0
        for part in 0..<20 {
            try daemon.replay(
                RecordingText.oximeter(seconds: 500, from: 1_700_001_000 + 1000 * part))
            while lines < (part + 1) * 1000, let line = try quick.line() {
                if line.hasPrefix("{") { lines += 1 }
            }
        }
        #expect(lines == 20_000)
        let (late, count) = try told(slow)
        let all = try daemon.request("changes spo2 hr perfusionIndex since=start").data
        #expect(late == Array(all.prefix(late.count)))
        #expect(count == "\(late.count)")
    }
}
