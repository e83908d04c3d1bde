internal import BlueZ
internal import ControlProtocol
internal import JSON
internal import Measurements
internal import Samples
internal import Storage

/// The answer to `latest`: the newest sample of each type, each with its age.
struct LatestAnswer: RadioAnswer {
    private let request: SampleRequest
    private let greatestAge: Int64?
    private var remaining: ArraySlice<SampleType>
    private var found = 0
    /// How far the present type was looked for.
    private var scan: SampleScan?
    var radio: RadioReport?

    /// Pages looked through in one part, so that a hang-up is noticed soon.
    private static let pagesAtOnce = 16

    init(_ request: Request, _ context: RequestContext) throws(ProtocolError) {
        self.request = try SampleRequest(request, context)
        greatestAge = try Self.age(request["max-age"])
        remaining = self.request.types[...]
    }

    mutating func nextPart(
        from store: StoreReader, now: Instant
    ) throws(AnswerError) -> AnswerPart {
        var text: [UInt8] = []
        for _ in 0..<Self.pagesAtOnce {
            guard let type = remaining.first else {
                return AnswerPart(last: text, [(key: "n", value: "\(found)")])
            }
            text += try nextPage(of: type, store, now)
        }
        return AnswerPart(text, then: self)
    }

    /// Looks at one more page for a type: the line of the sample that is on it.
    private mutating func nextPage(
        of type: SampleType, _ store: StoreReader, _ now: Instant
    ) throws(AnswerError) -> [UInt8] {
        if self.scan == nil { self.scan = try firstScan(of: type, store) }
        guard var scan else { return [] }
        let page = try scan.nextPage(store, size: 1)
        let isDone = scan.isDone || !page.samples.isEmpty
        self.scan = isDone ? nil : scan
        if isDone { remaining.removeFirst() }
        guard let sample = page.samples.first else { return [] }
        found += 1
        return try line(sample, store, now)
    }

    private func firstScan(
        of type: SampleType, _ store: StoreReader
    ) throws(AnswerError) -> SampleScan {
        var query = request.query
        query.types = [type]
        query.order = .descending
        query.newest = try asking { () throws(StorageError) in try store.newestSeq() }
        try DeviceChoice(request, store).apply(to: &query)
        return SampleScan(query, after: nil, limit: 1)
    }

    private func line(
        _ stored: StoredSample, _ store: StoreReader, _ now: Instant
    ) throws(AnswerError) -> [UInt8] {
        let battery = try asking { () throws(StorageError) in
            try store.newestBattery(of: stored.device)
        }
        let age = now.milliseconds - stored.reading.measuredFrom.milliseconds
        var json = JSONWriter()
        request.line(of: stored)
            .write(to: &json, zone: request.zone) { json in
                if let name = request.names.name(of: stored.device) {
                    json.member("deviceName", name)
                }
                if let sensor = radio?.sensor(of: stored.device) {
                    json.member("state", sensor.state)
                }
                json.member("age", Staleness.seconds(age))
                json.member("stale", isStale(stored, age))
                if let level = battery?.sample.value {
                    json.member("battery", writing: { level.append(to: &$0) })
                }
            }
        json.endLine()
        return json.octets
    }

    private func isStale(_ stored: StoredSample, _ age: Int64) -> Bool {
        let usual: Int64 =
            switch stored.sample.modality {
            case .continuous, .fast, .slow, .intermediate, .strap: Staleness.stream
            case .spot, .final, .imported: Staleness.spot
            }
        return Staleness.isStale(
            age: age, limit: greatestAge ?? usual, origin: stored.reading.flags.origin)
    }

    private static func age(_ text: String?) throws(ProtocolError) -> Int64? {
        guard let text else { return nil }
        do throws(TimeExpressionError) {
            return try ZonedDuration(text).fixedMilliseconds
        } catch {
            throw ProtocolError(.badTime, error.description).with("key", "max-age")
        }
    }
}
