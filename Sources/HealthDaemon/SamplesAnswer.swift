internal import ControlProtocol
internal import JSON
internal import Measurements
internal import Samples
internal import Storage

/// The answer to `samples`: a header, a line a sample, and where to go on.
///
/// The header says how many samples their quality left out, so that a long answer is gone through
/// twice: once to count, once to print. Both passes see the set as of one seq.
struct SamplesAnswer: Answer {
    private let request: SampleRequest
    private let epoch: String
    private let format: Format
    private let limit: Int?
    private let cursor: SampleCursor?
    private var phase = Phase.beginning
    private var printed = 0

    private enum Format: String, CaseIterable {
        case json
        case tsv
    }

    /// What lies behind the first page.
    private struct Count: Sendable {
        var excluded: Int
        var samples = 0

        mutating func add(_ page: StoreReader.Page) {
            excluded += page.excluded
            samples += page.count
        }
    }

    private enum Phase: Sendable {
        /// Nothing has been read.
        case beginning
        /// The first page is read; what the rest leaves out is being counted.
        case counting(first: SampleScan, pages: SampleScan, StoreReader.Page, Count)
        /// The header is out.
        case printing(SampleScan)
    }

    /// Samples of one part: with all their members they fill half of a connection's output.
    private var partSize: Int {
        switch format {
        case .json: 200
        case .tsv: 700
        }
    }
    /// The octets of a usual row.
    private static let rowOctets = 160
    /// Pages counted in one part, so that a hang-up is noticed soon.
    private static let pagesAtOnce = 16

    init(_ request: Request, _ context: RequestContext) throws(ProtocolError) {
        self.request = try SampleRequest(request, context)
        epoch = context.writer.epoch
        format = try Self.format(request["format"])
        limit = try WholeNumber.positive(request, "limit")
        cursor = try SampleCursor.inRequest(request, epoch: epoch)
    }

    mutating func nextPart(
        from store: StoreReader, now: Instant
    ) throws(AnswerError) -> AnswerPart {
        switch phase {
        case .beginning: return try begin(store)
        case .counting(let first, var scan, let page, var count):
            for _ in 0..<Self.pagesAtOnce where !scan.isDone {
                count.add(try scan.nextPage(store, size: StoreReader.pageRows, isCount: true))
            }
            guard scan.isDone else {
                phase = .counting(first: first, pages: scan, page, count)
                return AnswerPart(then: self)
            }
            // Where counting met no more samples there is nothing to go back for.
            return part(header(first.query, count.excluded), page, count.samples > 0 ? first : scan)
        case .printing(var scan):
            let page = try scan.nextPage(store, size: partSize)
            return part([], page, scan)
        }
    }

    private mutating func begin(_ store: StoreReader) throws(AnswerError) -> AnswerPart {
        var scan = SampleScan(try query(store), after: cursor?.position, limit: limit)
        let page = try scan.nextPage(store, size: partSize)
        if scan.isDone || scan.query.qualities.count == Quality.allCases.count {
            return part(header(scan.query, page.excluded), page, scan)
        }
        phase = .counting(first: scan, pages: scan, page, Count(excluded: page.excluded))
        return AnswerPart(then: self)
    }

    private func query(_ store: StoreReader) throws(AnswerError) -> SampleQuery {
        var query = request.query
        let newest = try asking { () throws(StorageError) in try store.newestSeq() }
        do throws(ProtocolError) {
            try cursor?.check(against: newest)
        } catch {
            throw .request(error)
        }
        query.newest = cursor?.newest ?? newest
        try DeviceChoice(request, store).apply(to: &query)
        return query
    }

    /// A part with the page's lines, and the end of the answer behind the last one.
    private mutating func part(
        _ text: [UInt8], _ page: StoreReader.Page, _ scan: SampleScan
    ) -> AnswerPart {
        let text = text.isEmpty ? lines(page) : text + lines(page)
        printed += page.samples.count
        guard scan.isDone else {
            phase = .printing(scan)
            return AnswerPart(text, then: self)
        }
        var details = [(key: "n", value: "\(printed)"), (key: "more", value: "0")]
        if scan.hasMore, let position = scan.position {
            let next = SampleCursor(
                epoch: epoch, newest: scan.query.newest, position: position)
            details[1].value = "1"
            details.append((key: "next", value: next.text))
        }
        return AnswerPart(last: text, details + scan.damaged.endDetails)
    }

    private func lines(_ page: StoreReader.Page) -> [UInt8] {
        switch format {
        case .tsv: rows(page)
        case .json: objects(page)
        }
    }

    private func rows(_ page: StoreReader.Page) -> [UInt8] {
        var (writer, text) = (SampleRowWriter(zone: request.zone), [UInt8]())
        text.reserveCapacity(Self.rowOctets * page.samples.count)
        // By their places: a copy of a sample counts the references in it.
        for place in page.samples.indices {
            writer.append(request.line(of: page.samples[place]), to: &text)
        }
        return text
    }

    private func objects(_ page: StoreReader.Page) -> [UInt8] {
        var json = JSONWriter()
        for sample in page.samples {
            request.line(of: sample).write(to: &json, zone: request.zone)
            json.endLine()
        }
        return json.octets
    }

    private func header(_ query: SampleQuery, _ excluded: Int) -> [UInt8] {
        let words = SampleHeader.words(
            query, request.zone, request.types, keepsUnits: request.keepsUnits)
        return SampleHeader.line(words + [("excluded", "\(excluded)")])
    }
}

extension SamplesAnswer {
    private static func format(_ name: String?) throws(ProtocolError) -> Format {
        guard let name else { return .json }
        guard let format = Format(rawValue: name) else {
            throw ProtocolError(.badValue, "`format=` is json or tsv, not `\(name)`")
                .with("key", "format")
        }
        return format
    }
}

/// A walk through the samples of a query, page by page.
struct SampleScan: Sendable {
    let query: SampleQuery
    /// Behind the last sample that was taken.
    private(set) var position: SamplePosition?
    /// Whether nothing more is to be taken.
    private(set) var isDone = false
    /// Whether the limit left something out.
    private(set) var hasMore = false
    /// The damaged blocks that were met.
    private(set) var damaged: Set<DamagedBlock> = []
    private var remaining: Int

    init(_ query: SampleQuery, after position: SamplePosition?, limit: Int?) {
        self.query = query
        self.position = position
        remaining = limit ?? .max
    }

    /// Takes the next page of at most `size` samples, or only counts them.
    mutating func nextPage(
        _ store: StoreReader, size: Int, isCount: Bool = false
    ) throws(AnswerError) -> StoreReader.Page {
        let wanted = min(size, remaining)
        var page = try asking { () throws(StorageError) in
            try store.page(of: query, after: position, limit: wanted, isCount: isCount)
        }
        damaged.formUnion(store.takeMissed())
        remaining -= page.count
        if remaining == 0 {
            isDone = page.isFull || page.next == nil
            hasMore = page.isFull
            // What lies behind the last sample asked for is no longer the answer's.
            if wanted == 0 { page.excluded = 0 }
        } else {
            isDone = page.next == nil
        }
        if !hasMore || page.count > 0 { position = page.next ?? position }
        return page
    }
}

extension SampleLine {
    /// The line of a stored sample, with its value in a unit where it converts.
    init(_ stored: StoredSample, in unit: SampleUnit) {
        let (number, unit) = stored.value(in: unit)
        self.init(
            first: stored.reading.first ?? stored.reading.seq, index: stored.sample.index,
            seq: stored.reading.seq, type: stored.sample.type,
            start: stored.reading.measuredFrom, end: stored.reading.measuredTo, value: number,
            absent: stored.sample.absent, unit: unit, device: stored.device.address,
            subject: stored.subject, site: stored.site?.name, modality: stored.sample.modality,
            quality: stored.sample.quality, timeQuality: stored.reading.flags.timeQuality,
            source: stored.reading.flags.origin.name, status: stored.sample.status,
            isAmbiguous: stored.reading.flags.isAmbiguous)
    }
}

extension GATTEvent.Origin {
    /// The name in answers.
    var name: String {
        switch self {
        case .ble: "ble"
        case .replay: "replay"
        case .import: "import"
        }
    }
}
