import DaemonHarness
import Foundation
import Testing

/// Each shipped recording through the real daemon and healthctl, against its golden.
///
/// With HEALTHD_RECORD=1 in the environment goldens are written instead of compared.
@Suite struct GoldenTests {
    private static let isRecording = ProcessInfo.processInfo.environment["HEALTHD_RECORD"] == "1"

    @Test func recordingsAreThere() {
        #expect(Recording.all.count >= 8)
    }

    @Test(arguments: Recording.all)
    func theAnswersAreThoseOfTheGolden(recording: Recording) throws {
        let answers = try RecordedAnswers.of(recording)
        if Self.isRecording {
            try Data(answers.utf8).write(to: URL(fileURLWithPath: recording.golden))
        }
        let golden = try #require(
            FileManager.default.contents(atPath: recording.golden),
            "there is no \(recording.golden); HEALTHD_RECORD=1 writes it")
        let expected = String(decoding: golden, as: UTF8.self)
        #expect(answers == expected, "\(firstDifference(answers, expected))")
    }

    private func firstDifference(_ left: String, _ right: String) -> String {
        let left = left.split(separator: "\n", omittingEmptySubsequences: false)
        let right = right.split(separator: "\n", omittingEmptySubsequences: false)
        guard let place = zip(left, right).enumerated().first(where: { $1.0 != $1.1 }) else {
            return "\(left.count) lines instead of \(right.count)"
        }
        return "line \(place.offset + 1):\n\(place.element.0)\ninstead of\n\(place.element.1)"
    }

    @Test(arguments: Recording.all)
    func aSecondReplayAddsNothing(recording: Recording) throws {
        let daemon = try DaemonUnderTest()
        try daemon.healthctl(["replay", recording.path]).wait()
        let once = try daemon.healthctl(RecordedAnswers.everything).output
        let newest = try daemon.request("status").count("stored")
        try daemon.healthctl(["replay", recording.path]).wait()
        #expect(try daemon.healthctl(RecordedAnswers.everything).output == once)
        #expect(try daemon.request("status").count("stored") == newest)
        #expect(!once.isEmpty)
    }

    @Test(arguments: Recording.all)
    func anotherDaemonGivesTheSameOctets(recording: Recording) throws {
        #expect(try RecordedAnswers.of(recording) == RecordedAnswers.of(recording))
    }

    @Test(arguments: Recording.all)
    func aRehearsalPredictsTheAccount(recording: Recording) throws {
        let daemon = try DaemonUnderTest()
        let octets = Array(try Data(contentsOf: URL(fileURLWithPath: recording.path)))
        let predicted = try replay(octets, options: " dry-run=yes", daemon)
        let done = try replay(octets, options: "", daemon)
        #expect(
            predicted.data.map { $0.replacingOccurrences(of: #","dryRun":true"#, with: "") }
                == done.data)
    }

    private func replay(
        _ octets: [UInt8], options: String, _ daemon: DaemonUnderTest
    ) throws -> LineReply {
        let client = try daemon.connect()
        try client.send("replay\(options)\n")
        try client.send(octets)
        try client.send("\n.\n")
        return try client.reply()
    }
}
