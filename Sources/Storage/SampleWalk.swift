package import Measurements
package import Samples

/// A value that a walk meets.
package struct WalkedValue {
    /// Where it stands among all.
    package let place: SamplePlace
    /// The value in the type's default unit; nil if its quality leaves it out.
    package let number: DecimalNumber?
    /// The stream that it came in.
    package let stream: Stream
    /// Where it came from.
    package let origin: GATTEvent.Origin
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
        _ store: StoreReader, _ body: (WalkedValue) -> Void
    ) throws(StorageError) {
        let (query, type, end) = (query, type, end)
        var next = next
        isDone = try store.transaction { () throws(StorageError) in
            var collector = try ValueCollector(store, query, type)
            for _ in 0..<Self.quartersAtOnce where collector.readings < Self.readingsAtOnce {
                guard let quarter = try collector.quarter(from: next), quarter.start < end else {
                    return true
                }
                try collector.collect(quarter)
                for value in collector.values { body(value) }
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
    private let query: SampleQuery
    private let streams: [Stream]
    private var decoders: [ValueDecoder]
    private let bounds: (first: Int64, last: Int64)
    private var found: [ValueDecoder.Value] = []
    /// The values of the last quarter.
    private(set) var values: [WalkedValue] = []
    /// Readings that were decoded so far.
    private(set) var readings = 0

    init(
        _ store: StoreReader, _ query: SampleQuery, _ type: SampleType
    ) throws(StorageError) {
        (self.store, self.query, bounds) = (store, query, query.milliseconds)
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

    /// Collects the values of a quarter.
    mutating func collect(_ quarter: Quarter) throws(StorageError) {
        values.removeAll(keepingCapacity: true)
        var pieces = 0
        for place in streams.indices {
            for row in try store.blocks.parts(of: streams[place].id, quarter)
            where row.seqs.lowerBound <= query.newest {
                guard let block = try store.blocks.decoded(row) else { continue }
                append(block, place)
                pieces += 1
            }
            if try appendRows(of: quarter, place) > 0 { pieces += 1 }
        }
        if pieces > 1 { values.sort { $0.place < $1.place } }
    }

    private mutating func append(_ block: DecodedBlock, _ place: Int) {
        let columns = block.columns
        readings += columns.count
        for index in block.order where columns.seqs[index] <= query.newest {
            let flags = ReadingFlags(rawValue: Int(columns.flags[index]))
            append(
                columns.packet(index), columns.times[index], columns.seqs[index], flags, place)
        }
    }

    private mutating func appendRows(
        of quarter: Quarter, _ place: Int
    ) throws(StorageError) -> Int {
        let rows = try store.rows(of: streams[place], in: quarter, until: query.newest)
        readings += rows.count
        for row in rows {
            append(row.octets[...], row.measuredFrom.milliseconds, row.seq, row.flags, place)
        }
        return rows.count
    }

    private mutating func append(
        _ packet: ArraySlice<UInt8>, _ time: Int64, _ seq: Int64, _ flags: ReadingFlags,
        _ place: Int
    ) {
        guard time >= bounds.first, time <= bounds.last, belongs(streams[place], time, flags) else {
            return
        }
        found.removeAll(keepingCapacity: true)
        decoders[place].append(packet, to: &found)
        for value in found {
            values.append(
                WalkedValue(
                    place: SamplePlace(time: time, seq: seq, index: value.index),
                    number: value.number, stream: streams[place], origin: flags.origin))
        }
    }

    private func belongs(_ stream: Stream, _ time: Int64, _ flags: ReadingFlags) -> Bool {
        guard query.origin.map({ $0 == flags.origin }) ?? true else { return false }
        guard let subject = query.subject else { return true }
        return stream.device.subject(at: Instant(milliseconds: time)) == subject
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
