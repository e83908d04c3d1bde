internal import CZlib

/// Compressing and checking octets; the only place that calls zlib.
enum Zlib {
    /// The octets made small; nil where zlib has no memory for it.
    static func deflated(_ octets: [UInt8]) -> [UInt8]? {
        let bound = compressBound(uLong(octets.count))
        var count = bound
        var isWell = false
        let result = [UInt8](unsafeUninitializedCapacity: Int(bound)) { buffer, filled in
            let code = compress2(
                buffer.baseAddress, &count, octets, uLong(octets.count), level)
            isWell = code == Z_OK
            filled = isWell ? Int(count) : 0
        }
        return isWell ? result : nil
    }

    /// What `deflated` made small; nil if the octets are none of it, or not of this length.
    static func inflated(_ octets: ArraySlice<UInt8>, count: Int) -> [UInt8]? {
        var length = uLong(count)
        var isWell = false
        let result = [UInt8](unsafeUninitializedCapacity: max(count, 1)) { buffer, filled in
            let code = octets.withUnsafeBufferPointer {
                uncompress(buffer.baseAddress, &length, $0.baseAddress, uLong($0.count))
            }
            isWell = code == Z_OK && length == uLong(count)
            filled = isWell ? count : 0
        }
        return isWell ? result : nil
    }

    /// The first octets of what `deflated` made small; nil if there are not so many, or none of it.
    ///
    /// What lies behind them is not looked at, and so no check sum either.
    static func inflated(_ octets: ArraySlice<UInt8>, first count: Int) -> [UInt8]? {
        var stream = z_stream()
        let size = Int32(MemoryLayout<z_stream>.size)
        guard inflateInit2_(&stream, -MAX_WBITS, ZLIB_VERSION, size) == Z_OK else { return nil }
        defer { inflateEnd(&stream) }
        let result = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            octets.dropFirst(headerCount).withUnsafeBufferPointer {
                // zlib only reads from where `next_in` points.
                stream.next_in = UnsafeMutablePointer(mutating: $0.baseAddress)
                stream.avail_in = uInt(truncatingIfNeeded: $0.count)
                stream.next_out = buffer.baseAddress
                stream.avail_out = uInt(truncatingIfNeeded: count)
                inflate(&stream, Z_SYNC_FLUSH)
            }
            filled = count - Int(stream.avail_out)
        }
        return result.count == count ? result : nil
    }

    /// The octets before the compressed data; they hold nothing that is needed.
    ///
    /// Source: RFC 1950, 2.2.
    private static let headerCount = 2

    /// The CRC-32 of several pieces, one behind the other.
    ///
    /// Source: ISO 3309, as in gzip and PNG.
    static func crc32(of pieces: [UInt8]...) -> UInt32 {
        let check = pieces.reduce(CZlib.crc32(0, nil, 0)) {
            CZlib.crc32($0, $1, uInt(truncatingIfNeeded: $1.count))
        }
        return UInt32(truncatingIfNeeded: check)
    }

    /// The smallest result: a block is written once and read for years.
    private static let level = Z_BEST_COMPRESSION
}
