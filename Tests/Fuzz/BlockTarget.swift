import Measurements
import Storage

/// Takes octets for the columns of a block: two octets for the number of readings, then the columns.
///
/// They are put into zlib's form without being made small, so that every octet counts.
enum BlockTarget {
    private static let quarter = Quarter(containing: Instant(milliseconds: 1_795_554_000_000))

    /// Reads the block; what it holds can be written and read again.
    static func take(_ octets: [UInt8]) {
        guard octets.count > 2 else { return }
        let block = EncodedBlock(
            stream: 1, quarter: quarter, seq0: 1000, count: Int(octets[0]) | Int(octets[1]) << 8,
            codec: 1, crc: 0, data: stored(octets[2...]))
        do throws(BlockDamage) {
            let columns = try BlockDecoder.decodeUnchecked(block)
            guard let again = BlockEncoder.encode(columns, in: quarter) else { return }
            let read = try BlockDecoder.decode(again)
            precondition(read == columns, "what is written can be read")
        } catch {}
        noise(octets)
    }

    /// The octets as a block's data, which hardly ever are what zlib has made.
    private static func noise(_ octets: [UInt8]) {
        do throws(BlockDamage) {
            _ = try BlockDecoder.decodeUnchecked(
                EncodedBlock(
                    stream: 1, quarter: quarter, seq0: 1, count: 1, codec: 1, crc: 0, data: octets))
        } catch {}
    }

    /// Length, header, pieces as they are, check sum.
    ///
    /// Source: RFC 1950, RFC 1951 section 3.2.4.
    private static func stored(_ octets: ArraySlice<UInt8>) -> [UInt8] {
        var (data, rest) = (varint(octets.count) + [0x78, 0x01], octets)
        repeat {
            let piece = rest.prefix(0xFFFF)
            rest = rest.dropFirst(0xFFFF)
            let (low, high) = (UInt8(piece.count & 0xFF), UInt8(piece.count >> 8))
            data += [rest.isEmpty ? 1 : 0, low, high, ~low, ~high] + piece
        } while !rest.isEmpty
        return data + checkSum(octets)
    }

    private static func varint(_ number: Int) -> [UInt8] {
        var (octets, rest): ([UInt8], Int) = ([], number)
        while rest > 0x7F {
            octets.append(UInt8(rest & 0x7F) | 0x80)
            rest >>= 7
        }
        return octets + [UInt8(rest)]
    }

    private static func checkSum(_ octets: ArraySlice<UInt8>) -> [UInt8] {
        var (low, high): (UInt32, UInt32) = (1, 0)
        for octet in octets {
            low = (low + UInt32(octet)) % 65_521
            high = (high + low) % 65_521
        }
        return [high, low].flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
    }
}
