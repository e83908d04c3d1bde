package import Measurements
package import Samples

/// A value that a walk meets.
package struct WalkedValue {
    /// Where it stands among all.
    package let place: SamplePlace
    /// The value in the type's default unit; nil if its quality leaves it out.
    package let number: DecimalNumber?
    /// Where it came from.
    package let origin: GATTEvent.Origin
    /// The place of its stream among those of the walk.
    fileprivate let source: Int
}

/// A walk through all values of one type in the order of time, some quarters at a time.
package struct SampleWalk: Sendable {
    private let query: SampleQuery
    private let type: SampleType
    private var next: Quarter
    private let end: Instant
    /// Whether everything was met.
    package private(set) var isDone = false

    /// Readings of one step: as many as take some 10 ms.
    private static let readingsAtOnce = 20_000
    /// Quarters of one step.
    private static let quartersAtOnce = 64

    /// A walk through the values of a query's type, up to `lookAhead` ms behind its end.
    init(_ query: SampleQuery, _ type: SampleType, lookAhead: Int64 = 0) {
        var query = query
        end = query.end?.advanced(byMilliseconds: lookAhead) ?? Instant.range.upperBound
        query.end = end
        (self.query, self.type) = (query, type)
        next = Quarter(containing: query.start ?? Instant.range.lowerBound)
    }

    /// Meets what the next quarters hold.
    package mutating func proceed(
        _ store: StoreReader, _ body: (WalkedValue, Stream) -> Void
    ) throws(StorageError) {
        let (query, type, end) = (query, type, end)
        var next = next
        isDone = try store.transaction { () throws(StorageError) in
            var collector = try ValueCollector(store, query, type)
            for _ in 0..<Self.quartersAtOnce where collector.readings < Self.readingsAtOnce {
                guard let quarter = try collector.quarter(from: next), quarter.start < end else {
                    return true
                }
                try collector.collect(quarter, body)
                next = quarter.next
            }
            return false
        }
        self.next = next
    }
}

/// Collects the values of a quarter out of rows and blocks, in the order of time.
struct ValueCollector {
    private let store: StoreReader
    private let newest: Int64
    private let origin: GATTEvent.Origin?
    private let subject: String?
    /// The streams that may hold such values.
    let streams: [Stream]
    private var decoders: [ValueDecoder]
    private let bounds: (first: Int64, last: Int64)
    private var found: [ValueDecoder.Value] = []
    /// Readings that were decoded so far.
    private(set) var readings = 0

    init(
        _ store: StoreReader, _ query: SampleQuery, _ type: SampleType
    ) throws(StorageError) {
        (self.store, bounds, newest) = (store, query.milliseconds, query.newest)
        (origin, subject) = (query.origin, query.subject)
        streams = try store.streamsNow().filter(query.concerns)
        decoders = streams.map {
            ValueDecoder($0.characteristic, type, query.modalities, query.qualities)
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
            where row.seqs.lowerBound <= newest {
                guard let block = try store.blocks.decoded(row) else { continue }
                pieces.append(.block(block, source: place))
            }
            let rows = try store.rows(of: streams[place], in: quarter, until: newest)
            if !rows.isEmpty { pieces.append(.rows(rows, source: place)) }
        }
        give(pieces, body)
    }

    /// Readings of one stream in the order of time.
    private enum Piece {
        case block(DecodedBlock, source: Int)
        case rows([Reading], source: Int)
    }

    /// Gives the values of several pieces; those of a single one need not be sorted.
    private mutating func give(_ pieces: [Piece], _ body: (WalkedValue, Stream) -> Void) {
        let streams = streams
        guard pieces.count > 1 else {
            for piece in pieces { decode(piece) { body($0, streams[$0.source]) } }
            return
        }
        var values: [WalkedValue] = []
        for piece in pieces { decode(piece) { values.append($0) } }
        values.sort { $0.place < $1.place }
        for value in values { body(value, streams[value.source]) }
    }

    private mutating func decode(_ piece: Piece, _ body: (WalkedValue) -> Void) {
        switch piece {
        case .block(let block, let source):
            let columns = block.columns
            let (octets, bounds) = (columns.octets.span, columns.bounds)
            readings += columns.count
            for index in block.order where columns.seqs[index] <= newest {
                let packet = octets.extracting(bounds[index]..<bounds[index + 1])
                let flags = ReadingFlags(rawValue: Int(columns.flags[index]))
                decode(packet, columns.times[index], columns.seqs[index], flags, source, body)
            }
        case .rows(let rows, let source):
            readings += rows.count
            for row in rows {
                let time = row.measuredFrom.milliseconds
                decode(row.octets.span, time, row.seq, row.flags, source, body)
            }
        }
    }

    private mutating func decode(
        _ packet: Span<UInt8>, _ time: Int64, _ seq: Int64, _ flags: ReadingFlags,
        _ source: Int, _ body: (WalkedValue) -> Void
    ) {
        guard time >= bounds.first, time <= bounds.last, belongs(source, time, flags) else {
            return
        }
        found.removeAll(keepingCapacity: true)
        decoders[source].append(packet, to: &found)
        for value in found {
            body(
                WalkedValue(
                    place: SamplePlace(time: time, seq: seq, index: value.index),
                    number: value.number, origin: flags.origin, source: source))
        }
    }

    private func belongs(_ place: Int, _ time: Int64, _ flags: ReadingFlags) -> Bool {
        guard origin.map({ $0 == flags.origin }) ?? true else { return false }
        guard let subject else { return true }
        return streams[place].device.subject(at: Instant(milliseconds: time)) == subject
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
