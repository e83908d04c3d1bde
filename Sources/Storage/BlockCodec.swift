internal import Samples

/// A block as it lies in the file: what its columns in the table say, and its data.
///
/// The data begins with the length of its columns (a varint); behind it they are, through zlib:
///
/// 1. the seqs from the second on, as differences of differences (the one before the first is 1);
/// 2. the times: the first in ms of the quarter, the others as differences of differences;
/// 3. the lengths of the packets, as differences;
/// 4. the ordinals, as varints;
/// 5. the flags, an octet each;
/// 6. for each k below the greatest length, octet k of every packet longer than k: an octet that
///    says how (`ColumnForm`), and the column.
///
/// Differences are varints of seven bits an octet, the lowest first, with the sign in the lowest bit.
package struct EncodedBlock: Equatable, Sendable {
    /// The store's number of the stream.
    let stream: Int64
    /// The quarter that all of its readings were received in.
    let quarter: Quarter
    /// The seq of the first reading.
    let seq0: Int64
    /// The number of readings.
    let count: Int
    /// How the data is laid out; this is 1.
    let codec: Int64
    /// The CRC-32 of all of the above, as 64-bit words with the low octet first, and of the data.
    let crc: UInt32
    /// The data.
    let data: [UInt8]

    /// The layout that is described here.
    static let codec: Int64 = 1

    /// The check sum that a block should have.
    var rightCRC: UInt32 {
        let words = [stream, quarter.number, seq0, Int64(count), codec]
        return Zlib.crc32(of: words.flatMap(\.littleEndianOctets), data)
    }

    /// A block as read from the file.
    package init(
        stream: Int64, quarter: Quarter, seq0: Int64, count: Int, codec: Int64, crc: UInt32,
        data: [UInt8]
    ) {
        (self.stream, self.quarter, self.seq0, self.count) = (stream, quarter, seq0, count)
        (self.codec, self.crc, self.data) = (codec, crc, data)
    }
}

/// How a column of octets is written.
enum ColumnForm: UInt8 {
    /// As it is.
    case plain = 0
    /// As differences, modulo 256, the first from 0.
    case differences = 1
}

/// Why a block cannot be read.
package enum BlockDamage: Error, Equatable {
    /// The layout is none that this program knows.
    case codec
    /// The octets are not those that were written.
    case checksum
    /// The octets are those that were written, and no block.
    case content
}

extension Int64 {
    /// The eight octets, the lowest first.
    var littleEndianOctets: [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: self >> Int64($0 * 8)) }
    }

    /// A number whose lowest bit is the sign, so that small numbers are short varints.
    var zigzag: UInt64 { UInt64(bitPattern: (self << 1) ^ (self >> 63)) }

    /// The number that a zigzag stands for.
    init(zigzag: UInt64) {
        self = Int64(bitPattern: zigzag >> 1) ^ -Int64(bitPattern: zigzag & 1)
    }
}

extension [UInt8] {
    /// Appends seven bits an octet, the lowest first; all but the last have the eighth bit.
    mutating func append(varint number: UInt64) {
        var rest = number
        while rest > 0x7F {
            append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        append(UInt8(truncatingIfNeeded: rest))
    }
}

/// Reads varints and octets that anybody may have written.
struct VarintReader {
    private let octets: [UInt8]
    private(set) var position = 0

    init(_ octets: [UInt8]) {
        self.octets = octets
    }

    /// Whether everything was read.
    var isAtEnd: Bool { position == octets.count }

    /// The octets that were not read.
    var rest: ArraySlice<UInt8> { octets[position...] }

    /// The next varint.
    mutating func varint() throws(BlockDamage) -> UInt64 {
        if position < octets.count, octets[position] < 0x80 {
            defer { position += 1 }
            return UInt64(octets[position])
        }
        var (result, shift): (UInt64, UInt64) = (0, 0)
        while true {
            let octet = try octet()
            guard shift < 63 || octet < 2 else { throw .content }
            result |= UInt64(octet & 0x7F) << shift
            guard octet > 0x7F else { return result }
            shift += 7
        }
    }

    /// The next varint as a number with a sign.
    mutating func difference() throws(BlockDamage) -> Int64 { Int64(zigzag: try varint()) }

    /// The next varint, if it is below `limit`.
    mutating func number(below limit: Int) throws(BlockDamage) -> Int {
        guard let number = Int(exactly: try varint()), number < limit else { throw .content }
        return number
    }

    /// The next octet.
    mutating func octet() throws(BlockDamage) -> UInt8 {
        guard position < octets.count else { throw .content }
        defer { position += 1 }
        return octets[position]
    }

    /// The next octets.
    mutating func octets(_ count: Int) throws(BlockDamage) -> ArraySlice<UInt8> {
        guard count <= octets.count - position else { throw .content }
        defer { position += count }
        return octets[position..<position + count]
    }
}
