internal import CZlib
internal import ControlProtocol

/// Decompresses one entry of an archive piece by piece, and adds up its checksum.
///
/// Source: RFC 1951; PKWARE APPNOTE, CRC-32.
@safe
struct RawInflater: ~Copyable {
    /// Octets that one step gives at most.
    static let longestPiece = 65_536

    private let stream: UnsafeMutablePointer<z_stream>
    private var holdsMore = false
    /// Whether the entry has ended.
    private(set) var isAtEnd = false
    /// The checksum of what was given so far.
    private(set) var checksum: UInt32 = 0

    /// A decompressor at the start of an entry.
    ///
    /// - Throws: `ImportDamage` if there is no memory for it.
    init() throws(ImportDamage) {
        guard let stream = unsafe czlib_open_raw() else {
            throw ImportDamage("there is no memory to decompress it")
        }
        unsafe self.stream = stream
    }

    deinit { unsafe czlib_close(stream) }

    /// Decompresses octets from `position` on, and moves it behind those that were used.
    ///
    /// - Returns: None if more input is wanted.
    /// - Throws: `ImportDamage` if the octets do not decompress.
    mutating func step(
        _ input: [UInt8], _ position: inout Int
    ) throws(ImportDamage) -> [UInt8] {
        guard !isAtEnd, holdsMore || position < input.count else { return [] }
        var unused = UInt32(input.count - position)
        var code = Z_OK
        let (stream, start) = unsafe (self.stream, position)
        let piece = unsafe [UInt8](unsafeUninitializedCapacity: Self.longestPiece) {
            output, filled in
            var room = UInt32(Self.longestPiece)
            code = unsafe input.withUnsafeBufferPointer { octets in
                let first = unsafe octets.baseAddress.map { unsafe $0 + start }
                return unsafe czlib_inflate(stream, first, &unused, output.baseAddress, &room)
            }
            filled = Self.longestPiece - Int(room)
        }
        position = input.count - Int(unused)
        isAtEnd = code == Z_STREAM_END
        let isDamaged = code != Z_OK && code != Z_STREAM_END && code != Z_BUF_ERROR
        // What came before a damage is given; the next call fails again, and gives nothing.
        holdsMore = isDamaged || (code == Z_OK && piece.count == Self.longestPiece)
        guard !isDamaged || !piece.isEmpty else {
            throw ImportDamage("its compressed data are damaged")
        }
        checksum = Self.checksum(checksum, piece)
        return piece
    }

    /// The checksum of octets behind others.
    static func checksum(_ before: UInt32, _ octets: [UInt8]) -> UInt32 {
        unsafe octets.withUnsafeBufferPointer { buffer in
            unsafe UInt32(crc32(UInt(before), buffer.baseAddress, UInt32(buffer.count)))
        }
    }
}
