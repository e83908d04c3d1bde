import DaemonHarness
import Foundation

/// A terminal of 100 columns and 12 lines, played by tmux, in which a command runs; it ends with this object.
final class Terminal {
    private let directory: ScratchDirectory
    private var tmux: [String] { ["tmux", "-f", "/dev/null", "-S", directory.path("t")] }

    /// Opens it, and types a command.
    init(_ command: String) throws {
        directory = try ScratchDirectory()
        try run(["new-session", "-d", "-x", "100", "-y", "12", "sh"])
        try type(command + "\n")
    }

    deinit { _ = try? run(["kill-server"]) }

    /// What it shows.
    var picture: String { get throws { try run(["capture-pane", "-p"]) } }

    /// Types keys, and Enter for a line end.
    func type(_ keys: String) throws {
        let isLine = keys.hasSuffix("\n")
        try run(["send-keys", "-l", isLine ? String(keys.dropLast()) : keys])
        if isLine { try run(["send-keys", "Enter"]) }
    }

    @discardableResult
    private func run(_ words: [String]) throws -> String {
        // The server that the first call leaves behind must not hold what tells of the call's end.
        let process = try ChildProcess(
            ["sh", "-c", "exec \"$@\" 3>&-", "sh"] + tmux + words,
            environment: ["TERM": "screen", "LC_ALL": "C.UTF-8", "SHELL": "/bin/sh"])
        guard try process.wait() == .exit(0) else { throw HarnessError(process.errors) }
        return process.output
    }
}
