import DaemonHarness
import Testing

@Suite struct ChangesTests {
    /// A store in which everything has happened that a feed tells of.
    private func busyDaemon() throws -> DaemonUnderTest {
        let daemon = try DaemonUnderTest()
        try daemon.replay(QueryData.recording)
        #expect(try daemon.request("delete 2").isOK)
        let device = RecordingText.device
        #expect(try daemon.request("assign device=\(device) subject=ann").isOK)
        try daemon.replay(RecordingText.oximeter(seconds: 4))
        #expect(try daemon.request("delete 1 4").isOK)
        return daemon
    }

    @Test func everythingIsToldInTheOrderOfSeq() throws {
        let daemon = try DaemonUnderTest()
        try daemon.replay(RecordingText.oximeter(seconds: 2))
        #expect(try daemon.request("delete 1").isOK)
        let device = RecordingText.device
        #expect(try daemon.request("assign device=\(device) subject=ann").isOK)
        let reply = try daemon.request("changes since=start")
        #expect(
            try reply.records == [
                "add 2.0 2", "add 2.1 2", "delete 1.0 3", "delete 1.1 3", "update 2.0 4",
                "update 2.1 4",
            ])
        #expect(reply.end == "OK n=6 more=0 anchor=\(try daemon.epoch):4")
        let subjects = try reply.data.map { try FollowRecord($0).subject }
        #expect(subjects == ["ann", "ann", nil, nil, "ann", "ann"])
    }

    @Test(arguments: 1...7)
    func pagesOfAnyLimitAreTheWhole(limit: Int) throws {
        let daemon = try busyDaemon()
        let request = "changes quality=all modality=all"
        let whole = try daemon.request("\(request) since=start")
        let client = try daemon.connect()
        var (lines, anchor, more) = ([String](), "start", "1")
        while more == "1" {
            let page = try client.request("\(request) limit=\(limit) since=\(anchor)")
            // All records of a seq come together, so that a page can be longer than its limit.
            #expect(Set(try page.data.map { try FollowRecord($0).seq }).count <= limit)
            let next = try #require(page["anchor"])
            try #require(next != anchor)
            (lines, anchor, more) = (lines + page.data, next, page["more"] ?? "")
        }
        #expect(lines == whole.data)
        #expect(anchor == whole["anchor"])
    }

    @Test(arguments: [1, 100, 101, 150, 399])
    func anAssignmentOfManySamplesIsOnePage(limit: Int) throws {
        let daemon = try DaemonUnderTest()
        try daemon.replay(RecordingText.oximeter(seconds: 200))
        let epoch = try daemon.epoch
        #expect(try daemon.request("assign device=\(RecordingText.device) subject=ann").isOK)
        try daemon.replay(RecordingText.oximeter(seconds: 1, from: 1_700_009_000))
        let page = try daemon.request("changes since=\(epoch):200 limit=\(limit)")
        #expect(page.end == "OK n=400 more=1 anchor=\(epoch):201")
        let rest = try daemon.request("changes since=\(epoch):201 limit=\(limit)")
        #expect(try rest.records.first == "add 202.0 202")
    }

    @Test func anAssignmentIsResumedByAFollowerFromItsBeginning() throws {
        let daemon = try DaemonUnderTest()
        try daemon.replay(RecordingText.oximeter(seconds: 200))
        #expect(try daemon.request("assign device=\(RecordingText.device) subject=ann").isOK)
        var follower = ResumingFollower(epoch: try daemon.epoch)
        for lines in [450, 300] {
            let client = try daemon.connect()
            try client.send(follower.request)
            for _ in 0..<lines { try follower.take(try #require(try client.line())) }
            follower.disconnect()
        }
        #expect(follower.anchor.hasSuffix(":200"))
        let rest = try daemon.request("changes since=\(follower.anchor)")
        #expect(rest["n"] == "400")
        #expect(
            try follower.lines + rest.data == daemon.request("changes since=start").data)
    }

    @Test func filtersNarrowEveryKindOfRecord() throws {
        let daemon = try busyDaemon()
        let all = try daemon.request("changes since=start quality=all modality=all").data
        let narrow = try daemon.request("changes hr since=start quality=all modality=all").data
        #expect(narrow == all.filter { $0.contains(#""type":"heartRate""#) })
        #expect(narrow.count > 5)
        let usual = try daemon.request("changes since=start").data
        #expect(usual.count < all.count)
        #expect(Set(usual).isSubset(of: Set(all)))
    }

    @Test func behindTheNewestThereIsNothing() throws {
        let daemon = try busyDaemon()
        let anchor = try #require(try daemon.request("changes since=start")["anchor"])
        let reply = try daemon.request("changes since=\(anchor)")
        #expect(reply.end == "OK n=0 more=0 anchor=\(anchor)")
    }

    @Test func anAnchorOutlivesTheDaemon() throws {
        let daemon = try busyDaemon()
        let whole = try daemon.request("changes since=start").data
        let first = try daemon.request("changes since=start limit=3")
        let anchor = try #require(first["anchor"])
        try daemon.stop()
        let next = try DaemonUnderTest(in: daemon.directory)
        #expect(try first.data + next.request("changes since=\(anchor)").data == whole)
    }
}
