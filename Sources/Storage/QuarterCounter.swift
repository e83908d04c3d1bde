internal import Measurements
internal import Samples

/// Counts the values of some quarters in any order: from summaries where it can, else decoded.
struct QuarterCounter {
    private let query: StatisticsQuery
    private(set) var result = StatisticsResult()

    /// Quarters that are counted at once where summaries answer: a month.
    private static let summedAtOnce: Int64 = 2976
    /// Quarters that are counted at once where all is decoded.
    private static let decodedAtOnce: Int64 = 64
    /// Rows of a stream that are counted at once, give or take a quarter.
    private static let rowsAtOnce = 20_000

    init(_ query: StatisticsQuery) {
        self.query = query
    }

    /// Counts the next quarters that have something; returns where to go on, or nil at the end.
    mutating func count(
        from first: Quarter, _ store: StoreReader
    ) throws(StorageError) -> Quarter? {
        guard let end = query.buckets.last?.end else { return nil }
        let streams = try store.streamsNow().filter(query.samples.concerns)
        let source = try SummarySource(store, query)
        guard let quarter = try firstQuarter(from: first, streams, source, store),
            quarter.start < end
        else { return nil }
        let last = min(
            try limit(from: quarter, streams, source, store),
            Quarter(containing: end.advanced(byMilliseconds: -1)).next)
        for stream in streams {
            try countSealed(of: stream, from: quarter, until: last, source, store)
            try countRows(of: stream, from: quarter, until: last, store)
        }
        return last.start < end ? last : nil
    }

    private func firstQuarter(
        from first: Quarter, _ streams: [Stream], _ source: SummarySource, _ store: StoreReader
    ) throws(StorageError) -> Quarter? {
        var earliest: Quarter?
        for stream in streams {
            let row = try store.firstRow(of: stream, from: first.start)
            let places = [
                try store.blocks.quarter(of: stream.id, from: first),
                try source.quarter(of: stream, from: first),
                row.map { Quarter(containing: $0) },
            ]
            for quarter in places.compactMap({ $0 }) {
                earliest = min(earliest ?? quarter, quarter)
            }
        }
        return earliest
    }

    /// The quarter before which there is not too much to do at once.
    private func limit(
        from quarter: Quarter, _ streams: [Stream], _ source: SummarySource, _ store: StoreReader
    ) throws(StorageError) -> Quarter {
        let most = source.isUsable ? Self.summedAtOnce : Self.decodedAtOnce
        let share = max(most / Int64(max(streams.count, 1)), 1)
        var limit = Quarter(quarter.number + share)
        for stream in streams {
            let crowded = try store.row(Self.rowsAtOnce, of: stream, from: quarter.start)
            if let crowded { limit = min(limit, max(Quarter(containing: crowded), quarter.next)) }
        }
        return limit
    }

    private mutating func countRows(
        of stream: Stream, from first: Quarter, until end: Quarter, _ store: StoreReader
    ) throws(StorageError) {
        let (earliest, latest) = query.samples.milliseconds
        guard max(earliest, first.start.milliseconds) <= min(latest, end.start.milliseconds - 1)
        else { return }
        try store.forEachRow(
            of: stream, from: max(earliest, first.start.milliseconds),
            to: min(latest, end.start.milliseconds - 1), until: query.newest
        ) { reading in
            let time = reading.measuredFrom
            for sample in DecodedPacket.samples(of: reading.octets, stream.characteristic)
            where sample.type == query.type && query.modalities.contains(sample.modality) {
                let place = SamplePlace(
                    time: time.milliseconds, seq: reading.seq, index: sample.index)
                count(counted(sample), at: place, of: stream, reading.flags.origin)
            }
        }
    }

    private func counted(_ sample: Sample) -> DecimalNumber? {
        query.qualities.contains(sample.quality) ? sample.value(in: query.unit) : nil
    }

    private mutating func count(
        _ number: DecimalNumber?, at place: SamplePlace, of stream: Stream,
        _ origin: GATTEvent.Origin
    ) {
        let time = Instant(milliseconds: place.time)
        guard let bucket = query.bucket(of: place.time),
            let group = query.group(stream, at: time, origin)
        else { return }
        result.withBucket(group, bucket, query) { $0.statistics.count(number, at: place) }
    }
}

// What is sealed.
extension QuarterCounter {
    private mutating func countSealed(
        of stream: Stream, from first: Quarter, until end: Quarter, _ source: SummarySource,
        _ store: StoreReader
    ) throws(StorageError) {
        guard stream.characteristic.isStreaming else { return }
        var undecided: [SummarySource.Part: Set<Modality>] = [:]
        var run = SummaryRun()
        try source.forEach(of: stream, from: first, until: end) { part, modality, statistics in
            if let statistics, let bucket = query.bucket(of: part.quarter),
                case .some(let group) = query.group(stream, part.quarter, origins: part.origins)
            {
                guard let group else { return }
                if let ended = run.add(statistics, group, bucket) { add(ended) }
            } else {
                undecided[part, default: []].insert(modality)
            }
        }
        if let ended = run.end() { add(ended) }
        for (part, modalities) in undecided {
            try decode(part, modalities, of: stream, store)
        }
    }

    private mutating func add(_ run: SummaryRun.Ended) {
        result.withBucket(run.group, run.bucket, query) { $0.statistics.add(run.statistics) }
    }

    private mutating func decode(
        _ part: SummarySource.Part, _ modalities: Set<Modality>, of stream: Stream,
        _ store: StoreReader
    ) throws(StorageError) {
        guard mayMatter(part) else { return }
        guard let row = try store.blocks.part(of: stream.id, part.quarter, seq0: part.seq0) else {
            return result.lost += part.count
        }
        guard let columns = try store.blocks.decoded(row)?.columns else { return }
        var decoder = ValueDecoder(
            stream.characteristic, query.type, in: query.unit, modalities, query.qualities)
        var values: [ValueDecoder.Value] = []
        for index in 0..<columns.count where columns.seqs[index] <= query.newest {
            values.removeAll(keepingCapacity: true)
            decoder.append(
                columns.octets.span.extracting(columns.bounds[index]..<columns.bounds[index + 1]),
                to: &values)
            let origin = ReadingFlags(rawValue: Int(columns.flags[index])).origin
            for value in values {
                let place = SamplePlace(
                    time: columns.times[index], seq: columns.seqs[index], index: value.index)
                count(value.number, at: place, of: stream, origin)
            }
        }
    }

    /// Whether some of a quarter lies in a bucket.
    private func mayMatter(_ part: SummarySource.Part) -> Bool {
        let (first, last) = query.samples.milliseconds
        return part.quarter.end.milliseconds > first && part.quarter.start.milliseconds <= last
    }
}

/// Adds up summaries that follow each other in one bucket, so that it is looked up once.
private struct SummaryRun {
    struct Ended {
        let statistics: Statistics
        let group: StatisticsGroup
        let bucket: Int
    }

    private var statistics = Statistics()
    private var place: (group: StatisticsGroup, bucket: Int)?

    /// Adds a summary; returns what ends with that.
    mutating func add(_ other: Statistics, _ group: StatisticsGroup, _ bucket: Int) -> Ended? {
        guard let place, place.bucket == bucket, place.group == group else {
            let ended = end()
            (statistics, place) = (other, (group, bucket))
            return ended
        }
        statistics.add(other)
        return nil
    }

    /// Ends what was added up.
    mutating func end() -> Ended? {
        guard let place else { return nil }
        self.place = nil
        return Ended(statistics: statistics, group: place.group, bucket: place.bucket)
    }
}

extension StoreReader {
    /// When the row of a stream was measured that is `count` rows behind the first one at or behind an
    /// instant; nil if there are not so many.
    func row(
        _ count: Int, of stream: Stream, from start: Instant
    ) throws(StorageError) -> Instant? {
        let statement = try database.prepare(
            """
            SELECT coalesce(start, at) FROM reading INDEXED BY reading_time
            WHERE stream = ? AND coalesce(start, at) >= ?
            ORDER BY coalesce(start, at) LIMIT 1 OFFSET ?
            """)
        try statement.bind(1, stream.id)
        try statement.bind(2, start.milliseconds)
        try statement.bind(3, Int64(count))
        return try statement.step() ? Instant(milliseconds: statement.int64(0)) : nil
    }

    /// Goes through the rows of a stream from one ms to another, up to a seq.
    func forEachRow(
        of stream: Stream, from first: Int64, to last: Int64, until newest: Int64,
        _ body: (Reading) -> Void
    ) throws(StorageError) {
        let statement = try database.prepare(
            """
            SELECT \(Reading.columns) FROM reading INDEXED BY reading_time
            WHERE stream = ? AND coalesce(start, at) BETWEEN ? AND ? AND seq <= ?
            """)
        try statement.bind(1, stream.id)
        try statement.bind(2, first)
        try statement.bind(3, last)
        try statement.bind(4, newest)
        while try statement.step() { body(Reading(statement, stream: stream.id)) }
    }
}
