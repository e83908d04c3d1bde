internal import CZlib

/// Decompresses gzip piece by piece, also several members one behind the other.
///
/// Source: RFC 1952.
@safe struct Inflater: ~Copyable {
    /// Octets that one step gives at most, so that a small file that grows a thousandfold stays small.
    static let longestPiece = 16_384

    private let stream: UnsafeMutablePointer<z_stream>
    private var holdsMore = false
    /// Whether all that was begun has ended, as it has to at the end of a file.
    private(set) var isBetweenMembers = false

    /// A decompressor at the start of a file.
    ///
    /// - Throws: `CaptureDamage` if there is no memory for it.
    init() throws(CaptureDamage) {
        guard let stream = unsafe czlib_open() else {
            throw CaptureDamage("there is no memory to decompress it")
        }
        unsafe self.stream = stream
    }

    deinit { unsafe czlib_close(stream) }

    /// Decompresses the next octets from `position` on, and moves it behind those that were used.
    ///
    /// - Returns: At most `longestPiece` octets; none if more input is wanted.
    /// - Throws: `CaptureDamage` if the octets are no gzip.
    mutating func step(_ input: [UInt8], _ position: inout Int) throws(CaptureDamage) -> [UInt8] {
        while holdsMore || position < input.count {
            guard try begin(input, &position) else { continue }
            let before = position
            let piece = try inflated(input, &position)
            if !piece.isEmpty { return piece }
            if position == before, !isBetweenMembers { return [] }
        }
        return []
    }

    /// Whether a member is being read; zeros behind the last one are padding.
    private mutating func begin(
        _ input: [UInt8], _ position: inout Int
    ) throws(CaptureDamage) -> Bool {
        guard isBetweenMembers else { return true }
        if input[position] == 0 {
            position += 1
            return false
        }
        guard unsafe czlib_restart(stream) != 0 else {
            throw CaptureDamage("its next part cannot be decompressed")
        }
        isBetweenMembers = false
        return true
    }

    private mutating func inflated(
        _ input: [UInt8], _ position: inout Int
    ) throws(CaptureDamage) -> [UInt8] {
        var unused = UInt32(input.count - position)
        var code = Z_OK
        let stream = unsafe self.stream
        let piece = unsafe [UInt8](unsafeUninitializedCapacity: Self.longestPiece) {
            output, filled in
            var room = UInt32(Self.longestPiece)
            code = unsafe input.withUnsafeBufferPointer { octets in
                let first = unsafe octets.baseAddress.map { unsafe $0 + position }
                return unsafe czlib_inflate(stream, first, &unused, output.baseAddress, &room)
            }
            filled = Self.longestPiece - Int(room)
        }
        position = input.count - Int(unused)
        isBetweenMembers = code == Z_STREAM_END
        let isDamaged = code != Z_OK && code != Z_STREAM_END && code != Z_BUF_ERROR
        // What came before a damage is given; the next call fails again, and gives nothing.
        holdsMore = isDamaged || (code == Z_OK && piece.count == Self.longestPiece)
        guard !isDamaged || !piece.isEmpty else {
            throw CaptureDamage("its gzip data are damaged")
        }
        return piece
    }
}
