internal import ControlProtocol
internal import Measurements
internal import Samples
internal import Storage

/// What is left of a device that is to go with all that came from it.
///
/// A reading that is deleted for itself leaves more in the store than it took: of so many readings only
/// spans are noted.
struct DeviceRest: Sendable {
    /// Readings that the feed tells one by one; what comes after them is told by spans.
    static let toldOneByOne = 10_000

    /// A span is at most as long as the writer can delete while live readings wait.
    private static let longest: Int64 = 86_400_000
    /// What else a request may say: everything of the device goes, in the order of time.
    private static let keys: Set<String> = ["device", "start", "end", "tz", "dry-run"]

    private let now: Instant
    private var from: Instant?

    /// What a request deletes that names no types, and nothing of a sample but its time.
    init?(_ request: Request, at now: Instant) {
        guard request.arguments.isEmpty, request.options.allSatisfy({ Self.keys.contains($0.key) })
        else { return nil }
        self.now = now
    }

    /// What goes at once.
    struct Span {
        /// The store's numbers of the streams.
        let streams: [Int64]
        /// From when until when it was measured.
        let interval: DateInterval

        /// Its deletion.
        var deletion: StoreJob { .deleteSpan(streams: streams, interval) }
    }

    /// The next span that holds something; nil if there is nothing more.
    ///
    /// Blocks that it could not read are added to `damaged`.
    mutating func next(
        of query: SampleQuery, _ store: StoreReader, _ damaged: inout Set<DamagedBlock>
    ) throws(AnswerError) -> Span? {
        guard let found = try first(of: query, store, &damaged) else { return nil }
        let start = max(found, from ?? found)
        let end = min(start.advanced(byMilliseconds: Self.longest), bound(start, query))
        from = end
        let streams = try asking { () throws(StorageError) in try store.streams() }
        return Span(
            streams: streams.filter { $0.device.id == query.device }.map(\.id),
            interval: DateInterval(start: start, end: end))
    }

    /// Where a block lies that cannot be read; of what the request leaves out nothing goes.
    func span(of block: DamagedBlock, _ query: SampleQuery) -> Span {
        let start = max(block.quarter.start, query.start ?? block.quarter.start)
        let end = max(start, min(block.quarter.end, bound(start, query)))
        return Span(streams: [block.stream], interval: DateInterval(start: start, end: end))
    }

    private func first(
        of query: SampleQuery, _ store: StoreReader, _ damaged: inout Set<DamagedBlock>
    ) throws(AnswerError) -> Instant? {
        var query = query
        if let from { query.start = from }
        var scan = SampleScan(query, after: nil, limit: nil)
        defer { damaged.formUnion(scan.damaged) }
        while !scan.isDone {
            if let sample = try scan.nextPage(store, size: 1).samples.first {
                return sample.reading.measuredFrom
            }
        }
        return nil
    }

    /// What is measured after the request is not deleted with what was there.
    private func bound(_ start: Instant, _ query: SampleQuery) -> Instant {
        let end = query.end ?? start.advanced(byMilliseconds: Self.longest)
        return start <= now ? min(end, now.advanced(byMilliseconds: 1)) : end
    }
}
