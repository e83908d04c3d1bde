/// Keeps a recording from ending its own replay: the protocol's end is a line that holds one dot.
///
/// A blank goes behind the dot of such a line, so that the daemon finds a damaged line there.
struct LoneDotFilter {
    private var state = State.lineStart

    /// What the line holds so far.
    private enum State {
        case lineStart
        case dot
        case dotAndReturn
        case other
    }

    /// A filter at the beginning of a recording.
    init() {}

    /// The piece as it can be sent.
    mutating func pass(_ piece: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        var start = piece.startIndex
        for (place, octet) in piece.enumerated() {
            if octet == UInt8(ascii: "\n"), isLoneDot {
                result += piece[start..<place] + [UInt8(ascii: " ")]
                start = place
            }
            advance(octet)
        }
        return result.isEmpty ? piece : result + piece[start...]
    }

    /// What ends the recording: the last line's end if it has none, and the dot.
    mutating func end() -> [UInt8] {
        let blank = isLoneDot ? " " : ""
        let lineEnd = state == .lineStart ? "" : "\n"
        state = .lineStart
        return Array("\(blank)\(lineEnd).\n".utf8)
    }

    private var isLoneDot: Bool { state == .dot || state == .dotAndReturn }

    private mutating func advance(_ octet: UInt8) {
        switch (state, octet) {
        case (_, UInt8(ascii: "\n")): state = .lineStart
        case (.lineStart, UInt8(ascii: ".")): state = .dot
        case (.dot, UInt8(ascii: "\r")): state = .dotAndReturn
        default: state = .other
        }
    }
}
