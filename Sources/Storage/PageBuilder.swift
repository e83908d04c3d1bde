internal import Measurements
internal import Samples

/// Merges the readings of several streams into one page of samples.
struct PageBuilder {
    private let query: SampleQuery
    private let position: SamplePosition?
    private let limit: Int
    private let isCount: Bool
    private let choice: SampleChoice
    private let qualities: QualityChoice
    private var page = StoreReader.Page()
    /// The packet of the reading that is looked at, and its samples; memory is used again.
    private var octets: [UInt8] = []
    private var samples: [Sample] = []
    private var rows = 0

    /// A builder of a page of at most `limit` samples, which are only counted where `isCount`.
    init(_ query: SampleQuery, _ position: SamplePosition?, limit: Int, isCount: Bool = false) {
        self.query = query
        self.position = position
        self.limit = limit
        self.isCount = isCount
        choice = SampleChoice(types: query.types, modalities: query.modalities)
        qualities = QualityChoice(query.qualities)
        page.next = position
        if !isCount { page.samples.reserveCapacity(min(limit, StoreReader.pageRows)) }
    }

    /// The page that the cursors' rows give.
    consuming func build(from cursors: [ReadingCursor]) throws(StorageError) -> StoreReader.Page {
        while let cursor = next(of: cursors), let key = cursor.key {
            guard rows < StoreReader.pageRows, append(cursor, key) else { return page }
            rows += 1
            try cursor.advance()
        }
        page.next = nil
        return page
    }

    /// The cursor whose reading comes first; nil when all are at their ends.
    private func next(of cursors: [ReadingCursor]) -> ReadingCursor? {
        if cursors.count == 1 { return cursors[0] }
        var first: (cursor: ReadingCursor, key: ReadingCursor.Key)?
        for cursor in cursors {
            guard let key = cursor.key else { continue }
            if let best = first?.key, !precedes(key, best) { continue }
            first = (cursor, key)
        }
        return first?.cursor
    }

    private func precedes(_ left: ReadingCursor.Key, _ right: ReadingCursor.Key) -> Bool {
        query.order == .ascending ? left < right : right < left
    }

    /// Appends the samples of a cursor's reading; false when one does not fit.
    private mutating func append(_ cursor: ReadingCursor, _ key: ReadingCursor.Key) -> Bool {
        let last = SamplePosition(time: key.time, seq: key.seq, index: query.lastIndex)
        defer { if !page.isFull { page.next = last } }
        guard matches(cursor) else { return true }
        decode(cursor)
        for place in samples.indices where isBehindPosition(samples[place], key) {
            guard take(samples[place], cursor) else { return false }
            page.next = SamplePosition(time: key.time, seq: key.seq, index: samples[place].index)
        }
        return true
    }

    /// Puts the samples of a cursor's reading into `samples`, in the order of the query.
    private mutating func decode(_ cursor: ReadingCursor) {
        cursor.read(into: &octets)
        DecodedPacket.decode(octets, cursor.stream.characteristic, choice, into: &samples)
        if query.order == .descending { samples.reverse() }
    }

    /// Puts a sample on the page, or counts why not; false when it does not fit.
    private mutating func take(_ sample: Sample, _ cursor: ReadingCursor) -> Bool {
        guard meetsCondition(sample) else { return true }
        guard qualities.contains(sample.quality) else {
            page.excluded += 1
            return true
        }
        page.isFull = page.count >= limit
        guard !page.isFull else { return false }
        page.count += 1
        if !isCount { page.samples.append(stored(sample, cursor.reading, cursor.stream)) }
        return true
    }

    private func isBehindPosition(_ sample: Sample, _ key: ReadingCursor.Key) -> Bool {
        guard let position, position.seq == key.seq else { return true }
        return query.order == .ascending
            ? sample.index > position.index : sample.index < position.index
    }

    private func matches(_ cursor: ReadingCursor) -> Bool {
        (query.origin.map { $0 == cursor.origin } ?? true)
            && (query.subject.map { $0 == cursor.stream.device.subject(at: cursor.start) } ?? true)
    }

    private func meetsCondition(_ sample: Sample) -> Bool {
        guard let condition = query.condition else { return true }
        guard let value = sample.value,
            let converted = sample.unit.convert(value, to: query.unit(of: sample.type))
        else { return false }
        return condition.holds(for: converted)
    }

    private func stored(_ sample: Sample, _ reading: Reading, _ stream: Stream) -> StoredSample {
        StoredSample(
            reading: reading, sample: sample, stream: stream,
            subject: stream.device.subject(at: reading.measuredFrom))
    }
}

extension SampleQuery {
    /// An index behind all samples of a reading.
    fileprivate var lastIndex: Int { order == .ascending ? .max : .min }
}
