import DaemonHarness
import Foundation
import Testing

/// `healthctl watch` and `changes` against a daemon that comes and goes.
@Suite struct ClientWatchTests {
    private func start(
        _ daemon: DaemonUnderTest, _ words: [String]
    ) throws -> ChildProcess {
        try ChildProcess(
            [BuiltProgram.healthctl.path] + words,
            environment: ["TZ": "UTC", "HEALTHD_SOCKET": daemon.socket], in: daemon.directory)
    }

    private func lines(_ text: String) -> [String] { text.split(separator: "\n").map(String.init) }

    private func follow(_ daemon: DaemonUnderTest) throws -> [String] {
        try daemon.request("changes since=start").data
    }

    @Test func everythingIsPrintedFromTheStart() throws {
        let daemon = try DaemonUnderTest()
        try daemon.replay(QueryData.recording)
        let wanted = try follow(daemon)
        let watch = try start(
            daemon, ["watch", "--since", "start", "-o", "json", "-n", "\(wanted.count)"])
        #expect(try watch.wait() == .exit(0))
        #expect(lines(watch.output) == wanted)
    }

    @Test func inPiecesOfAnySizeNothingIsMissedOrRepeated() throws {
        let daemon = try DaemonUnderTest()
        try daemon.replay(QueryData.recording)
        let wanted = try follow(daemon)
        for size in 1...4 {
            let cursor = daemon.directory.path("cursor\(size)")
            var printed: [String] = []
            while printed.count < wanted.count {
                let count = min(size, wanted.count - printed.count)
                let watch = try daemon.healthctl(
                    [
                        "watch", "--since", "start", "--cursor-file", cursor, "-o", "json", "-n",
                        "\(count)",
                    ])
                printed += lines(watch.output)
                try #require(try watch.wait() == .exit(0), "\(watch.errors)")
            }
            #expect(printed == wanted)
        }
    }

    @Test func aDaemonThatIsKilledIsFollowedFurther() throws {
        var daemon = try DaemonUnderTest()
        let directory = daemon.directory
        let whole = QueryData.recording.split(separator: "\n")
        let first = whole.prefix(whole.count / 2).joined(separator: "\n")
        let total = try Self.records(of: QueryData.recording)
        let watch = try start(
            daemon, ["watch", "--since", "start", "-o", "json", "-n", "\(total)"])
        try daemon.replay(first)
        try waitUntil { !watch.output.isEmpty }
        daemon.crash()
        daemon = try DaemonUnderTest(in: directory)
        try daemon.replay(QueryData.recording)
        #expect(try watch.wait() == .exit(0))
        #expect(lines(watch.output) == (try follow(daemon)))
        #expect(lines(watch.errors).filter { $0.hasSuffix("trying again") }.count == 1)
    }

    private static func records(of recording: String) throws -> Int {
        let daemon = try DaemonUnderTest()
        try daemon.replay(recording)
        return try daemon.request("changes since=start").data.count
    }

    @Test func anInterruptPrintsTheAnchorAndKeepsIt() throws {
        let daemon = try DaemonUnderTest()
        try daemon.replay(QueryData.recording)
        let cursor = daemon.directory.path("cursor")
        let watch = try start(
            daemon, ["watch", "--since", "start", "--cursor-file", cursor, "-o", "json"])
        let wanted = try follow(daemon)
        try waitUntil { lines(watch.output).count == wanted.count }
        watch.send(SIGINT)
        #expect(try watch.wait() == .exit(130))
        let anchor = try #require(try daemon.request("changes since=start")["anchor"])
        #expect(watch.errors == "anchor \(anchor)\n")
        #expect(try String(contentsOfFile: cursor, encoding: .utf8) == "\(anchor)\n")
    }

    @Test func aReaderThatGoesEndsItQuietly() throws {
        let daemon = try DaemonUnderTest()
        let script = "healthctl=$1; { $healthctl watch; echo $? >&2; } | true"
        let shell = try ChildProcess(
            ["/bin/sh", "-c", script, "sh", BuiltProgram.healthctl.path],
            environment: ["TZ": "UTC", "HEALTHD_SOCKET": daemon.socket])
        #expect(try shell.wait() == .exit(0))
        #expect(shell.errors == "141\n")
    }

    @Test func anAnchorOfAnotherStoreExitsWith3AndIsNotKept() throws {
        let daemon = try DaemonUnderTest()
        let cursor = daemon.directory.path("cursor")
        let words = ["watch", "--cursor-file", cursor, "--since"]
        let watch = try daemon.healthctl(words + ["0123456789abcdef:1"])
        #expect(try watch.wait() == .exit(3))
        #expect(!daemon.directory.holds("cursor"))
        #expect(watch.output.isEmpty)
    }

    @Test func changesGoOnFromTheirCursorFile() throws {
        let daemon = try DaemonUnderTest()
        let words = ["changes", "--since", "start", "--cursor-file", "cursor", "-o", "json"]
        let folder = daemon.directory.path
        try daemon.replay(QueryData.recording)
        let first = try daemon.healthctl(words, folder: folder)
        #expect(lines(first.output) == (try follow(daemon)))
        #expect(try daemon.healthctl(words, folder: folder).output.isEmpty)
        #expect(try daemon.request("delete temp").isOK)
        let third = try daemon.healthctl(words, folder: folder)
        #expect(!third.output.isEmpty)
        #expect(lines(third.output).allSatisfy { $0.contains("\"class\":\"delete\"") })
    }
}
