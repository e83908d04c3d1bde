internal import ControlProtocol

/// Reads an archive from its start to its end, entry by entry, without its directory.
///
/// The directory stands at the end: one that is cut has none, and a pipe cannot be searched.
struct ZipReader: ~Copyable {
    /// What comes next of an archive.
    enum Item: Equatable {
        /// An entry begins.
        case begin(name: String)
        /// Octets of the entry, unpacked.
        case octets([UInt8])
        /// The entry has ended; its checksum may say that it is damaged.
        case end(isDamaged: Bool)
        /// The last entry has ended.
        case endOfArchive
    }

    private var input: [UInt8] = []
    private var position = 0
    private var state = State.header
    private var inflater: RawInflater?
    private var entry: ZipEntry?
    /// Octets of the entry so far, as they are in the archive, and their checksum where not inflated.
    private var packed: UInt64 = 0
    private var unpacked: UInt64 = 0
    private var checksum: UInt32 = 0

    private enum State: Equatable {
        case header
        case deflated
        /// Octets that are given or skipped as they are.
        case stored(rest: UInt64)
        case descriptor
        case ended
    }

    /// Whether all that was begun has ended.
    var isComplete: Bool { state == .ended }

    /// Takes in the next octets of the file, when all before were used.
    mutating func feed(_ octets: [UInt8]) {
        input.removeFirst(position)
        position = 0
        input += octets
    }

    /// What comes next; nil if more input is wanted.
    ///
    /// - Throws: `ImportDamage` if it cannot be read any further.
    mutating func next() throws(ImportDamage) -> Item? {
        switch state {
        case .header: return try header()
        case .deflated: return try inflated()
        case .stored(let rest): return stored(rest)
        case .descriptor: return descriptor()
        case .ended: return .endOfArchive
        }
    }

    private var rest: ArraySlice<UInt8> { input[position...] }

    private mutating func header() throws(ImportDamage) -> Item? {
        guard rest.count >= 4 else { return nil }
        guard rest.uint32(at: 0) == ZipEntry.signature else {
            state = .ended
            return .endOfArchive
        }
        guard rest.count >= ZipEntry.headerSize, rest.count >= ZipEntry.size(ofHeader: rest) else {
            return nil
        }
        let size = ZipEntry.size(ofHeader: rest)
        let entry = try ZipEntry(header: rest.prefix(size))
        position += size
        (packed, unpacked, checksum) = (0, 0, 0)
        self.entry = entry
        if entry.isDeflated {
            inflater = try RawInflater()
            state = .deflated
        } else {
            state = .stored(rest: entry.size ?? 0)
        }
        return .begin(name: entry.name)
    }

    private mutating func inflated() throws(ImportDamage) -> Item? {
        let before = position
        let piece = try inflater?.step(input, &position) ?? []
        packed += UInt64(position - before)
        unpacked += UInt64(piece.count)
        checksum = inflater?.checksum ?? 0
        if inflater?.isAtEnd ?? true {
            inflater = nil
            state = .descriptor
        }
        if !piece.isEmpty { return .octets(piece) }
        return state == .descriptor ? descriptor() : nil
    }

    private mutating func stored(_ rest: UInt64) -> Item? {
        guard rest > 0 else {
            state = .descriptor
            return descriptor()
        }
        let count = min(Int(clamping: rest), input.count - position)
        guard count > 0 else { return nil }
        let piece = Array(self.rest.prefix(count))
        position += count
        checksum = RawInflater.checksum(checksum, piece)
        state = .stored(rest: rest - UInt64(count))
        return .octets(piece)
    }

    /// What stands behind an entry whose header does not tell its checksum.
    ///
    /// Its sizes have four octets each, or eight; only one of the two fits what was read.
    private mutating func descriptor() -> Item? {
        guard let entry, entry.checksum == nil else { return end(of: entry?.checksum) }
        let mark = rest.count >= 4 && rest.uint32(at: 0) == 0x0807_4B50 ? 4 : 0
        guard rest.count >= mark + 20 else { return nil }
        let isShort =
            rest.uint32(at: mark + 4) == UInt32(truncatingIfNeeded: packed)
            && rest.uint32(at: mark + 8) == UInt32(truncatingIfNeeded: unpacked)
        let found = rest.uint32(at: mark)
        position += mark + (isShort ? 12 : 20)
        return end(of: found)
    }

    private mutating func end(of expected: UInt32?) -> Item {
        state = .header
        return .end(isDamaged: expected != checksum)
    }
}
