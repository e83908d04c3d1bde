internal import ControlProtocol
internal import JSON
internal import Measurements
internal import Samples
internal import Storage

/// The answer to `stats` and `series`: a header, then a line for each piece and group.
///
/// The header says how many samples their quality left out, so that all is counted before it is said.
struct StatisticsAnswer: Answer {
    private let request: StatisticsRequest
    private var phase = Phase.beginning

    private enum Phase: Sendable {
        /// Nothing has been read.
        case beginning
        /// Some pieces are counted.
        case counting(StatisticsCount)
        /// Some lines are out.
        case printing(StatisticsTable, next: Int)
    }

    /// Steps of one part, so that a hang-up is noticed soon.
    private static let stepsAtOnce = 8
    /// Lines of one part: with many functions they fill half of a connection's output.
    private static let linesAtOnce = 250

    init(_ request: Request, _ context: RequestContext) throws(ProtocolError) {
        self.request = try StatisticsRequest(request, context)
    }

    mutating func nextPart(
        from store: StoreReader, now: Instant
    ) throws(AnswerError) -> AnswerPart {
        switch phase {
        case .beginning:
            phase = .counting(try firstCount(store))
            return AnswerPart(then: self)
        case .counting(var count):
            for _ in 0..<Self.stepsAtOnce where !count.isDone { try count.proceed(store) }
            guard count.isDone else {
                phase = .counting(count)
                return AnswerPart(then: self)
            }
            let table = try StatisticsTable(request, count, store)
            phase = .printing(table, next: 0)
            return AnswerPart(table.header, then: self)
        case .printing(let table, let next):
            let end = min(next + Self.linesAtOnce, table.rows.count)
            let text = table.text(of: table.rows[next..<end])
            guard end == table.rows.count else {
                phase = .printing(table, next: end)
                return AnswerPart(text, then: self)
            }
            return AnswerPart(last: text, table.endDetails)
        }
    }

    private func firstCount(_ store: StoreReader) throws(AnswerError) -> StatisticsCount {
        var query = request.samples.query
        query.newest = try asking { () throws(StorageError) in try store.newestSeq() }
        try DeviceChoice(request.samples, store).apply(to: &query)
        var question = request.query(try buckets(of: query, store), query)
        if request.type.isCumulative { question.priority = try priority(store) }
        return StatisticsCount(question)
    }

    private func priority(_ store: StoreReader) throws(AnswerError) -> [Int64] {
        let devices = try asking { () throws(StorageError) in try store.devices() }
        return request.priority.order(of: devices, request.samples.names)
    }

    /// The pieces that get an answer; where the interval has no end, as far as there are readings.
    private func buckets(
        of query: SampleQuery, _ store: StoreReader
    ) throws(AnswerError) -> [DateInterval] {
        let (first, last) = (Instant.range.lowerBound, Instant.range.upperBound)
        guard let bucket = request.bucket else {
            return [DateInterval(start: query.start ?? first, end: query.end ?? last)]
        }
        let span = try asking { () throws(StorageError) in try store.span(of: query) }
        guard let span else { return [] }
        let whole = request.samples.zone.whole(bucket.size, around: span)
        let interval = DateInterval(
            start: query.start ?? whole.start, end: query.end ?? whole.end)
        let buckets = request.samples.zone.buckets(
            bucket.size, of: interval,
            limit: request.fillsGaps ? StatisticsCount.mostRows : StatisticsCount.mostBuckets)
        guard let buckets else { throw .request(StatisticsCount.tooMuch) }
        return buckets
    }
}

/// Counts piece after piece, some at a time, and keeps of each but the answers.
struct StatisticsCount: Sendable {
    /// The question about all pieces.
    let query: StatisticsQuery
    private var scan: StatisticsScan
    /// The place of the first piece that is not counted yet.
    private var next = 0
    /// The answers so far, in the order of the pieces.
    private(set) var rows: [StatisticsRow] = []
    /// Samples that their quality left out.
    private(set) var excluded = 0
    /// Samples that only summaries are left of, which an edge cuts.
    private(set) var unsplit = 0
    /// The damaged blocks that were met.
    private(set) var damaged: Set<DamagedBlock> = []

    /// Rows of an answer: more than the quarter hours of a year, in some 10 MB.
    static let mostRows = 50_000
    /// Pieces that are looked at where only those with values make a row: quarter hours of seven years,
    /// or hours of 28, in 4 MB.
    static let mostBuckets = 250_000
    /// Pieces that are counted together: their counts take some 1,000 octets each.
    private static let bucketsAtOnce = 256

    /// Nothing is counted yet.
    init(_ query: StatisticsQuery) {
        self.query = query
        scan = StatisticsScan(query.about(query.buckets.prefix(Self.bucketsAtOnce)))
    }

    /// Whether all pieces are counted.
    var isDone: Bool { next >= query.buckets.count }

    /// Looks at some more quarters.
    mutating func proceed(_ store: StoreReader) throws(AnswerError) {
        try asking { () throws(StorageError) in try scan.proceed(store) }
        damaged.formUnion(store.takeMissed())
        guard scan.isDone else { return }
        try take(scan.result)
        next += Self.bucketsAtOnce
        scan = StatisticsScan(query.about(query.buckets.dropFirst(next).prefix(Self.bucketsAtOnce)))
    }

    private mutating func take(_ result: StatisticsResult) throws(AnswerError) {
        unsplit += result.lost
        var found: [StatisticsRow] = []
        for (group, buckets) in result.groups {
            for (place, bucket) in buckets {
                excluded += bucket.statistics.excluded
                found.append(StatisticsRow(next + place, group, bucket, query.functions))
            }
        }
        rows += found.sorted { $0.order < $1.order }
        guard rows.count <= Self.mostRows else { throw .request(Self.tooMuch) }
    }

    /// What is said where there are too many rows.
    static let tooMuch = ProtocolError(
        .resultTooLarge,
        "that makes more than \(mostRows) lines; ask for a shorter interval or longer buckets")
}

/// The answers for one piece and group.
struct StatisticsRow: Sendable {
    /// The place of the piece among all.
    let place: Int
    /// What the samples have in common.
    let group: StatisticsGroup
    /// How many values there are.
    let count: Int
    /// How many samples their quality left out.
    let excluded: Int
    /// The answers, one for each function.
    let answers: [DecimalNumber?]

    /// What is known of one piece.
    init(
        _ place: Int, _ group: StatisticsGroup, _ bucket: StatisticsResult.Bucket,
        _ functions: [StatisticFunction]
    ) {
        (self.place, self.group) = (place, group)
        count = bucket.statistics.count
        excluded = bucket.statistics.excluded
        answers = functions.map(bucket.answer)
    }

    /// A piece without samples.
    init(_ place: Int, _ group: StatisticsGroup, without functions: [StatisticFunction]) {
        (self.place, self.group) = (place, group)
        (count, excluded) = (0, 0)
        answers = functions.map { $0 == .count ? DecimalNumber(0) : nil }
    }

    /// Where it stands among others.
    var order: (Int, Int64, String) {
        switch group {
        case .all: (place, 0, "")
        case .device(let id): (place, id, "")
        case .subject(let name): (place, 0, name)
        case .source(let origin): (place, Int64(origin.rawValue), "")
        }
    }
}
