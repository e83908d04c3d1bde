internal import ControlProtocol
internal import JSON
internal import Measurements
internal import Samples
internal import Storage

/// The answer to `report fever`: for each person an object, then an object for each day with values.
struct FeverReportAnswer: Answer {
    private let request: SampleRequest
    private let threshold: DecimalNumber
    private var scan: SampleScan?
    private var days: [String: FeverDays] = [:]
    private var excluded = 0

    /// Pages of one part, so that a hang-up is noticed soon.
    private static let pagesAtOnce = 16
    /// What a person can have and live, in degrees Celsius.
    private static let thresholds = DecimalNumber(30)...DecimalNumber(45)

    init(_ request: Request, _ context: RequestContext) throws(ProtocolError) {
        self.request = try SampleRequest(request, about: [.bodyTemperature], context)
        threshold = try Self.threshold(request["threshold"])
    }

    private static func threshold(_ text: String?) throws(ProtocolError) -> DecimalNumber {
        guard let text else { return FeverDays.standardThreshold }
        guard let number = DecimalNumber(text), thresholds.contains(number) else {
            throw ProtocolError(
                .badValue, "`threshold=` is a temperature from 30 to 45 Cel, not `\(text)`"
            ).with("key", "threshold")
        }
        return number
    }

    mutating func nextPart(
        from store: StoreReader, now: Instant
    ) throws(AnswerError) -> AnswerPart {
        if scan == nil { scan = try firstScan(store) }
        guard var scan else { preconditionFailure("the scan was begun just now") }
        for _ in 0..<Self.pagesAtOnce where !scan.isDone {
            let page = try scan.nextPage(store, size: StoreReader.pageRows)
            excluded += page.excluded
            page.samples.forEach { take($0) }
        }
        self.scan = scan
        guard scan.isDone else { return AnswerPart(then: self) }
        return end(scan.damaged)
    }

    private func firstScan(_ store: StoreReader) throws(AnswerError) -> SampleScan {
        var query = request.query
        query.newest = try asking { () throws(StorageError) in try store.newestSeq() }
        try DeviceChoice(request, store).apply(to: &query)
        return SampleScan(query, after: nil, limit: nil)
    }

    private mutating func take(_ stored: StoredSample) {
        guard let value = stored.sample.standardValue else { return excluded += 1 }
        days[stored.subject, default: FeverDays(threshold: threshold, zone: request.zone)]
            .add(value, at: stored.reading.measuredFrom, site: stored.site)
    }

    private func end(_ damaged: Set<DamagedBlock>) -> AnswerPart {
        let words = SampleHeader.words(request.query, request.zone, request.types)
        var json = JSONWriter()
        json.octets = SampleHeader.line(words + [("excluded", "\(excluded)")])
        for (subject, days) in days.sorted(by: { $0.key < $1.key }) {
            json.object { json in write(days.days, of: subject, to: &json) }
            json.endLine()
            for day in days.days {
                json.object { json in write(day, of: subject, to: &json) }
                json.endLine()
            }
        }
        let count = days.values.reduce(0) { $0 + $1.days.count }
        return AnswerPart(
            last: json.octets, [(key: "n", value: "\(count)")] + damaged.endDetails)
    }

    private func write(_ days: [FeverDays.Day], of subject: String, to json: inout JSONWriter) {
        json.member("class", "report")
        json.member("report", Report.fever.rawValue)
        json.member("start", request.query.start, in: request.zone)
        json.member("end", request.query.end, in: request.zone)
        json.member("subject", subject)
        json.member("type", SampleType.bodyTemperature.rawValue)
        json.member("unit", SampleUnit.celsius.rawValue)
        json.member("count", days.reduce(0) { $0 + $1.count })
        json.number("threshold", threshold)
        json.member("days", days.count)
        json.member("feverDays", days.count { $0.feverCount > 0 })
        json.number("highest", days.map(\.highest).max())
        json.member(
            "rule",
            "a local day counts if one of its values is at or above the threshold; where on the "
                + "body it was measured makes no difference")
        json.member("note", Report.note)
    }

    private func write(_ day: FeverDays.Day, of subject: String, to json: inout JSONWriter) {
        json.member("class", "day")
        json.member("subject", subject)
        json.member("start", day.interval.start, in: request.zone)
        json.member("end", day.interval.end, in: request.zone)
        json.member("count", day.count)
        json.member("feverCount", day.feverCount)
        json.member("fever", day.feverCount > 0)
        json.number("highest", day.highest)
        json.member("highestAt", day.highestAt, in: request.zone)
        if let site = day.site { json.member("site", site.name) }
    }
}
