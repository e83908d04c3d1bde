import DaemonHarness
import Foundation

/// A `healthctl watch` whose lines are read as they are written.
struct Watch {
    private let process = Process()
    private let output = Pipe()

    /// Starts one, and returns when it has its place in the feed.
    init(_ type: String, of daemon: DaemonUnderTest) throws {
        process.executableURL = URL(fileURLWithPath: BuiltProgram.healthctl.path)
        process.arguments = ["--socket", daemon.socket, "watch", type, "-o", "json"]
        process.standardOutput = output
        try process.run()
        try waitUntil {
            try daemon.request("metrics").data.joined().contains("\"followers\":1")
        }
    }

    /// Waits for the end of a line.
    func line() throws {
        var octet: UInt8 = 0
        while octet != UInt8(ascii: "\n") {
            guard read(output.fileHandleForReading.fileDescriptor, &octet, 1) == 1 else {
                throw HarnessError("healthctl watch has ended")
            }
        }
    }

    /// Ends it.
    func end() {
        process.terminate()
        process.waitUntilExit()
    }
}
