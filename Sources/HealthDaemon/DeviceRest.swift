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
    }

    /// The next span that holds something, whatever can be read of it; nil if there is nothing more.
    mutating func next(
        of query: SampleQuery, _ store: StoreReader
    ) throws(AnswerError) -> Span? {
        let first = from ?? query.start ?? Instant.range.lowerBound
        let (streams, found) = try asking { () throws(StorageError) in
            let streams = try store.streams().filter { $0.device.id == query.device }.map(\.id)
            return (
                streams, try store.firstQuarter(of: streams, from: first, until: query.newest)
            )
        }
        guard let start = found.map({ max($0, first) }) else { return nil }
        let end = min(start.advanced(byMilliseconds: Self.longest), bound(start, query))
        guard start < end else { return nil }
        from = end
        return Span(streams: streams, interval: DateInterval(start: start, end: end))
    }

    /// What is measured after the request is not deleted with what was there.
    private func bound(_ start: Instant, _ query: SampleQuery) -> Instant {
        let end = query.end ?? start.advanced(byMilliseconds: Self.longest)
        return start <= now ? min(end, now.advanced(byMilliseconds: 1)) : end
    }
}
