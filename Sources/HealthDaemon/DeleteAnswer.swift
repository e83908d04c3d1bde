internal import ControlProtocol
internal import JSON
internal import Measurements
internal import Samples
internal import Storage

/// The answer to `delete`: finds the readings page by page, and has the writer delete them.
///
/// The samples of one packet belong together: whole readings go. What goes is what matched when the
/// request came; what somebody else deletes meanwhile is theirs and not counted here.
struct DeleteAnswer: WritingAnswer {
    private let isDryRun: Bool
    private let request: SampleRequest?
    private var ids: ArraySlice<Int64>
    private var scan: SampleScan?
    private var lastSeq: Int64?
    /// What goes in spans once it has become too much; nil where readings are picked out.
    private var rest: DeviceRest?
    /// Blocks that could not be read.
    private var damaged: Set<DamagedBlock> = []
    private var tally = DeletionTally()
    private var isFlushed = false
    private var seq: Int64 = 0

    /// Readings deleted in one transaction: the writer has other work.
    private static let batch = 500

    init(_ request: Request, _ context: RequestContext) throws(ProtocolError) {
        isDryRun = try YesNo.value(request, "dry-run")
        let ids = try SampleID.all(request.arguments)
        self.ids = ids.map(\.first)[...]
        guard ids.isEmpty else {
            self.request = nil
            return
        }
        var samples = try SampleRequest(request, context)
        // Without types a device is to go, with whatever came from it.
        if request.arguments.isEmpty { samples.widen(request) }
        self.request = samples
        rest = DeviceRest(request, at: context.now)
    }

    mutating func nextPart(
        from store: StoreReader, now: Instant
    ) throws(AnswerError) -> AnswerPart {
        if isDryRun { return rest == nil ? try countedFound(store) : try countedSpan(store) }
        if tally.readings < DeviceRest.toldOneByOne || rest == nil {
            let readings = try chosen(store).map(\.0.seq)
            if !readings.isEmpty { return AnswerPart(after: .delete(readings), then: self) }
        }
        if let span = try nextSpan(store) {
            return AnswerPart(after: .deleteSpan(streams: span.streams, span.interval), then: self)
        }
        return isFlushed ? try end(store) : AnswerPart(after: .checkpoint, then: self)
    }

    /// Counts the next readings that are picked out.
    private mutating func countedFound(_ store: StoreReader) throws(AnswerError) -> AnswerPart {
        let readings = try chosen(store)
        for (reading, stream) in readings {
            let samples = DecodedPacket.samples(of: reading.octets, stream.characteristic)
            tally += DeletionTally(ofOne: samples)
        }
        return readings.isEmpty ? try end(store) : AnswerPart(then: self)
    }

    /// Counts the next span of a device that is to go.
    private mutating func countedSpan(_ store: StoreReader) throws(AnswerError) -> AnswerPart {
        guard let span = try nextSpan(store) else { return try end(store) }
        tally += try asking { () throws(StorageError) in
            try store.tally(
                streams: span.streams, from: span.interval.start, until: span.interval.end)
        }
        damaged.formUnion(store.takeMissed())
        return AnswerPart(then: self)
    }

    mutating func take(_ result: StoreResult) {
        switch result {
        case .deleted(let part): tally += part
        case .done(let seq):
            isFlushed = true
            self.seq = seq
        case .going: break
        }
    }

    private mutating func chosen(_ store: StoreReader) throws(AnswerError) -> [(Reading, Stream)] {
        request == nil ? try named(store) : try found(store)
    }

    /// The next readings that were named by id.
    private mutating func named(
        _ store: StoreReader
    ) throws(AnswerError) -> [(Reading, Stream)] {
        var readings: [(Reading, Stream)] = []
        while let id = ids.popFirst() {
            let reading = try asking { () throws(StorageError) in try store.reading(first: id) }
            guard let reading else { throw .request(SampleID.unknown("\(id)")) }
            readings.append(reading)
        }
        return readings
    }

    /// The next readings that hold a sample of the query; a query by page never sees one twice.
    private mutating func found(
        _ store: StoreReader
    ) throws(AnswerError) -> [(Reading, Stream)] {
        if scan == nil { scan = try firstScan(store) }
        guard var scan else { return [] }
        defer { self.scan = scan }
        var readings: [(Reading, Stream)] = []
        while readings.isEmpty, !scan.isDone {
            for sample in try scan.nextPage(store, size: Self.batch).samples
            where sample.reading.seq != lastSeq {
                lastSeq = sample.reading.seq
                readings.append((sample.reading, sample.stream))
            }
            damaged.formUnion(scan.damaged)
        }
        return readings
    }

    /// The next span of a device that is to go, with all that is left in it; nil where there is none, or
    /// readings are picked out.
    private mutating func nextSpan(
        _ store: StoreReader
    ) throws(AnswerError) -> DeviceRest.Span? {
        guard var rest else { return nil }
        if scan == nil { scan = try firstScan(store) }
        guard let query = scan?.query else { return nil }
        defer { self.rest = rest }
        return try rest.next(of: query, store)
    }

    private func firstScan(_ store: StoreReader) throws(AnswerError) -> SampleScan {
        guard let request else { preconditionFailure("a scan needs a query") }
        var query = request.query
        query.newest = try asking { () throws(StorageError) in try store.newestSeq() }
        try DeviceChoice(request, store).apply(to: &query)
        return SampleScan(query, after: nil, limit: nil)
    }

    private func end(_ store: StoreReader) throws(AnswerError) -> AnswerPart {
        let left = try asking { () throws(StorageError) in try store.present(Array(damaged)) }
        var json = JSONWriter()
        json.object { json in
            json.member("class", "deleted")
            json.member("readings", tally.readings)
            json.member("samples", tally.samples)
            json.object("types") { json in
                for type in SampleType.allCases {
                    if let count = tally.types[type] { json.member(type.rawValue, count) }
                }
            }
            if isDryRun { json.member("dryRun", true) }
        }
        json.endLine()
        var details = [(key: "n", value: "\(tally.readings)")] + Set(left).endDetails
        if !isDryRun { details.append((key: "seq", value: "\(seq)")) }
        return AnswerPart(last: json.octets, details)
    }
}

/// The id of a sample: `<first seq>.<place in the packet>`, or of its reading: `<first seq>`.
struct SampleID: Equatable {
    /// The first seq of the reading.
    let first: Int64
    /// The place in the packet; nil for the whole reading.
    let index: Int?

    /// The id that a text writes; nil if it is none.
    init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count <= 2, let first = Int64(parts[0]), first > 0 else { return nil }
        self.first = first
        index = parts.count == 2 ? Int(parts[1]) : nil
        if parts.count == 2, index == nil { return nil }
    }

    /// The ids among arguments; none where the first argument is no id.
    ///
    /// - Throws: `bad-value` where ids and types are mixed.
    static func all(_ arguments: [String]) throws(ProtocolError) -> [SampleID] {
        guard let first = arguments.first, SampleID(first) != nil else { return [] }
        var ids: [SampleID] = []
        for argument in arguments {
            guard let id = SampleID(argument) else {
                throw ProtocolError(
                    .badValue, "`\(argument)` is no id such as 812.0; ids and types do not mix")
            }
            if !ids.contains(where: { $0.first == id.first }) { ids.append(id) }
        }
        return ids
    }

    /// The failure for an id that there is none of.
    static func unknown(_ id: String) -> ProtocolError {
        ProtocolError(.noSuchSample, "there is no sample `\(id)`; it may have been deleted")
            .with("id", id)
    }
}

/// Keys that are yes or no.
enum YesNo {
    /// The value of a key; no where it is missing.
    static func value(_ request: Request, _ key: String) throws(ProtocolError) -> Bool {
        switch request[key] {
        case nil, "no": return false
        case "yes": return true
        case let value?:
            throw ProtocolError(.badValue, "`\(key)=` is yes or no, not `\(value)`")
                .with("key", key)
        }
    }
}
