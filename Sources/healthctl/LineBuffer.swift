/// Cuts what arrives in pieces into lines.
struct LineBuffer {
    /// One line.
    struct Line {
        /// The octets without the LF.
        let octets: ArraySlice<UInt8>
        /// Whether the line was longer than the limit; what is beyond it is gone.
        let isCut: Bool
    }

    private let limit: Int
    private var octets: [UInt8] = []
    private var position = 0
    private var searched = 0
    private var isCut = false

    /// A buffer that keeps at most `limit` octets of a line.
    init(limit: Int = .max) {
        self.limit = limit
    }

    /// Adds what arrived.
    mutating func append(_ piece: [UInt8]) {
        octets = position == octets.count ? piece : Array(octets[position...]) + piece
        searched -= position
        position = 0
    }

    /// The next whole line; nil if none is there yet.
    mutating func next() -> Line? {
        guard let end = octets[searched...].firstIndex(of: UInt8(ascii: "\n")) else {
            searched = octets.count
            cutTail()
            return nil
        }
        defer {
            position = end + 1
            searched = position
            isCut = false
        }
        return line(upTo: end)
    }

    /// What stands behind the last LF; nil if nothing does.
    mutating func last() -> Line? {
        guard position < octets.count || isCut else { return nil }
        defer {
            position = octets.count
            searched = position
            isCut = false
        }
        return line(upTo: octets.count)
    }

    private func line(upTo end: Int) -> Line {
        let line = octets[position..<end]
        return Line(octets: line.prefix(limit), isCut: isCut || line.count > limit)
    }

    private mutating func cutTail() {
        guard octets.count - position > limit else { return }
        octets = Array(octets[position...].prefix(limit))
        (position, searched) = (0, octets.count)
        isCut = true
    }
}
