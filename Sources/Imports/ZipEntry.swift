internal import ControlProtocol

/// What stands before an entry of an archive.
///
/// Source: PKWARE APPNOTE 6.3.10, 4.3.7 Local file header, 4.5.3 Zip64 extra field.
struct ZipEntry: Equatable {
    /// Its path in the archive.
    let name: String
    /// Whether its octets are compressed.
    let isDeflated: Bool
    /// The size in the archive; nil where it stands behind the entry.
    let size: UInt64?
    /// The checksum; nil where it stands behind the entry.
    let checksum: UInt32?

    /// The octets of a header without name and extra fields.
    static let headerSize = 30
    /// What a header begins with.
    static let signature: UInt32 = 0x0403_4B50

    /// The whole size of a header of which the first `headerSize` octets are there.
    static func size(ofHeader octets: ArraySlice<UInt8>) -> Int {
        headerSize + Int(octets.uint16(at: 26)) + Int(octets.uint16(at: 28))
    }

    /// The entry that a whole header describes.
    ///
    /// - Throws: `ImportDamage` for one that cannot be read in one pass.
    init(header: ArraySlice<UInt8>) throws(ImportDamage) {
        let flags = header.uint16(at: 6)
        let method = header.uint16(at: 8)
        let nameSize = Int(header.uint16(at: 26))
        let start = header.startIndex + Self.headerSize
        name = String(decoding: header[start..<start + nameSize], as: UTF8.self)
        isDeflated = method == 8
        let isSized = flags & 8 == 0
        let short = header.uint32(at: 18)
        let extra = header[(start + nameSize)...]
        size = isSized ? Self.longSize(short, header.uint32(at: 22), extra) : nil
        checksum = isSized ? header.uint32(at: 14) : nil
        if flags & 1 != 0 { throw ImportDamage("\(name) is encrypted") }
        if method != 8, !isSized {
            throw ImportDamage("\(name) does not tell its size: unpack the archive first")
        }
    }

    /// Whether its octets can be read: stored as they are, or deflated.
    var isReadable: Bool { isDeflated || checksum != nil }

    /// A size that does not fit in 32 bits stands in an extra field, behind the unpacked one.
    private static func longSize(
        _ short: UInt32, _ unpacked: UInt32, _ extra: ArraySlice<UInt8>
    ) -> UInt64 {
        guard short == .max else { return UInt64(short) }
        var rest = extra
        while rest.count >= 4 {
            let size = Int(rest.uint16(at: 2))
            let place = unpacked == .max ? 12 : 4
            if rest.uint16(at: 0) == 1, rest.count >= place + 8 {
                return UInt64(rest.uint32(at: place)) | UInt64(rest.uint32(at: place + 4)) << 32
            }
            rest = rest.dropFirst(4 + size)
        }
        return UInt64(short)
    }
}

extension ArraySlice<UInt8> {
    /// The little-endian number at an offset from the start.
    func uint16(at offset: Int) -> UInt16 {
        UInt16(self[startIndex + offset]) | UInt16(self[startIndex + offset + 1]) << 8
    }

    /// The little-endian number at an offset from the start.
    func uint32(at offset: Int) -> UInt32 {
        UInt32(uint16(at: offset)) | UInt32(uint16(at: offset + 2)) << 16
    }
}
