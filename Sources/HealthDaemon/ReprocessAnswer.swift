internal import ControlProtocol
internal import JSON
internal import Measurements
internal import Samples
internal import Storage

/// The answer to `reprocess`: sums all blocks up anew; before that, or only, it tells what changes.
struct ReprocessAnswer: WritingAnswer {
    private let isDryRun: Bool
    private let zone: Zone
    private var phase = Phase.comparing(behind: 0)
    private var blocks = 0
    private var differences = 0
    private var damaged: Set<DamagedBlock> = []

    private enum Phase: Sendable {
        case comparing(behind: Int64)
        case outdating
        case renewing
        case done(seq: Int64)
    }

    /// Differences that are told one by one; all are counted.
    private static let mostTold = 100

    init(_ request: Request, _ context: RequestContext) throws(ProtocolError) {
        isDryRun = try YesNo.value(request, "dry-run")
        zone = try context.zone(request)
    }

    mutating func nextPart(
        from store: StoreReader, now: Instant
    ) throws(AnswerError) -> AnswerPart {
        switch phase {
        case .comparing(let behind): return try compare(behind, store)
        case .outdating: return AnswerPart(after: .outdateSummaries, then: self)
        case .renewing: return AnswerPart(after: .renewSummaries, then: self)
        case .done(let seq): return end([(key: "seq", value: "\(seq)")])
        }
    }

    private mutating func compare(
        _ behind: Int64, _ store: StoreReader
    ) throws(AnswerError) -> AnswerPart {
        let check = try asking { () throws(StorageError) in
            try store.checkSummaries(behind: behind)
        }
        damaged.formUnion(store.takeMissed())
        let text = lines(check.differences)
        blocks += check.blocks
        differences += check.differences.count
        if let next = check.next {
            phase = .comparing(behind: next)
        } else if isDryRun {
            return end([], text)
        } else {
            phase = .outdating
        }
        return AnswerPart(text, then: self)
    }

    mutating func take(_ result: StoreResult) {
        switch (phase, result) {
        case (.outdating, _): phase = .renewing
        case (.renewing, .done(let seq)): phase = .done(seq: seq)
        case (.renewing, .going), (.renewing, .deleted), (.comparing, _), (.done, _): break
        }
    }

    private func lines(_ found: [SummaryDifference]) -> [UInt8] {
        var json = JSONWriter()
        for difference in found.prefix(max(Self.mostTold - differences, 0)) {
            json.object { json in write(difference, to: &json) }
            json.endLine()
        }
        return json.octets
    }

    private func write(_ difference: SummaryDifference, to json: inout JSONWriter) {
        json.member("class", "difference")
        json.member("device", difference.stream.device.address)
        json.member("type", difference.type.rawValue)
        json.member("modality", difference.modality.rawValue)
        json.member("start", difference.quarter.start, in: zone)
        json.member("end", difference.quarter.end, in: zone)
        write(difference.before, "before", to: &json)
        write(difference.after, "after", to: &json)
    }

    private func write(
        _ side: SummaryDifference.Side?, _ key: StaticString, to json: inout JSONWriter
    ) {
        guard let side else { return json.member(key, nil as String?) }
        json.object(key) { json in
            json.member("count", side.count)
            json.member("excluded", side.excluded)
            json.number("min", side.min)
            json.number("max", side.max)
        }
    }

    private func end(
        _ details: [(key: String, value: String)], _ text: [UInt8] = []
    ) -> AnswerPart {
        var json = JSONWriter()
        json.octets = text
        json.object { json in
            json.member("class", "reprocess")
            json.member("blocks", blocks)
            json.member("differences", differences)
            if isDryRun { json.member("dryRun", true) }
        }
        json.endLine()
        let count = [(key: "n", value: "\(blocks)")]
        return AnswerPart(last: json.octets, count + details + damaged.endDetails)
    }
}
