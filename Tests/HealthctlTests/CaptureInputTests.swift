import Captures
import Foundation
import Measurements
import Testing

@testable import healthctl

@Suite struct CaptureOptionsTests {
    private func options(_ words: String...) throws -> CaptureOptions {
        try CaptureOptions(Invocation(["convert", "x"] + words))
    }

    @Test func mapsMayBeRepeated() throws {
        let invocation = try Invocation([
            "convert", "x", "--map", "0x10=2a5f", "--map=0x20=2a1c", "--map", "48=2a19,49=2a37",
        ])
        #expect(invocation[.handles] == "0x10=2a5f,0x20=2a1c,48=2a19,49=2a37")
        #expect(
            try CaptureOptions(invocation).handles
                == HandleMap("0x10=2a5f,0x20=2a1c,48=2a19,49=2a37")
        )
    }

    @Test func withoutOptionsNothingIsMapped() throws {
        #expect(try options().handles == HandleMap())
        #expect(try options().device == nil)
    }

    @Test(arguments: [["--map", "0x10"], ["--map", "0x10=2a5f,0x10=2a19"], ["--device", "x"]])
    func whatCannotBeReadIsAUsageFailure(words: [String]) throws {
        let invocation = try Invocation(["convert", "x"] + words)
        #expect { try CaptureOptions(invocation) } throws: { ($0 as? Failure)?.exitCode == 2 }
    }
}

@Suite final class RecordingInputTests {
    private let path = NSTemporaryDirectory() + "input-\(UUID().uuidString)"

    deinit { unlink(path) }

    private func input(_ octets: [UInt8]) throws -> RecordingInput {
        try Data(octets).write(to: URL(fileURLWithPath: path))
        return try RecordingInput.opened(path, CaptureOptions(Invocation(["convert", "x"])))
    }

    /// A btsnoop capture of empty records that btmon writes as notes.
    private func capture(records: Int) -> [UInt8] {
        let header = Array("btsnoop\0".utf8) + [0, 0, 0, 1, 0, 0, 0x07, 0xD1]
        let record: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 12, 0, 0, 0, 0]
        let time: [UInt8] = [0, 0xE3, 0xFF, 0xFF, 0, 0, 0, 0]
        return header + (0..<records).flatMap { _ in record + time }
    }

    @Test func aCaptureIsGivenAsARecordingInPieces() throws {
        var input = try input(capture(records: 10_000))
        var text: [UInt8] = []
        while let piece = try input.next() { text += piece }
        #expect(String(decoding: text, as: UTF8.self).hasPrefix("# gattlog 1\n# Notes: converted "))
        #expect(input.damage == nil)
        #expect(input.position == input.size)
        #expect(input.account?.lines.first?.contains(": btsnoop, 10,000 records, 0 links") == true)
    }

    @Test func aRecordingIsGivenAsItIs() throws {
        let text = Array("# gattlog 1\nnonsense\n".utf8)
        var input = try input(text)
        var found: [UInt8] = []
        while let piece = try input.next() { found += piece }
        #expect(found == text)
        #expect(input.account == nil)
    }

    @Test(arguments: [[0x89, 0x50, 0x4E, 0x47] + [UInt8](repeating: 0, count: 100), []])
    func whatIsNoCaptureIsSaidWhenItIsOpened(octets: [UInt8]) {
        #expect { _ = try input(octets) } throws: { ($0 as? Failure)?.exitCode == 65 }
    }

    @Test func aFileThatIsCutWhileItIsReadSaysSo() throws {
        var input = try input(capture(records: 10_000))
        _ = try input.next()
        try #require(truncate(path, 70_001) == 0)
        while try input.next() != nil {}
        #expect(input.damage?.hasPrefix("it ends in the middle of a record: record ") == true)
        #expect(input.damage?.hasSuffix("; the file changed while it was read") == true)
    }

    @Test func aFileThatOnlyGrowsIsReadToItsEnd() throws {
        var input = try input(capture(records: 10_000))
        _ = try input.next()
        let file = try #require(FileHandle(forWritingAtPath: path))
        try file.seekToEnd()
        try file.write(contentsOf: Data(capture(records: 1).dropFirst(16)))
        while try input.next() != nil {}
        #expect(input.damage == nil)
        #expect(input.account?.lines.first?.contains("10,001 records") == true)
    }
}

@Suite struct RecordingWriterTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "CapturesTests/Captures")

    /// What comes out of a capture, and what is written of it.
    private func converted(_ file: String) throws -> (events: [GATTEvent], text: [UInt8]) {
        var capture = Capture()
        var writer = RecordingWriter(file)
        var output: [CaptureOutput] = []
        capture.feed(Array(try Data(contentsOf: Self.folder.appending(path: file))))
        while let next = try capture.next() { output.append(next) }
        output.append(capture.finish().output)
        for output in output { writer.write(output) }
        return (output.flatMap(\.items).compactMap(\.event), writer.take())
    }

    @Test(arguments: [
        "air-256.pcapng.gz", "h4-1002.btsnoop", "monitor-2001.btsnoop", "two-sniffers-big.pcapng",
    ])
    func theLinesOfACaptureAreItsEvents(file: String) throws {
        let (events, text) = try converted(file)
        var parser = GattlogParser(origin: .import)
        let written = parser.feed(text).compactMap { item in
            if case .event(let event, _) = item { event } else { nil }
        }
        #expect(written == events)
        #expect(written.count > 10)
    }
}

extension CaptureItem {
    fileprivate var event: GATTEvent? {
        if case .event(let event) = self { event } else { nil }
    }
}
