import DaemonHarness
import Foundation

/// What healthctl says of a recording: its account, and all answers that come from it.
struct RecordedAnswers {
    /// Questions whose answers are part of a golden, in their order.
    private static let questions: [[String]] = [
        everything,
        ["samples"] + types + ["-o", "tsv"],
        ["latest", "-o", "json"],
        ["devices", "-o", "json"],
    ]

    /// Asks for every sample there is, whatever it is worth.
    static let everything =
        ["samples"] + types + ["--quality", "all", "--modality", "all", "-o", "json"]

    private static let types = [
        "oxygenSaturation", "heartRate", "perfusionIndex", "bodyTemperature",
        "heartRateInterval", "batteryLevel", "stepCount",
    ]

    /// Replays a recording into a new daemon and asks it everything.
    static func of(_ recording: Recording) throws -> String {
        let daemon = try DaemonUnderTest()
        return try ([["replay", recording.fileName]] + questions).map { words in
            try section(words, in: Recording.folder, daemon)
        }.joined(separator: "\n")
    }

    private static func section(
        _ words: [String], in folder: String, _ daemon: DaemonUnderTest
    ) throws -> String {
        let command = "healthctl " + words.joined(separator: " ")
        let client = try daemon.healthctl(words, folder: folder)
        guard try client.wait() == .exit(0) else {
            throw HarnessError("\(command): \(client.errors)")
        }
        let remarks = client.errors.isEmpty ? "" : "standard error:\n\(client.errors)"
        return "$ \(command)\n" + withoutAges(client.output) + remarks
    }

    /// The one place that takes out what depends on when it is asked.
    private static func withoutAges(_ text: String) -> String {
        text.replacing(/,"age":-?[0-9]+/, with: "")
    }
}
