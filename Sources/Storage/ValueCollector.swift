internal import Measurements
internal import Samples

/// Collects the values of a quarter out of rows and blocks, in the order of time.
struct ValueCollector {
    private let store: StoreReader
    private let query: SampleQuery
    /// The streams that may hold such values.
    let streams: [Stream]
    private var decoders: [ValueDecoder]
    /// The modalities that are wanted of each stream.
    private let modalities: [[Modality]]
    private let bounds: (first: Int64, last: Int64)
    private let complete: CompleteBlocks
    private var found: [ValueDecoder.Value] = []
    /// Readings that were decoded so far.
    private(set) var readings = 0

    init(
        _ store: StoreReader, _ query: SampleQuery, _ type: SampleType, in unit: SampleUnit
    ) throws(StorageError) {
        (self.store, self.query, bounds) = (store, query, query.milliseconds)
        complete = try CompleteBlocks(store.database, query, type)
        streams = try store.streamsNow().filter(query.concerns)
        modalities = streams.map { Array($0.modalities.intersection(query.modalities)) }
        decoders = streams.map {
            ValueDecoder($0.characteristic, type, in: unit, query.modalities, query.qualities)
        }
    }

    /// The first quarter at or behind another one that has readings; nil if there is none.
    func quarter(from first: Quarter) throws(StorageError) -> Quarter? {
        var earliest: Quarter?
        for stream in streams {
            let sealed = try store.blocks.quarter(of: stream.id, from: first)
            let rows = try store.firstRow(of: stream, from: first.start)
            for found in [sealed, rows.map { Quarter(containing: $0) }] {
                guard let found else { continue }
                earliest = min(earliest ?? found, found)
            }
        }
        return earliest
    }

    /// Gives the values of a quarter in the order of time.
    mutating func collect(
        _ quarter: Quarter, _ body: (WalkedValue, Stream) -> Void
    ) throws(StorageError) {
        var pieces: [Piece] = []
        for place in streams.indices {
            for row in try store.blocks.parts(of: streams[place].id, quarter)
            where mayMatter(row, place) {
                guard let block = try decoded(row, place) else { continue }
                pieces.append(.block(block, places(of: block, row, place), source: place))
            }
            let rows = try store.rows(of: streams[place], in: quarter, until: query.newest)
            if !rows.isEmpty { pieces.append(.rows(rows, source: place)) }
        }
        give(pieces, body)
    }

    /// Readings of one stream in the order of time; of a block those at some places.
    private enum Piece {
        case block(DecodedBlock, [Int], source: Int)
        case rows([Reading], source: Int)

        var source: Int {
            switch self {
            case .block(_, _, let source), .rows(_, let source): source
            }
        }
    }

    /// Gives the values of several pieces; those of a single one need not be sorted.
    private mutating func give(_ pieces: [Piece], _ body: (WalkedValue, Stream) -> Void) {
        guard pieces.count > 1 else {
            for piece in pieces {
                let stream = streams[piece.source]
                decode(piece) { body($0, stream) }
            }
            return
        }
        var values: [WalkedValue] = []
        for piece in pieces { decode(piece) { values.append($0) } }
        values.sort { $0.place < $1.place }
        for value in values { body(value, streams[value.source]) }
    }

    private mutating func decode(_ piece: Piece, _ body: (WalkedValue) -> Void) {
        switch piece {
        case .block(let block, let places, let source): decode(block, places, source, body)
        case .rows(let rows, let source):
            readings += rows.count
            for row in rows where isWanted(row, source) { decode(row, source, body) }
        }
    }
}

// What is sealed.
extension ValueCollector {
    /// Whether some reading of a block may be wanted.
    private func mayMatter(_ row: BlockRow, _ source: Int) -> Bool {
        guard row.seqs.lowerBound <= query.newest, row.times.lowerBound <= bounds.last,
            row.times.upperBound >= bounds.first, query.origin.map(row.has) ?? true
        else { return false }
        guard let subject = query.subject else { return true }
        return streams[source].device.subject(ofAll: row.quarter).map { $0 == subject } ?? true
    }

    private func decoded(
        _ row: BlockRow, _ source: Int
    ) throws(StorageError) -> DecodedBlock? {
        guard let head = decoders[source].head, try complete.contains(row, modalities[source])
        else {
            return try store.blocks.decoded(row)
        }
        return try store.blocks.decodedHeads(row, octets: head)
    }

    /// The places of the readings that are wanted, in the order of time.
    private func places(of block: DecodedBlock, _ row: BlockRow, _ source: Int) -> [Int] {
        guard !isWhollyWanted(row, source) else { return block.order }
        let columns = block.columns
        return block.order.filter {
            let flags = ReadingFlags(rawValue: Int(columns.flags[$0]))
            return columns.seqs[$0] <= query.newest && isWanted(columns.times[$0], flags, source)
        }
    }

    private func isWhollyWanted(_ row: BlockRow, _ source: Int) -> Bool {
        row.seqs.upperBound <= query.newest && bounds.first <= row.times.lowerBound
            && row.times.upperBound <= bounds.last
            && query.origin.map(row.isWholly) ?? true
            && (query.subject == nil || streams[source].device.subject(ofAll: row.quarter) != nil)
    }

    private mutating func decode(
        _ block: DecodedBlock, _ places: [Int], _ source: Int, _ body: (WalkedValue) -> Void
    ) {
        let columns = block.columns
        readings += columns.count
        decoders[source].forEach(
            of: places, in: columns.octets.span, columns.bounds, areHeads: block.hasHeadsOnly
        ) {
            body(
                WalkedValue(
                    place: SamplePlace(
                        time: columns.times[$0], seq: columns.seqs[$0], index: $1.index),
                    number: $1.number,
                    origin: ReadingFlags(rawValue: Int(columns.flags[$0])).origin,
                    source: source))
        }
    }
}

// What is not.
extension ValueCollector {
    private func isWanted(_ row: Reading, _ source: Int) -> Bool {
        isWanted(row.measuredFrom.milliseconds, row.flags, source)
    }

    private func isWanted(_ time: Int64, _ flags: ReadingFlags, _ source: Int) -> Bool {
        guard time >= bounds.first, time <= bounds.last,
            query.origin.map({ $0 == flags.origin }) ?? true
        else { return false }
        guard let subject = query.subject else { return true }
        return streams[source].device.subject(at: Instant(milliseconds: time)) == subject
    }

    private mutating func decode(
        _ row: Reading, _ source: Int, _ body: (WalkedValue) -> Void
    ) {
        found.removeAll(keepingCapacity: true)
        decoders[source].append(row.octets.span, to: &found)
        for value in found {
            body(
                WalkedValue(
                    place: SamplePlace(
                        time: row.measuredFrom.milliseconds, seq: row.seq, index: value.index),
                    number: value.number, origin: row.flags.origin, source: source))
        }
    }
}

extension StoreReader {
    /// When the first row of a stream was measured that lies at or behind an instant.
    func firstRow(of stream: Stream, from start: Instant) throws(StorageError) -> Instant? {
        let statement = try database.prepare(
            """
            SELECT min(coalesce(start, at)) FROM reading INDEXED BY reading_time
            WHERE stream = ? AND coalesce(start, at) >= ?
            """)
        try statement.bind(1, stream.id)
        try statement.bind(2, start.milliseconds)
        guard try statement.step() else { return nil }
        return statement.optionalInt64(0).map { Instant(milliseconds: $0) }
    }

    /// The rows of a stream that were measured in a quarter, up to a seq, by time.
    func rows(
        of stream: Stream, in quarter: Quarter, until newest: Int64
    ) throws(StorageError) -> [Reading] {
        let statement = try database.prepare(
            """
            SELECT \(Reading.columns) FROM reading INDEXED BY reading_time
            WHERE stream = ? AND coalesce(start, at) >= ? AND coalesce(start, at) < ? AND seq <= ?
            ORDER BY coalesce(start, at), seq
            """)
        try statement.bind(1, stream.id)
        try statement.bind(2, quarter.start.milliseconds)
        try statement.bind(3, quarter.end.milliseconds)
        try statement.bind(4, newest)
        var rows: [Reading] = []
        while try statement.step() { rows.append(Reading(statement, stream: stream.id)) }
        return rows
    }
}
