/// Judges whether the beginning of a file is that of a recording: a text of objects and remarks.
///
/// Lines before the first object may be damaged, as any; a text without any object is no recording.
struct TextBeginning {
    /// What a file is.
    enum Kind {
        /// It is a recording, or an empty one.
        case recording
        /// It is a text of another kind.
        case otherText
        /// It is no text.
        case noText
        /// More octets will tell.
        case undecided
    }

    /// Octets of whole lines that need not be looked at again.
    private var position = 0
    /// Those of them that are in lines that are neither remarks nor blank.
    private var others = 0

    /// So many octets without an object and without the title are no recording.
    private static let limit = 65_536
    /// The same, of lines that are neither remarks nor blank.
    private static let otherLimit = 4096
    /// So many octets of remarks only are a recording, whatever follows.
    private static let remarkLimit = 4096

    /// A file of which nothing is known.
    init() {}

    /// What a file is that begins so, and has no more if `isWhole`; it may only have grown since.
    mutating func kind(_ octets: Span<UInt8>, isWhole: Bool) -> Kind {
        let end = min(octets.count, Self.limit)
        if position == 0, octets.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
        var (start, others) = (position, others)
        while start < end, others < Self.otherLimit {
            let line = Line(octets.extracting(start..<end))
            switch line.kind {
            case .remark: break
            case .other: others += line.count
            case .object, .title: return .recording
            case .binary: return .noText
            }
            start += line.count
            if line.isWhole { (position, self.others) = (start, others) }
        }
        let enough = others == 0 ? Self.remarkLimit : Self.limit
        let isEnough = isWhole || octets.count >= enough || others >= Self.otherLimit
        return !isEnough ? .undecided : others == 0 ? .recording : .otherText
    }

    /// The first line of octets, or what has come of it.
    private struct Line {
        enum Kind {
            case object
            case title
            case remark
            case other
            case binary
        }

        /// What it is.
        let kind: Kind
        /// Its octets with its LF.
        let count: Int
        /// Whether its end has come.
        let isWhole: Bool

        init(_ octets: Span<UInt8>) {
            let lineFeed = octets.indices.first { octets[$0] == UInt8(ascii: "\n") }
            count = lineFeed.map { $0 + 1 } ?? octets.count
            isWhole = lineFeed != nil
            let end = lineFeed ?? octets.count
            let first = (0..<end).first { !isBlank(octets[$0]) }
            if let first, octets[first] == UInt8(ascii: "{") {
                kind = .object
            } else if octets.starts(with: Array("# gattlog".utf8)) {
                kind = .title
            } else if (0..<end).contains(where: { isControl(octets[$0]) }) {
                kind = .binary
            } else {
                kind = first.map { octets[$0] == UInt8(ascii: "#") } ?? true ? .remark : .other
            }
        }
    }
}

/// A blank, a tab or CR, which may stand around a line.
private func isBlank(_ octet: UInt8) -> Bool {
    octet == UInt8(ascii: " ") || octet == UInt8(ascii: "\t") || octet == UInt8(ascii: "\r")
}

private func isControl(_ octet: UInt8) -> Bool { octet < 0x20 && !isBlank(octet) }
