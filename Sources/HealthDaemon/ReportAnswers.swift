internal import ControlProtocol
internal import JSON
internal import Measurements
internal import Samples
internal import Storage

/// The reports that can be asked for.
enum Report: String, CaseIterable {
    /// Oxygen desaturations for each hour.
    case odi
    /// The days with fever.
    case fever

    /// The answer to a request for a report.
    ///
    /// - Throws: `bad-value` for a report that there is not, and what is wrong with the rest.
    static func answer(
        to request: Request, _ context: RequestContext
    ) throws(ProtocolError) -> any Answer {
        let name = request.arguments[0]
        guard let report = Report(rawValue: name) else {
            let known = allCases.map(\.rawValue)
            let hint = nearest(to: name, in: known)
            let all = "there are " + known.joined(separator: " and ")
            throw ProtocolError(
                .badValue, "unknown report `\(name)`" + didYouMean(hint, else: all))
        }
        switch report {
        case .odi: return try OximetryReportAnswer(request, context)
        case .fever: return try FeverReportAnswer(request, context)
        }
    }

    /// What every report says at its end, since it is made of counts.
    static let note = "a count made by a program, no diagnosis"
}

/// The answer to `report odi`: an object for each device and person.
struct OximetryReportAnswer: Answer {
    private let request: SampleRequest
    private var phase = Phase.beginning
    private var found: [Finding] = []
    private var damaged: Set<DamagedBlock> = []

    private enum Phase: Sendable {
        case beginning
        /// The first of these is being scanned.
        case scanning([Part])
    }

    /// What is scanned by itself: falls of one person are none of another's, nor of another sensor's.
    private struct Part: Sendable {
        let device: Device
        let subject: String
        var scan: OximetryScan
    }

    private struct Finding: Sendable {
        let device: Device
        let subject: String
        let report: OximetryReport
    }

    /// Steps of one part, so that a hang-up is noticed soon.
    private static let stepsAtOnce = 4

    init(_ request: Request, _ context: RequestContext) throws(ProtocolError) {
        guard request["threshold"] == nil else {
            throw ProtocolError(.unknownKey, "`report odi` has no key `threshold`")
                .with("key", "threshold")
        }
        self.request = try SampleRequest(request, about: [.oxygenSaturation], context)
    }

    mutating func nextPart(
        from store: StoreReader, now: Instant
    ) throws(AnswerError) -> AnswerPart {
        guard case .scanning(var parts) = phase else {
            phase = .scanning(try parts(store))
            return AnswerPart(then: self)
        }
        for _ in 0..<Self.stepsAtOnce {
            guard let part = parts.first else { return end() }
            try asking { () throws(StorageError) in try parts[0].scan.proceed(store) }
            damaged.formUnion(store.takeMissed())
            guard parts[0].scan.isDone else { continue }
            note(part, parts[0].scan.report)
            parts.removeFirst()
        }
        phase = .scanning(parts)
        return AnswerPart(then: self)
    }

    private mutating func note(_ part: Part, _ report: OximetryReport) {
        guard report.statistics.count + report.statistics.excluded > 0 else { return }
        found.append(Finding(device: part.device, subject: part.subject, report: report))
    }

    private func parts(_ store: StoreReader) throws(AnswerError) -> [Part] {
        let choice = try DeviceChoice(request, store)
        var query = request.query
        query.newest = try asking { () throws(StorageError) in try store.newestSeq() }
        let range = Instant.range
        let interval = DateInterval(
            start: query.start ?? range.lowerBound, end: query.end ?? range.upperBound)
        let devices = try asking { () throws(StorageError) in try store.devices() }
        return devices.filter(choice.includes).flatMap { device in
            device.subjects.sorted().filter { $0 == request.query.subject ?? $0 }.map { subject in
                (query.device, query.subject) = (device.id, subject)
                return Part(
                    device: device, subject: subject, scan: OximetryScan(query, interval))
            }
        }
    }

    private func end() -> AnswerPart {
        let excluded = found.reduce(0) { $0 + $1.report.statistics.excluded }
        let words = SampleHeader.words(request.query, request.zone, request.types)
        var json = JSONWriter()
        json.octets = SampleHeader.line(words + [("excluded", "\(excluded)")])
        for finding in found {
            json.object { json in write(finding, to: &json) }
            json.endLine()
        }
        let details = [(key: "n", value: "\(found.count)")] + damaged.endDetails
        return AnswerPart(last: json.octets, details)
    }

    private func write(_ finding: Finding, to json: inout JSONWriter) {
        let (report, statistics) = (finding.report, finding.report.statistics)
        json.member("class", "report")
        json.member("report", Report.odi.rawValue)
        json.member("start", request.query.start, in: request.zone)
        json.member("end", request.query.end, in: request.zone)
        json.member("device", finding.device.address)
        json.member("subject", finding.subject)
        json.member("type", SampleType.oxygenSaturation.rawValue)
        json.member("unit", SampleUnit.percent.rawValue)
        json.member("count", statistics.count)
        json.member("excluded", statistics.excluded)
        json.number("odi3", report.index3)
        json.number("odi4", report.index4)
        json.member("falls3", report.falls3.count)
        json.member("falls4", report.falls4.count)
        json.number("nadir", statistics.min)
        json.number("avg", statistics.average)
        json.seconds("validSeconds", report.validMilliseconds)
        for limit in OximetryReport.limits {
            json.member(named: "below\(limit)Seconds") { text in
                let time = report.timed.time(below: limit) ?? 0
                DecimalNumber(mantissa: time, exponent: -3).append(to: &text)
            }
        }
        json.member("algorithm", Desaturations.rule)
        json.member("denominator", OximetryReport.denominator)
        json.member("note", Report.note)
    }
}

extension JSONWriter {
    /// Writes a member with a number, or null.
    mutating func number(_ key: StaticString, _ number: DecimalNumber?) {
        guard let number else { return member(key, nil as String?) }
        member(key) { number.append(to: &$0) }
    }

    /// Writes a member with seconds, of ms.
    fileprivate mutating func seconds(_ key: StaticString, _ milliseconds: Int64) {
        number(key, DecimalNumber(mantissa: milliseconds, exponent: -3))
    }
}
