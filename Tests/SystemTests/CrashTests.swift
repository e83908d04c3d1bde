import DaemonHarness
import Foundation
import Testing

/// healthd is killed again and again while readings come in, at moments left to chance.
///
/// `HEALTHD_CRASHES` sets how often.
@Suite struct CrashTests {
    private static let lanes = 4
    private static let crashes =
        ProcessInfo.processInfo.environment["HEALTHD_CRASHES"].flatMap { Int($0) } ?? 1000

    @Test(arguments: 0..<lanes)
    func nothingConfirmedIsLostAndNothingIsDoubled(number: Int) throws {
        var lane = try CrashLane()
        for _ in 0..<Self.crashes / Self.lanes { try lane.crash() }
        try lane.check()
    }
}

/// One store that outlives many crashes, and what clients know of it.
///
/// A client sends what was not confirmed again; another one follows, and resumes after each crash.
private struct CrashLane {
    private let directory: ScratchDirectory
    private var follower: ResumingFollower?
    private var random = SystemRandomNumberGenerator()
    private var nextSecond = 1_700_000_000
    /// Seconds with a packet that was sent and not confirmed.
    private var open: [Int] = []
    private var confirmed: Set<Int> = []
    private var deleted: Set<Int> = []
    /// Seconds whose deletion was asked for and not confirmed.
    private var doubtful: Set<Int> = []

    init() throws { directory = try ScratchDirectory() }

    /// One life of a healthd.
    mutating func crash() throws {
        let daemon = try DaemonUnderTest(in: directory)
        var follower = try follower ?? ResumingFollower(epoch: daemon.epoch)
        let listening = try daemon.connect()
        try listening.send(follower.request)
        try live(try daemon.connect(), steps: Int.random(in: 0...8, using: &random))
        daemon.crash()
        while let line = try listening.line() { try follower.take(line) }
        follower.disconnect()
        self.follower = follower
    }

    /// Does the first few steps of what a client does in one life.
    private mutating func live(_ client: LineClient, steps: Int) throws {
        if steps > 0 { try begin(client) }
        if steps > 1 { try client.send("\n.\n") }
        if steps > 2 { pause() }
        if steps > 3 { try confirm(client.reply()) }
        if steps > 4 { try begin(client) }
        if steps > 5 { try client.send("\n.\n") }
        if steps > 6 { try confirm(client.reply()) }
        if steps > 7 { try delete(client) }
    }

    /// Sends what was not confirmed, with something new, and something that must not come back.
    private mutating func begin(_ client: LineClient) throws {
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            open.append(nextSecond)
            nextSecond += 1
        }
        let seconds = open + [deleted.randomElement(using: &random)].compactMap { $0 }
        let lines = seconds.map { RecordingText.oximeter(seconds: 1, from: $0) }
        try client.send("replay\n" + lines.joined(separator: "\n"))
    }

    private mutating func confirm(_ reply: LineReply) throws {
        guard reply.isOK else { throw HarnessError(reply.end) }
        confirmed.formUnion(open)
        open = []
    }

    private mutating func delete(_ client: LineClient) throws {
        guard let second = confirmed.randomElement(using: &random) else { return }
        confirmed.remove(second)
        doubtful.insert(second)
        try client.send("delete spo2 start=@\(second) end=@\(second + 1)\n")
        if Bool.random(using: &random) { return pause() }
        let reply = try client.reply()
        guard reply["n"] == "1" else { throw HarnessError(reply.end) }
        doubtful.remove(second)
        deleted.insert(second)
    }

    /// The moment of the crash is what is left to chance.
    private mutating func pause() { usleep(UInt32.random(in: 0...3000, using: &random)) }
}

extension CrashLane {
    /// Checks all that clients know against what the store holds in the end.
    func check() throws {
        let daemon = try DaemonUnderTest(in: directory)
        let samples = try daemon.request("samples spo2 format=tsv")
        let starts = samples.column("start")
        let seconds = Set(starts)
        #expect(seconds.count == starts.count)
        #expect(Set(samples.column("id")).count == starts.count)
        #expect(times(confirmed).isSubset(of: seconds))
        #expect(seconds.isDisjoint(with: times(deleted)))
        #expect(seconds.isSubset(of: times(confirmed.union(open).union(doubtful))))
        try checkFeed(daemon)
    }

    private func times(_ seconds: Set<Int>) -> Set<String> {
        Set(seconds.map { RecordingText.time($0).replacing("Z", with: ".000+00:00") })
    }

    /// What the follower saw is the feed, but for samples that are gone: those it saw come.
    private func checkFeed(_ daemon: DaemonUnderTest) throws {
        let follower = try #require(follower)
        let rest = try daemon.request("changes quality=all modality=all since=\(follower.anchor)")
        let whole = try daemon.request("changes quality=all modality=all since=start").data
        let seen = follower.lines + rest.data
        let records = try seen.map { try FollowRecord($0) }
        let gone = Set(records.filter { $0.kind == "delete" }.map(\.id))
        let left = zip(seen, records).filter { $1.kind == "delete" || !gone.contains($1.id) }
        #expect(left.map { $0.0 } == whole)
        #expect(records.map(\.seq) == records.map(\.seq).sorted())
        #expect(Set(records.map(\.text)).count == records.count)
    }
}
