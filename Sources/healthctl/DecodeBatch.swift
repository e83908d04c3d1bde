import ControlProtocol
import JSON
import Measurements

/// Decodes lines that arrive in pieces.
struct DecodeBatch {
    /// How many lines did not decode.
    private(set) var failures = 0
    private let isPretty: Bool
    private var lines = LineBuffer(limit: DecodeCommand.longestLine)

    /// A batch that has seen no line.
    init(format: OutputFormat) {
        isPretty = format == .jsonPretty
    }

    /// The answers to the lines that a piece of input completes; an empty piece is its end.
    ///
    /// - Returns: A line for each.
    /// - Throws: A failure if an answer cannot be indented.
    mutating func decode(_ piece: [UInt8]) throws(Failure) -> [UInt8] {
        var json = JSONWriter()
        json.octets.reserveCapacity(piece.count * 6)
        lines.append(piece)
        while let line = lines.next() { answer(line, &json) }
        if piece.isEmpty, let line = lines.last() { answer(line, &json) }
        return isPretty ? try indentedLines(json.octets) : json.octets
    }

    private mutating func answer(_ line: LineBuffer.Line, _ json: inout JSONWriter) {
        let decoded = line.isCut ? .badHex(.sfloat) : DecodedLine(line.octets)
        decoded.write(to: &json)
        json.endLine()
        if case .value = decoded { return }
        failures += 1
    }

    private func indentedLines(_ lines: [UInt8]) throws(Failure) -> [UInt8] {
        var parser = JSONParser()
        var text: [UInt8] = []
        for line in lines.split(separator: UInt8(ascii: "\n")) {
            text += indented(try object(line, with: &parser))
        }
        return text
    }
}
