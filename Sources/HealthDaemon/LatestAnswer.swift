internal import ControlProtocol
internal import JSON
internal import Measurements
internal import Samples
internal import Storage

/// The answer to `latest`: the newest sample of each type, each with its age.
struct LatestAnswer: Answer {
    private let request: SampleRequest
    private let greatestAge: Int64?
    private var remaining: ArraySlice<SampleType>
    private var found = 0

    /// Ages beyond which a value is stale where the request sets no limit, in ms.
    private static let streamAge: Int64 = 10_000
    private static let spotAge: Int64 = 12 * 3_600_000

    init(_ request: Request, facts: DaemonFacts, writer: Writer, now: Instant) throws(ProtocolError)
    {
        self.request = try SampleRequest(request, facts: facts, now: now)
        greatestAge = try Self.age(request["max-age"])
        remaining = self.request.types[...]
    }

    mutating func nextPart(
        from store: StoreReader, now: Instant
    ) throws(AnswerError) -> AnswerPart {
        guard let type = remaining.popFirst() else {
            return AnswerPart(last: [], [(key: "n", value: "\(found)")])
        }
        guard let sample = try newest(of: [type], request.query, store) else {
            return AnswerPart(then: self)
        }
        found += 1
        return AnswerPart(try line(sample, store, now), then: self)
    }

    private func newest(
        of types: Set<SampleType>, _ query: SampleQuery, _ store: StoreReader
    ) throws(AnswerError) -> StoredSample? {
        var query = query
        query.types = types
        if query.device == nil { try DeviceChoice(request, store).apply(to: &query) }
        return try asking { () throws(StorageError) in
            query.newest = try store.newestSeq()
            return try store.newest(of: query)
        }
    }

    private func line(
        _ stored: StoredSample, _ store: StoreReader, _ now: Instant
    ) throws(AnswerError) -> [UInt8] {
        var ofDevice = SampleQuery(types: [.batteryLevel], newest: 0)
        ofDevice.device = stored.device.id
        let battery = try newest(of: [.batteryLevel], ofDevice, store)
        let age = now.milliseconds - stored.reading.measuredFrom.milliseconds
        var json = JSONWriter()
        SampleLine(stored, in: request.query.unit(of: stored.sample.type))
            .write(to: &json, zone: request.zone) { json in
                if let name = stored.device.name { json.member("deviceName", name) }
                json.member("age", max(0, age / 1000))
                json.member("stale", isStale(stored, age))
                if let level = battery?.sample.value {
                    json.member("battery", writing: { level.append(to: &$0) })
                }
            }
        json.endLine()
        return json.octets
    }

    /// What was not measured live is never current.
    private func isStale(_ stored: StoredSample, _ age: Int64) -> Bool {
        guard stored.reading.flags.origin == .ble else { return true }
        switch stored.sample.modality {
        case .continuous, .fast, .slow, .intermediate, .strap:
            return age > greatestAge ?? Self.streamAge
        case .spot, .final, .imported: return age > greatestAge ?? Self.spotAge
        }
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
