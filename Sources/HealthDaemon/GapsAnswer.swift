internal import ControlProtocol
internal import JSON
internal import Measurements
internal import Samples
internal import Storage

/// The answer to `gaps`: when nothing came, and why.
///
/// Of streams it tells the silences between values, of every sensor the outages that the ledger has.
struct GapsAnswer: Answer {
    private let request: SampleRequest
    private let areTypesNamed: Bool
    private let least: Int64
    private let start: Instant
    private let end: Instant
    private var steps: ArraySlice<GapSearch>?
    private var count = 0

    /// Pages gone through in one part, so that a hang-up is noticed soon.
    private static let pagesAtOnce = 8
    /// The shortest pause that is told without `min=`, in ms.
    private static let usualLeast: Int64 = 10_000
    /// How far it is looked back without `start=`, in ms.
    private static let usualSpan: Int64 = 86_400_000

    init(_ request: Request, _ context: RequestContext) throws(ProtocolError) {
        self.request = try SampleRequest(request, context)
        areTypesNamed = !request.arguments.isEmpty
        least = try Self.least(request["min"]) ?? Self.usualLeast
        end = min(self.request.query.end ?? context.now, context.now)
        start = self.request.query.start ?? end.advanced(byMilliseconds: -Self.usualSpan)
    }

    private static func least(_ text: String?) throws(ProtocolError) -> Int64? {
        guard let text else { return nil }
        do throws(TimeExpressionError) {
            return try ZonedDuration(text).fixedMilliseconds
        } catch {
            throw ProtocolError(.badTime, error.description).with("key", "min")
        }
    }

    mutating func nextPart(
        from store: StoreReader, now: Instant
    ) throws(AnswerError) -> AnswerPart {
        guard var steps else {
            steps = try plan(store)[...]
            return AnswerPart(header, then: self)
        }
        var json = JSONWriter()
        for _ in 0..<Self.pagesAtOnce {
            guard var step = steps.popFirst() else {
                return AnswerPart(last: json.octets, [(key: "n", value: "\(count)")])
            }
            for gap in try step.advance(store) { write(gap, step, to: &json) }
            if !step.isDone { steps.insert(step, at: steps.startIndex) }
        }
        self.steps = steps
        return AnswerPart(json.octets, then: self)
    }

    private var header: [UInt8] {
        var text = Array("# interval=[".utf8)
        appendTime(start, request.zone, to: &text)
        text.append(UInt8(ascii: ","))
        appendTime(end, request.zone, to: &text)
        text += ") tz=\(request.zone.name) min=\(least)ms\n".utf8
        return text
    }

    /// What is to be gone through: what concerns all sensors, then each with its streams.
    private func plan(_ store: StoreReader) throws(AnswerError) -> [GapSearch] {
        let chosen = try DeviceChoice(request, store)
        let (devices, streams) = try asking { () throws(StorageError) in
            (try store.devices(), try store.streams())
        }
        let span = GapSearch.Span(start: start, end: end, least: least)
        return [GapSearch(span, of: nil)]
            + devices.filter { chosen.includes($0) }.flatMap { device in
                [GapSearch(span, of: device)]
                    + types(of: streams.filter { $0.device.id == device.id }).map {
                        GapSearch(span, of: device, type: $0)
                    }
            }
    }

    /// The types that are looked at: those named, else the first of each characteristic that streams.
    private func types(of streams: [Stream]) -> [SampleType] {
        let streaming = streams.map(\.characteristic).filter(\.isStreaming)
        if areTypesNamed {
            return request.types.filter { type in streaming.contains { $0.types.contains(type) } }
        }
        let leading = streaming.map { characteristic in
            request.types.first { characteristic.types.contains($0) }
        }
        return request.types.filter { leading.contains($0) }
    }

    private mutating func write(
        _ gap: ExplainedGap, _ step: GapSearch, to json: inout JSONWriter
    ) {
        let length = (gap.end ?? max(end, gap.start)).milliseconds - gap.start.milliseconds
        json.object { json in
            json.member("class", "gap")
            json.member("device", step.device?.address)
            json.member("type", step.type?.rawValue)
            json.member("start", gap.start, in: request.zone)
            json.member("end", gap.end, in: request.zone)
            json.member("seconds", length / 1000)
            json.member("cause", gap.cause.rawValue)
            json.member("text", gap.cause.text)
            json.member("evidence", gap.evidence.joined(separator: "; "))
        }
        json.endLine()
        count += 1
    }
}
