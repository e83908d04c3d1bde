import DaemonHarness
import Foundation
import Testing

@Suite struct DeleteTests {
    private let everything = "spo2 hr temp quality=all modality=all"

    private func daemon() throws -> DaemonUnderTest {
        let daemon = try DaemonUnderTest()
        try #require(try daemon.replay(QueryData.recording).count("stored") == 9)
        return daemon
    }

    private func seqs(_ daemon: DaemonUnderTest) throws -> [Int] {
        let reply = try daemon.request("samples \(everything) format=tsv")
        return Set(reply.column("seq").compactMap { Int($0) }).sorted()
    }

    @Test func anIDTakesItsWholePacket() throws {
        let daemon = try daemon()
        let reply = try daemon.request("delete 5.1")
        #expect(
            reply.data == [
                #"{"class":"deleted","readings":1,"samples":4,"#
                    + #""types":{"oxygenSaturation":2,"heartRate":2}}"#
            ])
        #expect(reply.end == "OK n=1 seq=10")
        #expect(try seqs(daemon) == [1, 2, 3, 4, 6, 7, 8, 9])
    }

    @Test func idsOfOnePacketAreOneReading() throws {
        let reply = try daemon().request("delete 5.0 5.1 5 1.0")
        #expect(reply["n"] == "2")
    }

    @Test func whatTwoDeleteAtOnceIsCountedOnce() throws {
        let daemon = try DaemonUnderTest()
        try daemon.replay(RecordingText.oximeter(seconds: 3000))
        let clients = try (0..<2).map { _ in try daemon.connect() }
        for client in clients { try client.send("delete spo2 hr\n") }
        let replies = try clients.map { try $0.reply() }
        #expect(replies.allSatisfy { $0.isOK })
        #expect(replies.compactMap { Int($0["n"] ?? "") }.reduce(0, +) == 3000)
        #expect(replies.compactMap { $0.count("readings") }.reduce(0, +) == 3000)
        #expect(replies.compactMap { $0.count("samples") }.reduce(0, +) == 6000)
        #expect(try daemon.request("changes since=start").records.count == 6000)
    }

    @Test func oneUnknownIDDeletesNothing() throws {
        let daemon = try daemon()
        let reply = try daemon.request("delete 1.0 77.0")
        #expect(reply.failure == "404 no-such-sample")
        #expect(reply["id"] == "77")
        #expect(try seqs(daemon) == Array(1...9))
        #expect(try daemon.request("delete 1.0").isOK)
        #expect(try daemon.request("delete 1.0").failure == "404 no-such-sample")
    }

    @Test(arguments: [
        ("delete temp", [6, 7, 8, 9].filter { $0 != 8 }),
        ("delete spo2 where=value<90", [3]),
        ("delete hr start=2026-11-29T22:01:00+00:00 end=2026-11-29T22:03:00+00:00", [2, 3]),
        ("delete spo2 hr quality=absent", [4]),
        ("delete spo2 hr temp device=54:6C:0E:9B:22:F1 modality=all", [6, 7, 8, 9]),
    ])
    func aQueryTakesWhatItsAnswerShows(request: String, gone: [Int]) throws {
        let daemon = try daemon()
        let before = try seqs(daemon)
        let rehearsal = try daemon.request("\(request) dry-run=yes")
        #expect(try seqs(daemon) == before)
        let reply = try daemon.request(request)
        #expect(reply["n"] == "\(gone.count)")
        #expect(try seqs(daemon) == before.filter { !gone.contains($0) })
        #expect(rehearsal["n"] == reply["n"])
        let dry = reply.data.map { String($0.dropLast()) + #","dryRun":true}"# }
        #expect(rehearsal.data == dry)
        #expect(rehearsal["seq"] == nil)
    }

    @Test func nothingToDeleteIsNoFailure() throws {
        let reply = try daemon().request("delete spo2 start=2030-01-01")
        #expect(reply["n"] == "0")
        #expect(reply.count("readings") == 0)
    }

    @Test(arguments: [
        ("delete", "400 syntax"), ("delete 1.0 spo2", "400 bad-value"),
        ("delete spo2 dry-run=maybe", "400 bad-value"), ("delete spo2 limit=3", "400 unknown-key"),
        ("delete nonsense", "404 no-such-type"),
    ])
    func aRequestThatIsWrongDeletesNothing(request: String, failure: String) throws {
        let daemon = try daemon()
        #expect(try daemon.request(request).failure == failure)
        #expect(try seqs(daemon) == Array(1...9))
    }

    @Test func whatIsDeletedDoesNotComeBack() throws {
        var daemon = try daemon()
        #expect(try daemon.request("delete spo2 hr modality=all quality=all")["n"] == "5")
        for options in ["dry-run=yes", "", "subject=ann"] {
            let reply = try daemon.replay(QueryData.recording, options: options)
            #expect(reply.count("stored") == 0)
            #expect(reply.count("readings") == 9)
            #expect(try seqs(daemon) == [6, 7, 8, 9])
        }
        try daemon.stop()
        daemon = try DaemonUnderTest(in: daemon.directory)
        #expect(try daemon.replay(QueryData.recording).count("stored") == 0)
        let changed = QueryData.recording.replacingOccurrences(of: "0061004800", with: "0062004800")
        #expect(try daemon.replay(changed).count("stored") == 1)
    }

    @Test func manyReadingsGoInOneRequestWhileOthersAsk() throws {
        let daemon = try DaemonUnderTest()
        try daemon.replay(RecordingText.oximeter(seconds: 3000))
        let path = daemon.socket
        let others = FollowThreads()
        for _ in 0..<2 {
            others.begin {
                let client = try LineClient(path: path)
                for _ in 0..<20 {
                    let reply = try client.request("samples hr format=tsv")
                    let ids = reply.column("id")
                    guard reply.isOK, Set(ids).count == ids.count else {
                        throw HarnessError("\(reply.end)")
                    }
                }
            }
        }
        let reply = try daemon.request("delete spo2 where=value>=95")
        try others.finish()
        #expect(reply["n"] == "1500")
        #expect(reply["seq"] == "4500")
        #expect(try daemon.request("samples hr")["n"] == "1500")
        #expect(try daemon.request("samples spo2 where=value>=95")["n"] == "0")
        #expect(try daemon.replay(RecordingText.oximeter(seconds: 3000)).count("stored") == 0)
    }

    @Test(arguments: [false, true])
    func aDeviceOfManyReadingsGoesInSpansThatTheFeedTells(isSealed: Bool) throws {
        let daemon = try DaemonUnderTest()
        let recording = RecordingText.oximeter(seconds: 12_000, from: 1_700_000_000)
        try daemon.replay("\(recording)\n\(QueryData.recording)")
        let others = try daemon.request("samples spo2 hr temp modality=all quality=all")["n"]
        let request = "delete device=00:1C:05:01:02:03 end=@1700011500"
        if isSealed { #expect(try daemon.request("checkpoint").isOK) }
        let rehearsal = try daemon.request("\(request) dry-run=yes")
        let reply = try daemon.request(request)
        #expect(reply["n"] == "11500")
        #expect(rehearsal["n"] == reply["n"])
        #expect(rehearsal.count("samples") == 23_000)
        #expect(reply.count("samples") == 23_000)
        let left = try daemon.request("samples spo2 device=00:1C:05:01:02:03 end=@1700012000")
        #expect(left["n"] == "500")
        #expect(
            try daemon.request("samples spo2 hr temp modality=all quality=all")["n"]
                == others.flatMap { Int($0) }.map { "\($0 - 23_000)" })
        let feed = try daemon.request("changes spo2 since=start").data
        let gone = feed.filter { $0.hasPrefix(#"{"class":"delete""#) }
        #expect(gone.count { $0.contains(#""id":"*."#) } >= 1)
        #expect(gone.count < 11_500)
        #expect(gone.last?.contains(#""end":"2023-11-15T01:25:00.000+00:00"}"#) == true)
        #expect(try daemon.replay(recording).count("stored") == 0)
    }

    @Test func readingsThatArePickedOutAreToldOneByOne() throws {
        let daemon = try DaemonUnderTest()
        try daemon.replay(RecordingText.oximeter(seconds: 12_000, from: 1_700_000_000))
        let reply = try daemon.request("delete device=00:1C:05:01:02:03 where=value>0")
        #expect(reply["n"] == "12000")
        let feed = try daemon.request("changes spo2 since=start").data
        #expect(feed.count == 12_000)
        #expect(!feed.contains { $0.contains(#""id":"*."#) })
    }

    @Test func theLogIsEmptyAfterADeletion() throws {
        let daemon = try daemon()
        #expect(try daemon.request("delete 1").isOK)
        let log = try FileManager.default.attributesOfItem(
            atPath: daemon.directory.path("state/healthd.db-wal"))
        #expect(log[.size] as? Int == 0)
    }

    @Test func theLatestIsThenTheOneBefore() throws {
        let daemon = try DaemonUnderTest()
        try daemon.replay(RecordingText.oximeter(seconds: 3))
        #expect(try daemon.request("delete 3").isOK)
        let latest = try daemon.request("latest spo2").data
        #expect(latest.first?.contains(#""id":"2.0""#) == true)
        #expect(try daemon.request("delete spo2").isOK)
        #expect(try daemon.request("latest spo2").data == [])
    }

    @Test func aCursorGoesOnBehindWhatIsGone() throws {
        let daemon = try DaemonUnderTest()
        try daemon.replay(RecordingText.oximeter(seconds: 10))
        let first = try daemon.request("samples spo2 limit=4 format=tsv")
        let next = try #require(first["next"])
        #expect(try daemon.request("delete 3 4 5 6").isOK)
        let rest = try daemon.request("samples spo2 format=tsv after=\(next)")
        #expect(rest.column("id") == ["7.0", "8.0", "9.0", "10.0"])
    }

    @Test func aFollowerIsToldAtOnce() throws {
        let daemon = try daemon()
        let client = try daemon.connect()
        try client.send("follow since=\(daemon.epoch):9\n")
        _ = try client.line()
        #expect(try daemon.request("delete 9").isOK)
        #expect(
            try client.line()
                == #"{"class":"delete","id":"9.0","seq":10,"type":"bodyTemperature","#
                + #""start":"2026-11-29T22:08:00.000+00:00"}"#)
    }

    @Test func aDeletionThatWasConfirmedOutlivesACrash() throws {
        let daemon = try daemon()
        #expect(try daemon.request("delete spo2 hr")["n"] != "0")
        let left = try seqs(daemon)
        daemon.crash()
        let next = try DaemonUnderTest(in: daemon.directory)
        #expect(try seqs(next) == left)
        #expect(try next.replay(QueryData.recording).count("stored") == 0)
    }
}
