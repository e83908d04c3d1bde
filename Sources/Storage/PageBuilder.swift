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

    /// The page that the sources' readings give; what takes a step without one counts as a row.
    consuming func build(from sources: [any ReadingSource]) throws(StorageError) -> StoreReader.Page
    {
        while let (source, other) = next(of: sources) {
            while let key = source.key, other.map({ !precedes($0, key) }) ?? true {
                guard rows < StoreReader.pageRows else {
                    page.next = SamplePosition(
                        time: key.time, seq: key.seq, index: query.firstIndex)
                    return page
                }
                if source.hasReading {
                    guard append(source, key) else { return page }
                }
                rows += 1
                try source.advance()
            }
        }
        page.next = nil
        return page
    }

    /// The source that has what comes first, and what comes first in the others; nil at all their ends.
    private func next(
        of sources: [any ReadingSource]
    ) -> (source: any ReadingSource, other: ReadingKey?)? {
        var first: (source: any ReadingSource, key: ReadingKey)?
        var other: ReadingKey?
        for source in sources {
            guard let key = source.key else { continue }
            let isFirst = first.map { precedes(key, $0.key) } ?? true
            let later = isFirst ? first?.key : key
            if isFirst { first = (source, key) }
            if let later { other = other.map { precedes(later, $0) ? later : $0 } ?? later }
        }
        return first.map { ($0.source, other) }
    }

    private func precedes(_ left: ReadingKey, _ right: ReadingKey) -> Bool {
        query.order == .ascending ? left < right : right < left
    }

    /// Appends the samples of a source's reading; false when one does not fit.
    private mutating func append(_ source: any ReadingSource, _ key: ReadingKey) -> Bool {
        let last = SamplePosition(time: key.time, seq: key.seq, index: query.lastIndex)
        defer { if !page.isFull { page.next = last } }
        guard matches(source) else { return true }
        decode(source)
        for place in samples.indices where isBehindPosition(samples[place], key) {
            guard take(samples[place], source) else { return false }
            page.next = SamplePosition(time: key.time, seq: key.seq, index: samples[place].index)
        }
        return true
    }

    /// Puts the samples of a source's reading into `samples`, in the order of the query.
    private mutating func decode(_ source: any ReadingSource) {
        source.read(into: &octets)
        DecodedPacket.decode(octets, source.stream.characteristic, choice, into: &samples)
        if query.order == .descending { samples.reverse() }
    }

    /// Puts a sample on the page, or counts why not; false when it does not fit.
    private mutating func take(_ sample: Sample, _ source: any ReadingSource) -> Bool {
        guard meetsCondition(sample) else { return true }
        guard qualities.contains(sample.quality) else {
            page.excluded += 1
            return true
        }
        page.isFull = page.count >= limit
        guard !page.isFull else { return false }
        page.count += 1
        if !isCount { page.samples.append(stored(sample, source.reading, source.stream)) }
        return true
    }

    private func isBehindPosition(_ sample: Sample, _ key: ReadingKey) -> Bool {
        guard let position, position.seq == key.seq else { return true }
        return query.order == .ascending
            ? sample.index > position.index : sample.index < position.index
    }

    private func matches(_ source: any ReadingSource) -> Bool {
        (query.origin.map { $0 == source.origin } ?? true)
            && (query.subject.map { $0 == source.stream.device.subject(at: source.start) } ?? true)
    }

    private func meetsCondition(_ sample: Sample) -> Bool {
        guard let condition = query.condition else { return true }
        let unit = query.unit(of: sample.type)
        guard let value = unit == sample.unit ? sample.value : sample.value(in: unit) else {
            return false
        }
        return condition.holds(for: value)
    }

    private func stored(_ sample: Sample, _ reading: Reading, _ stream: Stream) -> StoredSample {
        StoredSample(
            reading: reading, sample: sample, stream: stream,
            subject: stream.device.subject(at: reading.measuredFrom))
    }
}

extension SampleQuery {
    /// An index before all samples of a reading.
    fileprivate var firstIndex: Int { order == .ascending ? .min : .max }

    /// An index behind all samples of a reading.
    fileprivate var lastIndex: Int { order == .ascending ? .max : .min }
}
