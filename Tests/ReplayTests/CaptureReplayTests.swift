import DaemonHarness
import Foundation
import Testing

/// Captures of one scene in every format, through the real daemon and healthctl.
@Suite struct CaptureReplayTests {
    /// Where they are, with the scene as a recording.
    private static let folder = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("CapturesTests/Captures").path

    private static let captures: [String] = {
        let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return files.filter { !$0.hasSuffix(".gattlog") }.sorted()
    }()

    /// All samples of a file, and what was said on standard error.
    private func samples(_ file: String) throws -> (samples: String, remarks: String) {
        let daemon = try DaemonUnderTest()
        let replay = try daemon.healthctl(["replay", file], folder: Self.folder)
        #expect(try replay.wait() == .exit(0))
        return (try daemon.healthctl(RecordedAnswers.everything).output, replay.errors)
    }

    @Test func everyFormatIsThere() {
        #expect(Self.captures.count == 14)
    }

    @Test(arguments: captures)
    func aCaptureGivesTheSamplesOfTheRecording(capture: String) throws {
        let recording = try samples("scene.gattlog")
        let (found, remarks) = try samples(capture)
        #expect(found == recording.samples)
        #expect(found.split(separator: "\n").count > 20)
        #expect(remarks.contains("\(capture): "))
        #expect(remarks.contains("18 readings (3 Battery Level, 6 PLX Continuous Measurement"))
    }

    @Test func aCaptureThatIsCutIsStoredAsFarAsItGoes() throws {
        let directory = try ScratchDirectory()
        let whole = try #require(
            FileManager.default.contents(atPath: "\(Self.folder)/monitor-2001.btsnoop"))
        try whole.dropLast(2000).write(to: URL(fileURLWithPath: directory.path("cut.btsnoop")))
        let daemon = try DaemonUnderTest()
        let replay = try daemon.healthctl(["replay", "cut.btsnoop"], folder: directory.path)
        #expect(try replay.wait() == .exit(65))
        #expect(replay.errors.contains("cut.btsnoop: it ends in the middle of a record: record "))
        #expect(replay.output.contains(" stored"))
        #expect(try daemon.request("samples spo2")["n"] != "0")
    }

    @Test func aFileThatIsNoCaptureIsNotSent() throws {
        let directory = try ScratchDirectory()
        try Data(
            [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + [UInt8](repeating: 0, count: 99)
        )
        .write(to: URL(fileURLWithPath: directory.path("x.png")))
        try directory.write("", to: "empty")
        let daemon = try DaemonUnderTest()
        for (file, sentence) in [("x.png", "it is a PNG image"), ("empty", "it is empty")] {
            let replay = try daemon.healthctl(["replay", file], folder: directory.path)
            #expect(try replay.wait() == .exit(65))
            #expect(replay.errors.hasPrefix("healthctl: \(file): \(sentence)"))
            #expect(replay.errors.split(separator: "\n").count == 1)
            #expect(replay.output == "")
        }
    }
}
