internal import Measurements
internal import Samples

/// Merges the readings of several streams into one page of samples.
struct PageBuilder {
    private let query: SampleQuery
    private let position: SamplePosition?
    private let limit: Int
    private let isCount: Bool
    private let wanted: WantedSamples
    private var page = StoreReader.Page()
    private var rows = 0

    /// A builder of a page of at most `limit` samples, which are only counted where `isCount`.
    init(_ query: SampleQuery, _ position: SamplePosition?, limit: Int, isCount: Bool = false) {
        self.query = query
        self.position = position
        self.limit = limit
        self.isCount = isCount
        wanted = WantedSamples(query)
    }

    /// The page that the cursors' rows give.
    consuming func build(from cursors: [ReadingCursor]) throws(StorageError) -> StoreReader.Page {
        while let cursor = next(of: cursors), let reading = cursor.head {
            guard rows < StoreReader.pageRows, append(reading, cursor) else { return page }
            rows += 1
            try cursor.advance()
        }
        page.next = nil
        return page
    }

    /// The cursor whose head comes first.
    private func next(of cursors: [ReadingCursor]) -> ReadingCursor? {
        var first: (cursor: ReadingCursor, time: Instant, seq: Int64)?
        for cursor in cursors {
            guard let head = cursor.head else { continue }
            let time = cursor.time(of: head)
            if let best = first, !precedes((time, head.seq), (best.time, best.seq)) { continue }
            first = (cursor, time, head.seq)
        }
        return first?.cursor
    }

    private func precedes(_ left: (Instant, Int64), _ right: (Instant, Int64)) -> Bool {
        query.order == .ascending ? left < right : left > right
    }

    /// Appends a reading's samples; false when one does not fit.
    private mutating func append(_ reading: Reading, _ cursor: ReadingCursor) -> Bool {
        let time = cursor.time(of: reading)
        for sample in samples(of: reading, cursor.stream) {
            if isBehindPosition(sample, reading), matches(sample, cursor.stream, reading) {
                guard take(sample, reading, cursor.stream) else { return false }
            }
            page.next = SamplePosition(time: time, seq: reading.seq, index: sample.index)
        }
        page.next = SamplePosition(time: time, seq: reading.seq, index: query.lastIndex)
        return true
    }

    /// Puts a sample on the page, or counts why not; false when it does not fit.
    private mutating func take(
        _ sample: Sample, _ reading: Reading, _ stream: Stream
    ) -> Bool {
        guard meetsCondition(sample) else { return true }
        guard wanted.contains(sample.quality) else {
            page.excluded += 1
            return true
        }
        page.isFull = page.count >= limit
        guard !page.isFull else { return false }
        page.count += 1
        if !isCount { page.samples.append(stored(sample, reading, stream)) }
        return true
    }

    /// The samples of one reading in the order of the query.
    private func samples(of reading: Reading, _ stream: Stream) -> [Sample] {
        let samples = DecodedPacket.samples(of: reading.octets, stream.characteristic)
        return query.order == .ascending ? samples : samples.reversed()
    }

    private func isBehindPosition(_ sample: Sample, _ reading: Reading) -> Bool {
        guard let position, position.seq == reading.seq else { return true }
        return query.order == .ascending
            ? sample.index > position.index : sample.index < position.index
    }

    private func matches(_ sample: Sample, _ stream: Stream, _ reading: Reading) -> Bool {
        wanted.contains(sample)
            && (query.origin.map { $0 == reading.flags.origin } ?? true)
            && (query.subject.map { $0 == stream.device.subject(at: reading.measuredFrom) }
                ?? true)
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
            reading: reading, sample: sample, device: stream.device, stream: stream,
            subject: stream.device.subject(at: reading.measuredFrom))
    }
}

extension SampleQuery {
    /// An index behind all samples of a reading.
    fileprivate var lastIndex: Int { order == .ascending ? .max : .min }
}

/// The types, modalities and qualities of a query as bits, since every sample is asked for them.
private struct WantedSamples {
    private let types: Int
    private let modalities: Int
    private let qualities: Int

    init(_ query: SampleQuery) {
        types = query.types.reduce(0) { $0 | 1 << $1.place }
        modalities = query.modalities.reduce(0) { $0 | 1 << $1.place }
        qualities = query.qualities.reduce(0) { $0 | 1 << $1.place }
    }

    func contains(_ sample: Sample) -> Bool {
        types & 1 << sample.type.place != 0 && modalities & 1 << sample.modality.place != 0
    }

    func contains(_ quality: Quality) -> Bool { qualities & 1 << quality.place != 0 }
}

extension Modality {
    fileprivate var place: Int {
        switch self {
        case .spot: 0
        case .continuous: 1
        case .fast: 2
        case .slow: 3
        case .intermediate: 4
        case .final: 5
        case .strap: 6
        case .imported: 7
        }
    }
}

extension Quality {
    fileprivate var place: Int {
        switch self {
        case .ok: 0
        case .questionable: 1
        case .outOfRange: 2
        case .invalid: 3
        case .demo: 4
        case .absent: 5
        }
    }
}
