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

    /// The page that the sources' readings give.
    consuming func build(from sources: [any ReadingSource]) throws(StorageError) -> StoreReader.Page
    {
        while let source = next(of: sources), let upcoming = source.upcoming {
            guard rows < StoreReader.pageRows else {
                page.next = position(before: upcoming)
                return page
            }
            if case .reading(let reading, let time) = upcoming {
                guard append(reading, time, source.stream) else { return page }
            }
            rows += 1
            try source.advance()
        }
        page.next = nil
        return page
    }

    /// The source that has what comes first.
    private func next(of sources: [any ReadingSource]) -> (any ReadingSource)? {
        var first: (source: any ReadingSource, key: (Instant, Int64))?
        for source in sources {
            guard let upcoming = source.upcoming else { continue }
            let key = key(of: upcoming)
            if let best = first, !precedes(key, best.key) { continue }
            first = (source, key)
        }
        return first?.source
    }

    /// The time and the seq that something is ordered by.
    private func key(of upcoming: UpcomingReading) -> (Instant, Int64) {
        switch upcoming {
        case .reading(let reading, let time): (time, reading.seq)
        case .nothingBefore(let time): (time, query.order == .ascending ? .min : .max)
        }
    }

    private func position(before upcoming: UpcomingReading) -> SamplePosition {
        let (time, seq) = key(of: upcoming)
        return SamplePosition(time: time, seq: seq, index: query.firstIndex)
    }

    private func precedes(_ left: (Instant, Int64), _ right: (Instant, Int64)) -> Bool {
        query.order == .ascending ? left < right : left > right
    }

    /// Appends a reading's samples; false when one does not fit.
    private mutating func append(
        _ reading: Reading, _ time: Instant, _ stream: Stream
    ) -> Bool {
        for sample in samples(of: reading, stream) {
            if isBehindPosition(sample, reading), matches(sample, stream, reading) {
                guard take(sample, reading, stream) else { return false }
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
    /// An index before all samples of a reading.
    fileprivate var firstIndex: Int { order == .ascending ? .min : .max }

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
