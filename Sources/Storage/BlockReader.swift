internal import Measurements
internal import Samples

/// A decoded block, with its readings in the order of time.
final class DecodedBlock {
    let columns: BlockColumns
    /// The places of the readings in `columns`, by time and then by seq.
    let order: [Int]
    /// Whether only the first octets of the packets are known.
    let hasHeadsOnly: Bool

    init(_ columns: BlockColumns, hasHeadsOnly: Bool = false) {
        (self.columns, self.hasHeadsOnly) = (columns, hasHeadsOnly)
        order = columns.indicesByTime
    }

    /// A reading as it was before it was sealed: `columns.reading` without counting a reference to each
    /// of the columns.
    func reading(_ index: Int) -> Reading {
        Reading(
            seq: columns.seqs[index], stream: columns.stream,
            at: Instant(milliseconds: columns.times[index]), ordinal: columns.ordinals[index],
            flags: ReadingFlags(rawValue: Int(columns.flags[index])),
            octets: Array(columns.packet(index)))
    }

    /// The places of the readings that were received at one time.
    func places(at time: Int64) -> [Int] {
        var (low, high) = (0, order.count)
        while low < high {
            let middle = (low + high) / 2
            if columns.times[order[middle]] < time { low = middle + 1 } else { high = middle }
        }
        return Array(order[low...].prefix { columns.times[$0] == time })
    }
}

/// Finds blocks, decodes them, and remembers the last ones.
final class BlockReader {
    /// Decoded blocks that are remembered, at about 50,000 octets each.
    static let blocksKept = 8
    /// Damaged blocks that are remembered, so that a broken disk does not fill the memory.
    private static let damageKept = 1024

    private let findParts: Statement
    /// Where the data of the blocks lies.
    let data: BlockData
    private let findNext: Statement
    private let findPrevious: Statement
    private let findSeq: Statement
    private let findNewest: Statement
    private let findOverlapping: Statement
    private let findOld: Statement
    private let findRange: Statement
    private let findOutdated: Statement
    private let findBehind: Statement
    /// The last one used stands last.
    private var kept: [(id: Int64, crc: UInt32, block: DecodedBlock)] = []
    /// The blocks that turned out to be damaged.
    private(set) var damaged: Set<DamagedBlock> = []
    /// Those of them that were met since `takeMissed` was asked.
    private var missed: Set<DamagedBlock> = []

    init(_ database: borrowing Database, _ data: BlockData) throws(StorageError) {
        self.data = data
        let select = "SELECT \(BlockRow.columns) FROM block"
        findParts = try database.prepare(
            "\(select) WHERE stream = ? AND quarter = ? ORDER BY seq0")
        findNext = try database.prepare(
            "SELECT min(quarter) FROM block WHERE stream = ? AND quarter >= ?")
        findPrevious = try database.prepare(
            "SELECT max(quarter) FROM block WHERE stream = ? AND quarter <= ?")
        findSeq = try database.prepare(
            "\(select) WHERE seq1 BETWEEN ?1 AND ?1 + \(BlockLimits.seqs - 1) AND seq0 <= ?1")
        findOverlapping = try database.prepare(
            "\(select) WHERE seq1 >= ?1 AND seq1 <= ?2 + \(BlockLimits.seqs - 1) AND seq0 <= ?2")
        findOld = try database.prepare(
            "\(select) WHERE stream = ? AND quarter < ? ORDER BY quarter, seq0 LIMIT ?")
        findRange = try database.prepare(
            "\(select) WHERE stream = ? AND quarter >= ? AND quarter < ? ORDER BY quarter, seq0")
        findOutdated = try database.prepare("\(select) WHERE decoder <> ? LIMIT ?")
        findBehind = try database.prepare("\(select) WHERE id > ? ORDER BY id LIMIT ?")
        findNewest = try database.prepare("SELECT max(quarter) FROM block WHERE stream = ?")
    }

    /// The parts of a quarter, by their first seqs.
    func parts(of stream: Int64, _ quarter: Quarter) throws(StorageError) -> [BlockRow] {
        try findParts.bind(1, stream)
        try findParts.bind(2, quarter.number)
        return try Self.rows(findParts)
    }

    /// The parts of quarters from one on and before another.
    func parts(
        of stream: Int64, from first: Quarter, until end: Quarter
    ) throws(StorageError) -> [BlockRow] {
        try findRange.bind(1, stream)
        try findRange.bind(2, first.number)
        try findRange.bind(3, end.number)
        return try Self.rows(findRange)
    }

    /// The part of a quarter that begins with a seq; nil if there is none.
    func part(
        of stream: Int64, _ quarter: Quarter, seq0: Int64
    ) throws(StorageError) -> BlockRow? {
        try parts(of: stream, quarter).first { $0.seqs.lowerBound == seq0 }
    }

    /// Some parts of quarters before another one, the first ones first.
    func parts(
        of stream: Int64, before limit: Quarter, limit count: Int
    ) throws(StorageError) -> [BlockRow] {
        try findOld.bind(1, stream)
        try findOld.bind(2, limit.number)
        try findOld.bind(3, Int64(count))
        return try Self.rows(findOld)
    }

    /// Some blocks whose summaries another decoder made.
    func outdated(limit count: Int) throws(StorageError) -> [BlockRow] {
        try findOutdated.bind(1, Int64(DecodedPacket.decoderVersion))
        try findOutdated.bind(2, Int64(count))
        return try Self.rows(findOutdated)
    }

    /// The next blocks behind the one of a number.
    func rows(behind id: Int64, limit count: Int) throws(StorageError) -> [BlockRow] {
        try findBehind.bind(1, id)
        try findBehind.bind(2, Int64(count))
        return try Self.rows(findBehind)
    }

    /// The first quarter at or behind another one that has blocks.
    func quarter(of stream: Int64, from first: Quarter) throws(StorageError) -> Quarter? {
        try findNext.bind(1, stream)
        try findNext.bind(2, first.number)
        return try Self.quarter(findNext)
    }

    /// The last quarter at or before another one that has blocks.
    func quarter(of stream: Int64, until last: Quarter) throws(StorageError) -> Quarter? {
        try findPrevious.bind(1, stream)
        try findPrevious.bind(2, last.number)
        return try Self.quarter(findPrevious)
    }

    /// The last quarter that has blocks.
    func newestQuarter(of stream: Int64) throws(StorageError) -> Quarter? {
        try findNewest.bind(1, stream)
        return try Self.quarter(findNewest)
    }

    /// The blocks that may hold seqs of a range.
    func overlapping(_ seqs: ClosedRange<Int64>) throws(StorageError) -> [BlockRow] {
        try findOverlapping.bind(1, seqs.lowerBound)
        try findOverlapping.bind(2, seqs.upperBound)
        return try Self.rows(findOverlapping)
    }

    /// The block that holds a seq, and the place of its reading; nil if none does.
    func find(seq: Int64) throws(StorageError) -> (BlockRow, DecodedBlock, Int)? {
        try findSeq.bind(1, seq)
        for row in try Self.rows(findSeq) {
            guard let block = try decoded(row), let index = block.columns.index(ofSeq: seq) else {
                continue
            }
            return (row, block, index)
        }
        return nil
    }

    /// The readings of a block; nil if it is damaged, which is noted.
    func decoded(_ row: BlockRow) throws(StorageError) -> DecodedBlock? {
        if let place = kept.firstIndex(where: { $0.id == row.id && $0.crc == row.crc }) {
            let found = kept.remove(at: place)
            kept.append(found)
            return found.block
        }
        let encoded = try data.block(of: row)
        do throws(BlockDamage) {
            let block = DecodedBlock(try BlockDecoder.decode(encoded))
            keep(block, of: row)
            return block
        } catch {
            return noteDamage(of: row)
        }
    }

    /// The readings of a block with the first octets of their packets; nil if it is damaged.
    ///
    /// The octets behind them are 0.
    func decodedHeads(_ row: BlockRow, octets: Int) throws(StorageError) -> DecodedBlock? {
        let encoded = try data.block(of: row)
        do throws(BlockDamage) {
            return DecodedBlock(
                try BlockDecoder.decodeHeads(encoded, octets: octets), hasHeadsOnly: true)
        } catch {
            return noteDamage(of: row)
        }
    }

    private func noteDamage(of row: BlockRow) -> DecodedBlock? {
        if damaged.count < Self.damageKept { damaged.insert(DamagedBlock(row)) }
        if missed.count < Self.damageKept { missed.insert(DamagedBlock(row)) }
        return nil
    }

    /// The damaged blocks that were met since this was asked last.
    func takeMissed() -> Set<DamagedBlock> {
        defer { missed = [] }
        return missed
    }

    /// Forgets what may have been rolled back.
    func forget() { kept = [] }

    private func keep(_ block: DecodedBlock, of row: BlockRow) {
        if kept.count >= Self.blocksKept { kept.removeFirst() }
        kept.append((row.id, row.crc, block))
    }

    private static func rows(
        _ statement: borrowing Statement
    ) throws(StorageError) -> [BlockRow] {
        defer { statement.reset() }
        var rows: [BlockRow] = []
        while try statement.step() { rows.append(BlockRow(statement)) }
        return rows
    }

    private static func quarter(
        _ statement: borrowing Statement
    ) throws(StorageError) -> Quarter? {
        defer { statement.reset() }
        return try statement.step() ? statement.optionalInt64(0).map { Quarter(stored: $0) } : nil
    }
}
