import DaemonHarness
import Foundation
import Testing

/// `healthctl top` in a terminal, which tmux plays.
@Suite struct ClientTopTests {
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
