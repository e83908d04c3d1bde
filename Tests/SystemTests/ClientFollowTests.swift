import DaemonHarness
import Foundation
import Testing

/// The clients of the documentation, which follow, resume and reconnect.
@Suite struct ClientFollowTests {
    private static let clients = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("docs/clients").path

    /// How each client is called.
    static let all = [["/bin/sh", "\(clients)/follow.sh"], ["python3", "\(clients)/follow.py"]]

    private func start(_ client: [String], _ daemon: DaemonUnderTest) throws -> ChildProcess {
        try ChildProcess(
            client + [daemon.directory.path("cursor")],
            environment: ["HEALTHD_SOCKET": daemon.socket],
            in: daemon.directory)
    }

    /// The class and the id of every line, which the clients print in different forms.
    private func ids(_ output: String) -> [String] {
        output.split(separator: "\n").map { line in
            guard line.hasPrefix("{") else {
                return line.split(separator: "\t").prefix(2).joined(separator: " ")
            }
            let words = line.split(separator: "\"")
            return "\(words[3]) \(words[7])"
        }
    }

    private func wanted(_ daemon: DaemonUnderTest) throws -> [String] {
        let lines = try daemon.request("changes since=start").data
        return ids(lines.joined(separator: "\n"))
    }

    @Test(arguments: all) func aClientIsAtMostFiftyLines(_ client: [String]) throws {
        let text = try String(contentsOfFile: client[1], encoding: .utf8)
        #expect(text.split(separator: "\n", omittingEmptySubsequences: false).count <= 51)
    }

    @Test(arguments: all) func itGoesOnExactlyAfterBeingStopped(_ client: [String]) throws {
        let daemon = try DaemonUnderTest()
        try daemon.replay(QueryData.recording)
        let all = try wanted(daemon)
        let first = try start(client, daemon)
        try waitUntil { ids(first.output) == all }
        first.send(SIGTERM)
        _ = try first.wait()
        #expect(try daemon.request("delete temp").isOK)
        let more = try wanted(daemon).filter { $0.hasPrefix("delete ") }
        #expect(!more.isEmpty)
        let second = try start(client, daemon)
        try waitUntil { ids(second.output).count >= more.count }
        #expect(ids(second.output) == more)
        second.send(SIGTERM)
        _ = try second.wait()
    }

    @Test(arguments: all) func itReconnectsToADaemonThatWasKilled(_ client: [String]) throws {
        var daemon = try DaemonUnderTest()
        let directory = daemon.directory
        let lines = QueryData.recording.split(separator: "\n")
        let process = try start(client, daemon)
        try daemon.replay(lines.prefix(lines.count / 2).joined(separator: "\n"))
        let half = try wanted(daemon)
        try waitUntil { ids(process.output) == half }
        daemon.crash()
        daemon = try DaemonUnderTest(in: directory)
        try daemon.replay(QueryData.recording)
        let all = try wanted(daemon)
        try waitUntil { ids(process.output).count >= all.count }
        #expect(ids(process.output) == all)
        process.send(SIGTERM)
        _ = try process.wait()
    }

    @Test(arguments: all) func anAnchorOfAnotherStoreEndsIt(_ client: [String]) throws {
        let daemon = try DaemonUnderTest()
        let isShell = client[0] == "/bin/sh"
        let text = isShell ? "0123456789abcdef:1\n" : "[\"0123456789abcdef:1\", 0, []]"
        try daemon.directory.write(text, to: "cursor")
        let process = try start(client, daemon)
        #expect(try process.wait() == .exit(1))
        #expect(process.errors.contains("anchor-foreign"))
    }
}
