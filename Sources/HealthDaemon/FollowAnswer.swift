internal import ControlProtocol
internal import JSON
internal import Measurements
internal import Samples
internal import Storage

/// Where in the feed a client begins.
enum FeedStart: Equatable, Sendable {
    /// With everything.
    case start
    /// With what comes from now on.
    case now
    /// Behind an anchor.
    case anchor(Int64)

    /// What `since=` says.
    ///
    /// - Throws: `bad-value`, or `anchor-foreign` for the anchor of another store.
    init(_ text: String?, epoch: String, canBeNow: Bool) throws(ProtocolError) {
        switch text {
        case "start": self = .start
        case "now" where canBeNow: self = .now
        case nil where canBeNow: self = .now
        case let text?: self = .anchor(try Self.seq(text, epoch))
        case nil:
            throw ProtocolError(.badValue, "`since=` is an anchor or start")
                .with("key", "since")
        }
    }

    private static func seq(_ text: String, _ epoch: String) throws(ProtocolError) -> Int64 {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, let seq = Int64(parts[1]), seq >= 0 else {
            throw ProtocolError(
                .badValue, "`since=` is an anchor such as \(epoch):0, not `\(text)`"
            ).with("key", "since")
        }
        guard parts[0] == epoch else { throw foreign }
        return seq
    }

    fileprivate static let foreign = ProtocolError(
        .anchorForeign,
        "the anchor is from another store, or one that was put back; begin with since=start")

    /// The place in the feed, once it is known how far the store is.
    func position(newest: Int64) throws(AnswerError) -> FeedPosition {
        switch self {
        case .start: return FeedPosition(after: 0)
        case .now: return FeedPosition(after: newest)
        case .anchor(let seq):
            guard seq <= newest else { throw .request(Self.foreign) }
            return FeedPosition(after: seq)
        }
    }
}

/// The answer to `changes` and `follow`: what happened to samples, in the order of commits.
///
/// A follower is this value: a filter and a position. It can be slow for a week and costs nothing.
struct FollowAnswer: Answer {
    private let filter: FeedFilter
    private let zone: Zone
    private let epoch: String
    private var start: FeedStart
    private let limit: Int?
    /// How often a follower is told that it still follows, in ms; nil for `changes`, which ends.
    let heartbeat: Int64?
    private var position: FeedPosition?
    private var count = 0

    /// Readings and changes of one part: as JSON they fill half of a connection's output.
    private static let partRows = 50

    init(_ request: Request, _ context: RequestContext) throws(ProtocolError) {
        let isFollow = request.verb == "follow"
        let common = try SampleRequest(request, context)
        var filter = FeedFilter(types: common.query.types)
        filter.modalities = common.query.modalities
        filter.qualities = common.query.qualities
        self.filter = filter
        zone = common.zone
        epoch = context.writer.epoch
        start = try FeedStart(request["since"], epoch: epoch, canBeNow: isFollow)
        limit = try WholeNumber.positive(request, "limit")
        heartbeat = isFollow ? try Self.heartbeat(request) : nil
    }

    private static func heartbeat(_ request: Request) throws(ProtocolError) -> Int64 {
        let seconds = try WholeNumber.positive(request, "heartbeat") ?? 15
        guard seconds <= 3600 else {
            throw ProtocolError(.range, "`heartbeat=` is at most 3600 seconds")
                .with("key", "heartbeat")
        }
        return Int64(seconds) * 1000
    }

    mutating func nextPart(
        from store: StoreReader, now: Instant
    ) throws(AnswerError) -> AnswerPart {
        let newest = try asking { () throws(StorageError) in try store.newestSeq() }
        if position == nil { position = try start.position(newest: newest) }
        start = .now  // it makes no difference any more
        let from = position ?? FeedPosition(after: newest)
        let page = try asking { () throws(StorageError) in
            try store.feed(filter, after: from, rows: Self.partRows)
        }
        let text = lines(of: page)
        if let limit, count >= limit, position?.inside == nil {
            return end(text, more: !(page.isEnd && isWhole(page)))
        }
        if page.isEnd, heartbeat == nil { return end(text, more: false) }
        let records = heartbeat == nil ? 0 : takeCount()
        var part = page.isEnd ? AnswerPart(text, waiting: self) : AnswerPart(text, then: self)
        part.records = records
        return part
    }

    /// Gives the count away, since a follow's records are counted where they go to.
    private mutating func takeCount() -> Int {
        defer { count = 0 }
        return count
    }

    /// Takes the records of a page over, at most as many as are wanted, whole seqs.
    private mutating func lines(of page: StoreReader.FeedPage) -> [UInt8] {
        var json = JSONWriter()
        var last = seqBegun
        for record in page.records {
            if let limit, count >= limit, record.seq != last {
                position = FeedPosition(after: last ?? record.seq - 1)
                return json.octets
            }
            FeedLine(record).write(to: &json, zone)
            json.endLine()
            count += 1
            last = record.seq
        }
        position = page.next
        return json.octets
    }

    /// The seq of which some records were told already, and not all.
    private var seqBegun: Int64? {
        position.flatMap { $0.inside == nil ? nil : $0.seq + 1 }
    }

    private func isWhole(_ page: StoreReader.FeedPage) -> Bool { position == page.next }

    private func end(_ text: [UInt8], more: Bool) -> AnswerPart {
        AnswerPart(
            last: text,
            [
                (key: "n", value: "\(count)"), (key: "more", value: more ? "1" : "0"),
                (key: "anchor", value: anchor),
            ])
    }

    /// How far everything has been told.
    private var anchor: String { "\(epoch):\(position?.seq ?? 0)" }
}

extension FollowAnswer: WaitingAnswer {
    func hasNews(in writer: Writer) -> Bool { position?.seq ?? 0 < writer.committedSeq }

    func hasRest() -> Bool { false }

    func heartbeatLine(_ now: Instant) -> String {
        "# hb t=\(now.text(offset: zone.offset(at: now))) anchor=\(anchor)"
    }

    func endDetails(_ records: Int) -> [(key: String, value: String)] {
        [(key: "n", value: "\(records)"), (key: "anchor", value: anchor)]
    }
}

extension FollowAnswer: Hashable {
    /// Followers that differ in nothing get the same lines.
    func hash(into hasher: inout Hasher) { hasher.combine(position?.seq) }
}

/// One record of the feed as the socket writes it.
struct FeedLine {
    private let record: FeedRecord

    init(_ record: FeedRecord) {
        self.record = record
    }

    func write(to json: inout JSONWriter, _ zone: Zone) {
        switch record.event {
        case .added(let stored): write(stored, "add", to: &json, zone)
        case .updated(let stored): write(stored, "update", to: &json, zone)
        case .deleted(let sample):
            json.object { json in
                json.member("class", "delete")
                json.member("id", sample.id)
                json.member("seq", record.seq)
                json.member("type", sample.type.rawValue)
                json.member("start", sample.start, in: zone)
            }
        case .deletedSpan(let span):
            json.object { json in
                json.member("class", "delete")
                json.member("id", "*.\(span.type.place)")
                json.member("seq", record.seq)
                json.member("type", span.type.rawValue)
                json.member("device", span.device.address)
                json.member("start", span.interval.start, in: zone)
                json.member("end", span.interval.end, in: zone)
            }
        }
    }

    private func write(
        _ stored: StoredSample, _ kind: String, to json: inout JSONWriter, _ zone: Zone
    ) {
        var line = SampleLine(stored, in: stored.sample.type.defaultUnit)
        line.seq = record.seq
        line.write(to: &json, as: kind, zone: zone)
    }
}
