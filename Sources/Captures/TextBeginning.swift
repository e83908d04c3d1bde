/// Whether the beginning of a file is that of a recording: a text of objects and remarks.
///
/// Lines before the first object may be damaged, as any; a text without any object is no recording.
enum TextBeginning: Equatable {
    /// It is a recording, or an empty one.
    case recording
    /// It is a text of another kind.
    case otherText
    /// It is no text.
    case noText
    /// More octets will tell.
    case undecided

    /// So many octets without an object and without the title are no recording.
    static let limit = 4096

    /// Judges the first octets of a file, of which `isWhole` says that there are no more.
    init(_ octets: Span<UInt8>, isWhole: Bool) {
        let end = min(octets.count, Self.limit)
        let isEnough = isWhole || octets.count >= Self.limit
        var start = octets.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        var hasOtherLines = false
        while start < end {
            switch Line(octets.extracting(start..<end), isWhole: isEnough) {
            case .object, .title:
                self = .recording
                return
            case .binary:
                self = .noText
                return
            case .cut:
                self = .undecided
                return
            case .remark(let count): start += count
            case .other(let count): (start, hasOtherLines) = (start + count, true)
            }
        }
        self = !isEnough ? .undecided : hasOtherLines ? .otherText : .recording
    }

    /// What the first line of octets is, and how many octets it has with its LF.
    private enum Line {
        case object
        case title
        case remark(Int)
        case other(Int)
        case binary
        case cut

        init(_ octets: Span<UInt8>, isWhole: Bool) {
            let first = octets.indices.first { !isBlank(octets[$0]) }
            if let first, octets[first] == UInt8(ascii: "{") {
                self = .object
            } else if octets.starts(with: Array("# gattlog".utf8)) {
                self = .title
            } else if let control = octets.indices.first(where: { isControl(octets[$0]) }),
                octets[control] != UInt8(ascii: "\n")
            {
                self = .binary
            } else {
                let lineFeed = octets.indices.first { octets[$0] == UInt8(ascii: "\n") }
                guard let count = lineFeed.map({ $0 + 1 }) ?? (isWhole ? octets.count : nil) else {
                    self = .cut
                    return
                }
                let isOther = first.map { !isRemarkOrEnd(octets[$0]) } ?? false
                self = isOther ? .other(count) : .remark(count)
            }
        }
    }
}

/// A blank, a tab or CR, which may stand around a line.
private func isBlank(_ octet: UInt8) -> Bool {
    octet == UInt8(ascii: " ") || octet == UInt8(ascii: "\t") || octet == UInt8(ascii: "\r")
}

private func isRemarkOrEnd(_ octet: UInt8) -> Bool {
    octet == UInt8(ascii: "#") || octet == UInt8(ascii: "\n")
}

private func isControl(_ octet: UInt8) -> Bool { octet < 0x20 && !isBlank(octet) }
