internal import BlueZ
internal import Measurements
internal import Storage

/// Finds the times in which no sensor, or a certain one, could be heard: from the ledger, row by row.
struct OutageFinder: Sendable {
    private var open: [GapCause: LedgerRow] = [:]

    /// Takes a row in, which come in the order of time; gives what it ends.
    mutating func take(_ row: LedgerRow) -> [ExplainedGap] {
        guard let event = LedgerEntry.Event(rawValue: row.event) else { return [] }
        switch event {
        case .started:
            let ended = close(Set(GapCause.allCases), by: row)
            return ended + (row.isCrash ? [Self.moment(.healthdCrashed, row)] : [])
        case .bluetoothdUp:
            return close([.bluetoothdDown, .bluetoothdUnresponsive, .busGone], by: row)
        case .adapterOn: return close([.adapterOff], by: row)
        case .adapterAdded:
            return close(
                row.isOfAdapterOff ? [.adapterRemoved] : [.adapterRemoved, .adapterOff], by: row)
        case .hostResumed: return close([.hostSuspended], by: row)
        case .firstFrame: return close(Self.ofSensor, by: row)
        case .adopted: return close([.unwanted], by: row)
        case .paired: return close([.forgotten, .removedElsewhere, .bondLost], by: row)
        case .possibleLoss: return [Self.moment(.possibleLoss, row)]
        case .refused where row.device == nil: return [Self.moment(.refused, row)]
        case .busClosed, .bluetoothdDown, .bluetoothdUnresponsive, .adapterRemoved, .adapterOff,
            .hostSuspended, .bondLost, .refused, .resolvedEmpty, .removedElsewhere, .forgotten,
            .stuck, .silent, .flapping, .advertised, .linkUp, .servicesResolved, .armed,
            .linkDown, .lost, .rearmed, .clockRead, .clockSet, .recordsFetched, .recordsDeleted,
            .agentRefused, .clockRefused, .recordsRefused, .hostClockSet, .unwanted, .stopped:
            break
        }
        if let cause = GapCause(row), Self.lasting.contains(cause), open[cause] == nil {
            open[cause] = row
        }
        return []
    }

    /// What has not ended yet.
    var rest: [ExplainedGap] {
        open.sorted { ($0.value.at, $0.key.rawValue) < ($1.value.at, $1.key.rawValue) }.map {
            ExplainedGap(start: $1.at, end: nil, cause: $0, evidence: [$1.text])
        }
    }

    private mutating func close(_ causes: Set<GapCause>, by row: LedgerRow) -> [ExplainedGap] {
        let ended = rest.filter { causes.contains($0.cause) }
        for gap in ended { open[gap.cause] = nil }
        return ended.map {
            ExplainedGap(
                start: $0.start, end: row.at, cause: $0.cause, evidence: $0.evidence + [row.text])
        }
    }

    /// What has no length that anybody has noted: since when healthd was gone, or until when an
    /// adapter refused.
    private static func moment(_ cause: GapCause, _ row: LedgerRow) -> ExplainedGap {
        ExplainedGap(start: row.at, end: row.at, cause: cause, evidence: [row.text])
    }

    private static let ofSensor: Set<GapCause> = [
        .unwanted, .bondLost, .refused, .resolvedEmpty, .stuck, .silent, .removedElsewhere,
        .forgotten,
    ]

    private static let lasting: Set<GapCause> = ofSensor.union([
        .busGone, .bluetoothdDown, .bluetoothdUnresponsive, .adapterRemoved, .adapterOff,
        .hostSuspended, .healthdStopped,
    ])
}
