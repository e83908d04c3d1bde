internal import Measurements
internal import Samples

/// Steps through the sealed readings of one stream in the order of a query, quarter by quarter.
///
/// A quarter is decoded when it is its turn; one that cannot hold what is wanted is passed by.
final class BlockCursor: ReadingSource {
    private let blocks: BlockReader
    private let filter: BlockFilter
    private let query: SampleQuery
    private let position: SamplePosition?
    private let bounds: (first: Int64, last: Int64)
    let stream: Stream
    private(set) var key: ReadingKey?
    /// The quarter that is next to be opened; nil at the end.
    private var quarter: Quarter?
    /// The blocks of the open quarter.
    private var parts: [DecodedBlock] = []
    /// Their readings that are left, the next one last.
    private var entries: [Entry] = []

    /// A reading of the open quarter: numbers alone, since there are many.
    private struct Entry {
        let key: ReadingKey
        /// The place of its block among the parts.
        let part: Int
        /// Its own place in that.
        let index: Int
    }

    init(
        _ blocks: BlockReader, _ filter: BlockFilter, _ stream: Stream, _ query: SampleQuery,
        from position: SamplePosition?
    ) throws(StorageError) {
        (self.blocks, self.filter, self.stream) = (blocks, filter, stream)
        (self.query, self.position) = (query, position)
        bounds = Self.bounds(query, position)
        try turn(to: isAscending ? bounds.first : bounds.last)
        announce()
    }

    func advance() throws(StorageError) {
        if entries.popLast() == nil, let quarter {
            try open(quarter)
            let (before, behind) = (quarter.start.milliseconds - 1, quarter.end.milliseconds)
            try turn(to: isAscending ? behind : before)
        }
        announce()
    }

    var hasReading: Bool { !entries.isEmpty }

    var reading: Reading { parts[next.part].reading(next.index) }

    var start: Instant { next.key.time }

    var origin: GATTEvent.Origin {
        ReadingFlags(rawValue: Int(parts[next.part].columns.flags[next.index])).origin
    }

    func read(into octets: inout [UInt8]) {
        octets.removeAll(keepingCapacity: true)
        octets += parts[next.part].columns.packet(next.index)
    }

    /// The next reading's place, which is asked for only where there is one.
    private var next: Entry {
        guard let entry = entries.last else { preconditionFailure("no reading comes next") }
        return entry
    }

    private var isAscending: Bool { query.order == .ascending }

    /// The first and the last millisecond that the answer can lie in.
    private static func bounds(
        _ query: SampleQuery, _ position: SamplePosition?
    ) -> (first: Int64, last: Int64) {
        let (first, last) = query.milliseconds
        guard let time = position?.time.milliseconds else { return (first, last) }
        return query.order == .ascending ? (max(first, time), last) : (first, min(last, time))
    }

    /// Finds the next quarter from a time on that has blocks.
    private func turn(to time: Int64) throws(StorageError) {
        quarter = nil
        guard bounds.first <= bounds.last, time >= bounds.first, time <= bounds.last else { return }
        let from = Quarter(containing: Instant(milliseconds: time))
        let found =
            isAscending
            ? try blocks.quarter(of: stream.id, from: from)
            : try blocks.quarter(of: stream.id, until: from)
        guard let found, found.start.milliseconds <= bounds.last,
            found.end.milliseconds > bounds.first
        else { return }
        quarter = found
    }

    /// Says what comes next.
    private func announce() {
        key =
            entries.last?.key
            ?? quarter.map { quarter in
                ReadingKey(
                    time: Instant(milliseconds: edge(of: quarter)), seq: isAscending ? .min : .max)
            }
    }

    /// The first millisecond of a quarter that counts, in the order of the query.
    private func edge(of quarter: Quarter) -> Int64 {
        isAscending
            ? max(quarter.start.milliseconds, bounds.first)
            : min(quarter.end.milliseconds - 1, bounds.last)
    }

    /// Decodes what is wanted of a quarter.
    private func open(_ quarter: Quarter) throws(StorageError) {
        parts.removeAll(keepingCapacity: true)
        for row in try blocks.parts(of: stream.id, quarter) where mayMatch(row) {
            guard try filter.mayMatch(row, of: stream), let block = try blocks.decoded(row) else {
                continue
            }
            append(block)
            parts.append(block)
        }
        if parts.count > 1 { entries.sort { $0.key < $1.key } }
        if isAscending { entries.reverse() }
    }

    private func append(_ block: DecodedBlock) {
        let columns = block.columns
        for index in block.order where matches(columns, index) {
            let time = Instant(milliseconds: columns.times[index])
            let key = ReadingKey(time: time, seq: columns.seqs[index])
            entries.append(Entry(key: key, part: parts.count, index: index))
        }
    }

    private func mayMatch(_ row: BlockRow) -> Bool {
        row.seqs.lowerBound <= query.newest && row.times.lowerBound <= bounds.last
            && row.times.upperBound >= bounds.first
            && (query.origin.map { row.has($0) } ?? true)
    }

    private func matches(_ columns: BlockColumns, _ index: Int) -> Bool {
        let (time, seq) = (columns.times[index], columns.seqs[index])
        guard (bounds.first...bounds.last).contains(time), seq <= query.newest else {
            return false
        }
        guard let position, position.time.milliseconds == time else { return true }
        return isAscending ? seq >= position.seq : seq <= position.seq
    }
}

/// Passes blocks by whose summaries say that they hold nothing that is wanted.
final class BlockFilter {
    private let query: SampleQuery
    private let select: Statement

    init(_ database: borrowing Database, _ query: SampleQuery) throws(StorageError) {
        self.query = query
        select = try database.prepare(
            "SELECT n, excluded, exponent, min, max FROM summary WHERE \(SummaryRow.isOfKind)")
    }

    /// Whether a block of a stream may hold a sample that the answer has or counts.
    ///
    /// Samples that the summaries left out may have any value.
    func mayMatch(_ row: BlockRow, of stream: Stream) throws(StorageError) -> Bool {
        guard row.decoder == DecodedPacket.decoderVersion else { return true }
        let modalities = stream.modalities.intersection(query.modalities)
        for type in query.types where stream.hasHeld(type) {
            for modality in modalities where try mayBeWanted(row, type, modality) { return true }
        }
        return false
    }

    private func mayBeWanted(
        _ row: BlockRow, _ type: SampleType, _ modality: Modality
    ) throws(StorageError) -> Bool {
        try select.bind(to: row, type, modality)
        defer { select.reset() }
        guard try select.step() else { return false }
        guard let condition = query.condition else { return true }
        guard query.unit(of: type) == type.defaultUnit, select.int64(1) == 0 else { return true }
        guard select.int64(0) > 0 else { return false }
        let exponent = Int(select.int64(2))
        return condition.mayHold(
            from: DecimalNumber(mantissa: select.int64(3), exponent: exponent),
            to: DecimalNumber(mantissa: select.int64(4), exponent: exponent))
    }
}

extension ValueCondition {
    /// Whether some value of a range can meet the condition.
    func mayHold(from least: DecimalNumber, to greatest: DecimalNumber) -> Bool {
        switch comparison {
        case .less, .lessOrEqual: holds(for: least)
        case .greater, .greaterOrEqual: holds(for: greatest)
        case .equal: least <= number && number <= greatest
        case .notEqual: holds(for: least) || holds(for: greatest)
        }
    }
}
