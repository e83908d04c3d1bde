import Measurements
import Samples
import Testing

@testable import Storage

/// Blocks hold what was put in, and no octets make them trap.
@Suite struct BlockCodecTests {
    private static let quarter = Quarter(containing: noon)

    /// Random readings of one quarter as they come: mostly regular, sometimes wild.
    private static func columns(
        _ count: Int, using random: inout SeededGenerator
    ) -> BlockColumns {
        var columns = BlockColumns(stream: Int64(random.number(1...9)))
        var seq = Int64(random.number(1...1_000_000_000))
        let isWild = random.once(in: 2)
        let length = random.number(0...20)
        for place in 0..<count {
            seq += random.once(in: 9) ? Int64(random.number(1...12)) : 1
            let time = isWild ? random.number(0...899_999) : min(place * 200, 899_999)
            let octets = (0..<(isWild ? random.number(0...24) : length)).map { _ in
                UInt8(random.once(in: 4) ? random.number(0...255) : 97)
            }
            columns.append(
                Reading(
                    seq: seq, stream: columns.stream,
                    at: noon.advanced(byMilliseconds: Int64(time)),
                    ordinal: isWild ? random.number(0...65_535) : 0,
                    flags: ReadingFlags(rawValue: random.number(0...255)), octets: octets))
        }
        return columns
    }

    private static func encoded(_ columns: BlockColumns) throws -> EncodedBlock {
        try #require(BlockEncoder.encode(columns, in: quarter))
    }

    @Test(arguments: [1, 2, 3, 63, 64, 900, 4096])
    func aBlockGivesBackItsReadings(count: Int) throws {
        for seed in 0..<(count < 100 ? 200 : 6) as Range<UInt64> {
            var random = SeededGenerator(seed: seed)
            let columns = Self.columns(count, using: &random)
            let block = try Self.encoded(columns)
            #expect(try BlockDecoder.decode(block) == columns)
            #expect(block.seq0 == columns.seqs[0])
        }
    }

    @Test(arguments: [1, 64, 900, 4096])
    func theHeadsOfPacketsAreThoseOfTheWholePackets(count: Int) throws {
        for seed in 0..<(count < 100 ? 200 : 6) as Range<UInt64> {
            var random = SeededGenerator(seed: seed)
            let columns = Self.columns(count, using: &random)
            let block = try Self.encoded(columns)
            for head in [0, 1, 5, 13, 512] {
                let heads = try BlockDecoder.decodeHeads(block, octets: head)
                #expect(heads.seqs == columns.seqs && heads.times == columns.times)
                #expect(heads.flags == columns.flags && heads.bounds == columns.bounds)
                let areRight = (0..<count).allSatisfy {
                    heads.packet($0).prefix(head) == columns.packet($0).prefix(head)
                }
                #expect(areRight, "seed \(seed), \(head) octets")
            }
        }
    }

    @Test func aDamagedBlockHasNoHeads() throws {
        var random = SeededGenerator(seed: 1)
        let block = try Self.encoded(Self.columns(900, using: &random))
        for place in block.data.indices {
            var data = block.data
            data[place] ^= 1
            let damaged = EncodedBlock(
                stream: block.stream, quarter: block.quarter, seq0: block.seq0,
                count: block.count, codec: block.codec, crc: block.crc, data: data)
            #expect(throws: BlockDamage.checksum) {
                try BlockDecoder.decodeHeads(damaged, octets: 5)
            }
        }
    }

    @Test func packetsOfEveryLengthComeBack() throws {
        var columns = BlockColumns(stream: 1)
        for length in (0...512).reversed() {
            columns.append(
                Reading(
                    seq: Int64(1000 - length), stream: 1, at: noon,
                    flags: ReadingFlags(rawValue: 8),
                    octets: (0..<length).map { UInt8(truncatingIfNeeded: $0 &* length) }))
        }
        #expect(try BlockDecoder.decode(Self.encoded(columns)) == columns)
    }

    @Test func theEndsOfTheRangesComeBack() throws {
        let ends = [Instant.range.lowerBound, Instant.range.upperBound]
        for at in ends {
            var columns = BlockColumns(stream: .max)
            for seq in [Int64.max - 65_536, Int64.max - 1] {
                columns.append(
                    Reading(
                        seq: seq, stream: .max, at: at, ordinal: 65_535,
                        flags: ReadingFlags(rawValue: 255), octets: []))
            }
            let block = try #require(
                BlockEncoder.encode(columns, in: Quarter(containing: at)))
            #expect(try BlockDecoder.decode(block) == columns)
        }
    }

    @Test func anyChangedBitIsNoticed() throws {
        var random = SeededGenerator(seed: 1)
        let block = try Self.encoded(Self.columns(64, using: &random))
        for bit in 0..<block.data.count * 8 {
            var data = block.data
            data[bit / 8] ^= 1 << (bit % 8)
            #expect(throws: BlockDamage.checksum) { try BlockDecoder.decode(block.with(data)) }
        }
    }

    @Test func anotherPlaceIsNoticed() throws {
        var random = SeededGenerator(seed: 1)
        let block = try Self.encoded(Self.columns(64, using: &random))
        for (stream, quarter, seq0, count) in [
            (1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1),
        ] as [(Int64, Int64, Int64, Int)] {
            let moved = EncodedBlock(
                stream: block.stream + stream, quarter: Quarter(block.quarter.number + quarter),
                seq0: block.seq0 + seq0, count: block.count - count, codec: 1, crc: block.crc,
                data: block.data)
            #expect(throws: BlockDamage.checksum) { try BlockDecoder.decode(moved) }
        }
    }

    @Test func anotherLayoutIsRefused() throws {
        var random = SeededGenerator(seed: 1)
        let block = try Self.encoded(Self.columns(64, using: &random))
        let other = EncodedBlock(
            stream: block.stream, quarter: block.quarter, seq0: block.seq0, count: block.count,
            codec: 2, crc: block.crc, data: block.data)
        #expect(throws: BlockDamage.codec) { try BlockDecoder.decode(other) }
    }

    @Test func noOctetsMakeADecoderTrap() throws {
        var random = SeededGenerator(seed: 7)
        let columns = Self.columns(100, using: &random)
        let block = try Self.encoded(columns)
        var header = VarintReader(block.data)
        let raw = try #require(
            Zlib.inflated(try header.afterFirst(), count: Int(try header.varint())))
        var refused = 0
        for _ in 0..<3000 {
            var octets = raw
            for _ in 0..<random.number(1...3) {
                octets[random.number(0...octets.count - 1)] = UInt8(random.number(0...255))
            }
            if random.once(in: 8) { octets.removeLast(random.number(0...octets.count)) }
            do {
                let other = try BlockDecoder.decodeUnchecked(block.packed(octets))
                #expect(other.count == columns.count)
            } catch {
                refused += 1
            }
        }
        #expect(refused > 100)
    }

    @Test func noDataMakesADecoderTrap() throws {
        var random = SeededGenerator(seed: 8)
        let block = try Self.encoded(Self.columns(100, using: &random))
        for length in 0..<block.data.count {
            let cut = block.with(Array(block.data.prefix(length)))
            #expect(throws: BlockDamage.content) { try BlockDecoder.decodeUnchecked(cut) }
        }
        for _ in 0..<2000 {
            let noise = (0..<random.number(0...40)).map { _ in UInt8(random.number(0...255)) }
            #expect(throws: BlockDamage.self) {
                try BlockDecoder.decodeUnchecked(block.with(noise))
            }
        }
    }

    @Test(
        arguments: [0, -1, 4097, .max] as [Int], [0, .min, .max - 65_535, .max] as [Int64])
    func aRowThatNobodyWroteIsRefused(count: Int, seq0: Int64) throws {
        for quarter in [Self.quarter, Quarter(.max), Quarter(.min)] {
            let block = EncodedBlock(
                stream: 1, quarter: quarter, seq0: seq0, count: count, codec: 1, crc: 0, data: [1])
            #expect(throws: BlockDamage.content) { try BlockDecoder.decodeUnchecked(block) }
        }
    }

    @Test func aClaimOfMuchDataIsRefusedBeforeThereIsRoomMade() {
        let block = EncodedBlock(
            stream: 1, quarter: Self.quarter, seq0: 1, count: 1, codec: 1, crc: 0,
            data: [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F, 0x78])
        #expect(throws: BlockDamage.content) { try BlockDecoder.decodeUnchecked(block) }
    }

    @Test func aVarintOfAnyNumberComesBack() throws {
        for power in 0..<64 {
            for number in [UInt64(1) << power, (UInt64(1) << power) - 1, .max >> UInt64(power)] {
                var octets: [UInt8] = []
                octets.append(varint: number)
                var reader = VarintReader(octets)
                #expect(try reader.varint() == number)
                #expect(reader.isAtEnd)
                let signed = Int64(bitPattern: number)
                #expect(Int64(zigzag: signed.zigzag) == signed)
            }
        }
    }

    @Test func aVarintOfMoreThanSixtyFourBitsIsRefused() {
        for last in [0x02, 0x7F, 0x80, 0xFF] as [UInt8] {
            var reader = VarintReader([UInt8](repeating: 0xFF, count: 9) + [last, 0])
            #expect(throws: BlockDamage.content) { try reader.varint() }
        }
    }

    @Test func readingsWithATimeOrHistoryOfTheirOwnStayRows() {
        let plain = Reading(
            seq: 1, stream: 1, at: noon, flags: ReadingFlags(rawValue: 8),
            octets: [UInt8](repeating: 0, count: 512))
        #expect(BlockLimits.allow(plain))
        let changes: [(inout Reading) -> Void] = [
            { $0.start = noon }, { $0.end = noon }, { $0.stamp = 0 }, { $0.first = 1 },
            { $0.octets.append(0) }, { $0.ordinal = 65_536 }, { $0.ordinal = -1 },
            { $0.flags = ReadingFlags(rawValue: 256) }, { $0.at = Instant(milliseconds: .max) },
            { $0.seq = 0 },
        ]
        for change in changes {
            var reading = plain
            change(&reading)
            #expect(!BlockLimits.allow(reading))
        }
    }
}

extension EncodedBlock {
    /// The same block with other data.
    fileprivate func with(_ data: [UInt8]) -> EncodedBlock {
        EncodedBlock(
            stream: stream, quarter: quarter, seq0: seq0, count: count, codec: codec, crc: crc,
            data: data)
    }

    /// The same block with other columns.
    fileprivate func packed(_ raw: [UInt8]) -> EncodedBlock {
        var data: [UInt8] = []
        data.append(varint: UInt64(raw.count))
        return with(data + (Zlib.deflated(raw) ?? []))
    }
}

extension VarintReader {
    /// What lies behind the first varint, which stays unread.
    fileprivate func afterFirst() throws(BlockDamage) -> ArraySlice<UInt8> {
        var reader = self
        _ = try reader.varint()
        return reader.rest
    }
}
