import DaemonHarness
import Foundation
import Testing

/// The examples of docs/PROTOCOL.md are what a daemon says.
///
/// Each block that is marked `nc` is run against a daemon of its own, which stands in Berlin and holds
/// the recording of a Nonin 3230, or nothing where it is marked `nc empty`.
@Suite struct DocumentedExamplesTests {
    /// The blocks of the document, by their marks.
    static let blocks: [(mark: String, lines: [String])] = {
        let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../docs/PROTOCOL.md").standardizedFileURL.path
        let document = FileManager.default.contents(atPath: path) ?? Data()
        let parts = String(decoding: document, as: UTF8.self).components(separatedBy: "\n```")
        return stride(from: 1, to: parts.count, by: 2).map { place in
            let lines = parts[place].components(separatedBy: "\n")
            return (lines[0], Array(lines.dropFirst()))
        }
    }()

    static let examples = blocks.indices.filter { blocks[$0].mark.hasPrefix("nc") }

    private let recording = ShippedRecording.text("nonin3230-continuous")

    @Test(arguments: examples) func anExampleIsWhatTheDaemonSays(place: Int) throws {
        let (mark, lines) = Self.blocks[place]
        let daemon = try DaemonUnderTest(zone: "Europe/Berlin")
        if mark != "nc empty" { #expect(try daemon.replay(recording).isOK) }
        let client = try daemon.connect()
        let mask = ExampleMask(epoch: try daemon.epoch)
        var heard = [client.greeting]
        if !lines[0].hasPrefix("HEALTHD") { heard = [] }
        for line in lines {
            if let request = mask.request(line) {
                try client.send(line.hasPrefix("…") ? recording : request + "\n")
            } else {
                let answer = try heard.popLast() ?? mask.line(of: client)
                #expect(mask.matches(answer, line), "\(answer)\nis not\n\(line)")
            }
        }
        #expect(try client.request("ping").lines.isEmpty)
    }

    @Test func aGoodPartOfTheDocumentIsRun() {
        #expect(Self.examples.count >= 10)
    }

    @Test func theLinesOfARecordingAreTakenIn() throws {
        let lines = Self.blocks.first { $0.mark == "gattlog" }?.lines ?? []
        let reply = try DaemonUnderTest().replay(lines.joined(separator: "\n"))
        #expect(reply.isOK)
        #expect(reply.count("lines") == lines.count)
        #expect(reply.count("readings") == 1)
        #expect(reply.count("skipped") == 0)
    }
}

/// What an example cannot know of the daemon that is asked.
private struct ExampleMask {
    /// The name of the store in all examples.
    private static let documentedEpoch = "957ceaa9162c3e88"
    let epoch: String

    /// What is to be sent for a line of an example; nil if it is one of the daemon's.
    func request(_ line: String) -> String? {
        guard let first = line.unicodeScalars.first else { return nil }
        let isOurs = ("a"..."z").contains(first) || ["@", ".", "…"].contains(first)
        return isOurs ? line.replacingOccurrences(of: Self.documentedEpoch, with: epoch) : nil
    }

    /// The next line that does not only say that more will come.
    func line(of client: LineClient) throws -> String {
        while let line = try client.line() {
            if line != "# working", !line.hasPrefix("# lines=") { return line }
        }
        throw HarnessError("the daemon has hung up")
    }

    /// Whether the daemon's line is the documented one.
    ///
    /// The store's name, the time of a heartbeat and ages may differ; `…` stands for any text.
    func matches(_ line: String, _ documented: String) -> Bool {
        var rest = masked(line.replacingOccurrences(of: epoch, with: Self.documentedEpoch))[...]
        let parts = masked(documented).components(separatedBy: "…")
        guard let first = parts.first, rest.hasPrefix(first) else { return false }
        rest = rest.dropFirst(first.count)
        for part in parts.dropFirst() {
            guard let found = part.isEmpty ? rest.endIndex..<rest.endIndex : rest.range(of: part)
            else { return false }
            rest = rest[found.upperBound...]
        }
        return rest.isEmpty
    }

    private func masked(_ line: String) -> String {
        line.replacing(/"age":[0-9]+/, with: "\"age\":0")
            .replacing(/^# hb t=[^ ]+/, with: "# hb t=0")
    }
}
