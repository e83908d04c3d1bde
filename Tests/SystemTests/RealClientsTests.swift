import DaemonHarness
import Foundation
import Testing

/// The socket as people use it: with nc and socat.
@Suite struct RealClientsTests {
    private func run(
        _ command: [String], _ input: String, _ daemon: DaemonUnderTest
    ) throws -> [String] {
        let file = try daemon.directory.write(input, to: "input")
        let client = try ChildProcess(command, input: file)
        try client.wait()
        return client.output.split(separator: "\n").map(String.init)
    }

    private func nc(_ daemon: DaemonUnderTest) -> [String] { ["nc", "-U", daemon.socket] }

    private func socat(_ daemon: DaemonUnderTest) -> [String] {
        // It gives up after half a second of silence: time enough, but for a sanitizer.
        ["socat"] + (isSanitized ? ["-t", "30"] : []) + ["-", "UNIX-CONNECT:\(daemon.socket)"]
    }

    @Test func ncWithQuitGetsItsAnswersAndEnds() throws {
        let daemon = try DaemonUnderTest()
        try daemon.replay(RecordingText.oximeter(seconds: 5))
        let lines = try run(nc(daemon), "ping\nsamples spo2\nquit\n", daemon)
        #expect(lines.first?.hasPrefix("HEALTHD 1.0 server=healthd/") == true)
        #expect(lines.dropFirst().first == "OK")
        #expect(lines.suffix(2) == ["OK n=5 more=0", "OK"])
        #expect(lines.count == 10)
    }

    @Test(arguments: [5, 20_000])
    func ncThatHalfClosesGetsItsWholeAnswer(seconds: Int) throws {
        let daemon = try DaemonUnderTest()
        try daemon.replay(RecordingText.oximeter(seconds: seconds))
        let lines = try run(["nc", "-N", "-U", daemon.socket], "samples spo2 hr\n", daemon)
        #expect(lines.last == "OK n=\(2 * seconds) more=0")
        #expect(lines.filter { $0.hasPrefix("{") }.count == 2 * seconds)
    }

    @Test(arguments: [5, 20_000])
    func socatGetsItsWholeAnswer(seconds: Int) throws {
        let daemon = try DaemonUnderTest()
        try daemon.replay(RecordingText.oximeter(seconds: seconds))
        let lines = try run(socat(daemon), "samples spo2 hr\n", daemon)
        #expect(lines.last == "OK n=\(2 * seconds) more=0")
        #expect(lines.filter { $0.hasPrefix("{") }.count == 2 * seconds)
    }

    @Test func socatGetsAnAnswerThatTakesTimeToBegin() throws {
        let daemon = try DaemonUnderTest()
        try daemon.replay(RecordingText.oximeter(seconds: 60_000))
        let lines = try run(socat(daemon), "samples spo2 where=value<0\nping\n", daemon)
        #expect(lines.suffix(2) == ["OK n=0 more=0", "OK"])
    }

    @Test func socatReplaysARecording() throws {
        let daemon = try DaemonUnderTest()
        let recording = RecordingText.oximeter(seconds: 3000)
        let lines = try run(socat(daemon), "replay\n\(recording)\n.\nsamples spo2\n", daemon)
        #expect(lines.contains("OK seq=3000"))
        #expect(lines.last == "OK n=3000 more=0")
    }

    @Test func linesMayEndInCRLF() throws {
        let daemon = try DaemonUnderTest()
        let lines = try run(nc(daemon), "ping\r\nquit\r\n", daemon)
        #expect(lines.dropFirst() == ["OK", "OK"])
    }
}
