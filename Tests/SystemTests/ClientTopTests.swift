import DaemonHarness
import Foundation
import Testing

/// `healthctl top` in a terminal, which tmux plays.
@Suite struct ClientTopTests {
    /// A terminal in which a command runs; it ends with this object.
    private final class Terminal {
        private let directory: ScratchDirectory
        private var tmux: [String] { ["tmux", "-f", "/dev/null", "-S", directory.path("t")] }

        init(_ command: String) throws {
            directory = try ScratchDirectory()
            try run(["new-session", "-d", "-x", "100", "-y", "12", "sh"])
            try type(command + "\n")
        }

        deinit { _ = try? run(["kill-server"]) }

        /// What it shows.
        var picture: String { get throws { try run(["capture-pane", "-p"]) } }

        func type(_ keys: String) throws {
            let isLine = keys.hasSuffix("\n")
            try run(["send-keys", "-l", isLine ? String(keys.dropLast()) : keys])
            if isLine { try run(["send-keys", "Enter"]) }
        }

        @discardableResult
        private func run(_ words: [String]) throws -> String {
            let process = try ChildProcess(
                tmux + words,
                environment: ["TERM": "screen", "LC_ALL": "C.UTF-8", "SHELL": "/bin/sh"])
            guard try process.wait() == .exit(0) else { throw HarnessError(process.errors) }
            return process.output
        }
    }

    private func command(_ daemon: DaemonUnderTest) -> String {
        "\(BuiltProgram.healthctl.path) --socket \(daemon.socket) top; echo ended $?"
    }

    @Test func itDrawsWhatComesAndLeavesTheTerminalAsItWas() throws {
        let daemon = try DaemonUnderTest()
        let terminal = try Terminal(command(daemon))
        try waitUntil { try terminal.picture.contains("no devices") }
        try daemon.replay(RecordingText.oximeter(seconds: 3))
        try waitUntil { try terminal.picture.contains("oxygenSaturation") }
        try terminal.type("q")
        try waitUntil { try terminal.picture.contains("ended 0") }
        #expect(try !terminal.picture.contains("oxygenSaturation"))
    }

    @Test func aDaemonThatGoesAndComesIsToldMeanwhile() throws {
        let daemon = try DaemonUnderTest()
        let terminal = try Terminal(command(daemon))
        try waitUntil { try terminal.picture.contains("no devices") }
        daemon.crash()
        try waitUntil { try terminal.picture.contains("trying again; q ends") }
        let next = try DaemonUnderTest(in: daemon.directory)
        try waitUntil { try terminal.picture.contains("no devices") }
        try terminal.type("q")
        try waitUntil { try terminal.picture.contains("ended 0") }
        #expect(try next.stop() == .exit(0))
    }

    @Test func withoutATerminalItPrintsOnePicture() throws {
        let daemon = try DaemonUnderTest()
        try daemon.replay(RecordingText.oximeter(seconds: 3))
        let top = try daemon.healthctl(["top"])
        #expect(try top.wait() == .exit(0))
        #expect(top.output.contains("oxygenSaturation"))
        #expect(!top.output.contains("\u{1B}"))
    }
}
