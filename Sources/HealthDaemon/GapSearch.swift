internal import Measurements
internal import Samples
internal import Storage

/// A walk through one stream, or through the ledger of one device, for the gaps in it.
struct GapSearch: Sendable {
    /// What is looked through, and for what.
    struct Span: Sendable {
        let start: Instant
        let end: Instant
        /// The shortest silence that is told, in ms.
        let least: Int64
    }

    private enum State: Sendable {
        case ledger(OutageFinder, from: Instant)
        case stream(SampleScan, SilenceFinder, isLive: Bool)
        case beginning
        case done
    }

    private let span: Span
    /// The device; nil for what concerns all of them.
    let device: Device?
    /// The type of a stream; nil for the ledger.
    let type: SampleType?
    private var state = State.beginning

    /// How far before a silence its cause may be noted, in ms: clocks of two processes differ little.
    private static let slack: Int64 = 2000
    /// Entries that are looked at for one silence.
    private static let entryLimit = 200
    /// Entries before the span that tell how things stood when it began.
    private static let historyLimit = 200

    /// A walk that has not begun.
    init(_ span: Span, of device: Device?, type: SampleType? = nil) {
        self.span = span
        self.device = device
        self.type = type
    }

    /// Whether everything was gone through.
    var isDone: Bool {
        if case .done = state { true } else { false }
    }

    /// Goes one page further; gives the gaps that end there.
    mutating func advance(_ store: StoreReader) throws(AnswerError) -> [ExplainedGap] {
        switch state {
        case .beginning:
            if let type {
                state = try beginStream(type, store)
            } else {
                state = try beginLedger(store)
            }
            return []
        case .ledger(let finder, let from): return try advanceLedger(finder, from, store)
        case .stream(let scan, let finder, let isLive):
            return try advanceStream(scan, finder, isLive, store)
        case .done: return []
        }
    }
}

// The ledger.
extension GapSearch {
    private func beginLedger(_ store: StoreReader) throws(AnswerError) -> State {
        let before = try asking { () throws(StorageError) in
            try store.newestLedger(of: device?.id, before: span.start, limit: Self.historyLimit)
        }
        var finder = OutageFinder()
        for row in before.reversed() { _ = finder.take(row) }
        return .ledger(finder, from: span.start)
    }

    private mutating func advanceLedger(
        _ finder: OutageFinder, _ from: Instant, _ store: StoreReader
    ) throws(AnswerError) -> [ExplainedGap] {
        var finder = finder
        let rows = try asking { () throws(StorageError) in
            try store.ledger(of: device?.id, from: from, until: span.end)
        }
        guard rows.count == StoreReader.ledgerPage, let last = rows.last, last.at > from else {
            state = .done
            return rows.flatMap { finder.take($0) } + finder.rest
        }
        // Those of the last millisecond may go on behind the page: they are read again.
        let gaps = rows.filter { $0.at < last.at }.flatMap { finder.take($0) }
        state = .ledger(finder, from: last.at)
        return gaps
    }
}

// The streams.
extension GapSearch {
    private func query(_ type: SampleType, _ store: StoreReader) throws(AnswerError) -> SampleQuery
    {
        var query = SampleQuery(
            types: [type],
            newest: try asking { () throws(StorageError) in try store.newestSeq() })
        query.device = device?.id
        query.modalities = [.continuous, .intermediate, .strap]
        return query
    }

    /// Begins with the last value before the span, so that a silence around its start is seen.
    private func beginStream(
        _ type: SampleType, _ store: StoreReader
    ) throws(AnswerError) -> State {
        var query = try query(type, store)
        query.end = span.start
        query.order = .descending
        let last = try asking { () throws(StorageError) in
            try store.page(of: query, after: nil, limit: 1).samples.first
        }
        var finder = SilenceFinder(least: span.least)
        if let last { _ = finder.take(last.reading.measuredFrom, reason: nil) }
        query.start = span.start
        query.end = span.end
        query.order = .ascending
        query.qualities = Set(Quality.allCases)
        let isLive = last?.reading.flags.origin == .ble
        return .stream(SampleScan(query, after: nil, limit: nil), finder, isLive: isLive)
    }

    private mutating func advanceStream(
        _ scan: SampleScan, _ finder: SilenceFinder, _ wasLive: Bool, _ store: StoreReader
    ) throws(AnswerError) -> [ExplainedGap] {
        var (scan, finder, isLive) = (scan, finder, wasLive)
        let page = try scan.nextPage(store, size: StoreReader.pageRows)
        var gaps: [ExplainedGap] = []
        for sample in page.samples {
            let silence = finder.take(sample.reading.measuredFrom, reason: sample.reasonOfAbsence)
            isLive = sample.reading.flags.origin == .ble
            if let silence { gaps.append(try explained(silence, isLive, store)) }
        }
        state = scan.isDone ? .done : .stream(scan, finder, isLive: isLive)
        // A recording ends without a gap.
        guard scan.isDone, isLive, let rest = finder.rest(until: span.end) else { return gaps }
        return gaps + [try explained(rest, isLive, store)]
    }

    private func explained(
        _ silence: Silence, _ isLive: Bool, _ store: StoreReader
    ) throws(AnswerError) -> ExplainedGap {
        let start = silence.start.advanced(byMilliseconds: -Self.slack)
        let end = silence.end ?? span.end
        var rows: [LedgerRow] = []
        for device in Set([nil, device?.id]) {
            rows += try asking { () throws(StorageError) in
                try store.ledger(of: device, from: start, until: end, limit: Self.entryLimit)
            }
        }
        return ExplainedGap(silence, rows.sorted { $0.at < $1.at }, isLive: isLive)
    }
}

extension StoredSample {
    /// What the packet says in place of a value; nil if it holds one that can be relied on.
    fileprivate var reasonOfAbsence: String? {
        guard !Quality.standard.contains(sample.quality) else { return nil }
        return sample.absent ?? sample.quality.rawValue
    }
}
