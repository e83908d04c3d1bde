import ControlProtocol
import Foundation
import JSON
import Measurements
import Testing

@Suite struct DecodedVectorTests {
    @Test func everyVectorsObjectIsWrittenToTheLetter() {
        for vector in vectors {
            #expect(answer("\(vector.name) \(vector.hex)") == vector.expected, "\(vector.line)")
        }
        #expect(vectors.count == 418)
    }

    @Test func everyObjectIsJSON() throws {
        for vector in vectors {
            let object = try JSONSerialization.jsonObject(with: Data(vector.expected.utf8))
            #expect(object is [String: Any])
        }
    }

    @Test func octetsBehindTheLastFieldAreCounted() {
        var count = 0
        for vector in vectors where vector.isWhole && !openEnded.contains(vector.name) {
            let expected = vector.expected.dropLast() + #","trailing":2}"#
            #expect(answer("\(vector.name) \(vector.hex)aabb") == expected)
            count += 1
        }
        #expect(count > 200)
    }

    @Test func reservedFlagBitsAreReported() {
        var count = 0
        for vector in vectors where vector.isWhole && !vector.expected.contains("rfu_flags") {
            guard let mask = reservedFlags[vector.name],
                let flags = UInt8(vector.hex.prefix(2), radix: 16)
            else { continue }
            let hex = hexText([flags | mask]) + vector.hex.dropFirst(2)
            #expect(
                answer("\(vector.name) \(hex)")
                    == vector.expected.dropLast() + #","rfu_flags":\#(mask)}"#)
            count += 1
        }
        #expect(count > 80)
    }

    /// Characteristics that have no end but that of their octets.
    private let openEnded: Set<String> = [
        "2A24", "2A25", "2A26", "2A27", "2A28", "2A29", "2A37", "2A52",
    ]

    private let reservedFlags: [String: UInt8] = [
        "2A1C": 0xF8, "2A1E": 0xF8, "2A37": 0xE0, "2A5E": 0xE0, "2A5F": 0xE0,
    ]
}

/// A line of the vector file, with the object as text, so that order and types count too.
private struct VectorLine {
    let line: Substring
    let name: String
    let hex: String
    let expected: String

    /// True if the octets decode, with none behind the last field.
    var isWhole: Bool {
        !expected.contains(#""error""#) && !expected.contains(#""trailing""#)
    }

    init?(_ line: Substring) {
        let object = try? JSONSerialization.jsonObject(with: Data(line.utf8))
        guard let object = object as? [String: Any],
            let name = object["characteristic"] as? String, let hex = object["hex"] as? String,
            let start = line.range(of: #""expect": "#), let end = line.range(of: #", "note": "#)
        else { return nil }
        self.line = line
        self.name = name
        self.hex = hex
        expected = line[start.upperBound..<end.lowerBound]
            .replacingOccurrences(of: ", ", with: ",")
            .replacingOccurrences(of: ": ", with: ":")
    }
}

private let vectors: [VectorLine] = {
    let url = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../MeasurementsTests/Vectors/vectors.jsonl")
    let text = try? String(contentsOf: url, encoding: .utf8)
    return (text ?? "").split(separator: "\n").compactMap { VectorLine($0) }
}()

private func answer(_ line: String) -> String {
    var json = JSONWriter()
    DecodedLine(Array(line.utf8)[...]).write(to: &json)
    return json.text
}
