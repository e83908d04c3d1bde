internal import BlueZ
internal import Measurements
internal import Storage

/// Why nothing came; the raw values are words for programs.
enum GapCause: String, CaseIterable, Sendable {
    case clockSet = "clock-set"
    case healthdCrashed = "healthd-crashed"
    case healthdStopped = "healthd-stopped"
    case hostSuspended = "host-suspended"
    case busGone = "bus-gone"
    case bluetoothdDown = "bluetoothd-down"
    case bluetoothdUnresponsive = "bluetoothd-unresponsive"
    case adapterRemoved = "adapter-removed"
    case adapterOff = "adapter-off"
    case unwanted
    case bondLost = "bond-lost"
    case forgotten
    case removedElsewhere = "removed-elsewhere"
    case refused
    case resolvedEmpty = "resolved-empty"
    case stuck
    case flapping
    case noValue = "no-value"
    case silent
    case linkDown = "link-down"
    case possibleLoss = "possible-loss"
    case recorded
    case unknown

    /// What it means, in plain words.
    var text: String {
        switch self {
        case .clockSet: "the clock of this computer was set: the gap may be no gap at all"
        case .healthdCrashed: "healthd was not running: it crashed, or the power was cut"
        case .healthdStopped: "healthd was not running: it was stopped"
        case .hostSuspended: "this computer slept"
        case .busGone: "the D-Bus system bus was gone"
        case .bluetoothdDown: "bluetoothd was not running"
        case .bluetoothdUnresponsive: "bluetoothd did not answer"
        case .adapterRemoved: "the Bluetooth adapter was removed"
        case .adapterOff: "the Bluetooth adapter was off"
        case .unwanted: "the configuration did not want the sensor's readings"
        case .bondLost: "the sensor had forgotten its pairing"
        case .forgotten: "the pairing with the sensor was removed by `healthctl forget`"
        case .removedElsewhere: "the pairing was removed by another program"
        case .refused: "the sensor or bluetoothd refused to send"
        case .resolvedEmpty: "the sensor's services could not be read"
        case .stuck: "the link to the sensor was stuck"
        case .flapping: "the sensor dropped each link at once"
        case .noValue: "the sensor sent, but without a value: no finger in it, or not worn well"
        case .linkDown: "the sensor hung up, was switched off or was out of reach"
        case .silent: "the sensor was connected, but sent nothing"
        case .possibleLoss: "readings may have been lost"
        case .recorded: "these readings are from a recording, which does not say why"
        case .unknown: "why is not known"
        }
    }

    /// The cause that an entry of the ledger speaks of; nil if it speaks of none.
    init?(_ row: LedgerRow) {
        guard let event = LedgerEntry.Event(rawValue: row.event) else { return nil }
        switch event {
        case .hostClockSet: self = .clockSet
        case .started where row.isCrash: self = .healthdCrashed
        case .stopped: self = .healthdStopped
        case .hostSuspended: self = .hostSuspended
        case .busClosed: self = .busGone
        case .bluetoothdDown: self = .bluetoothdDown
        case .bluetoothdUnresponsive: self = .bluetoothdUnresponsive
        case .adapterRemoved: self = .adapterRemoved
        case .adapterOff: self = .adapterOff
        case .unwanted: self = .unwanted
        case .bondLost: self = .bondLost
        case .forgotten: self = .forgotten
        case .removedElsewhere: self = .removedElsewhere
        case .refused: self = .refused
        case .resolvedEmpty: self = .resolvedEmpty
        case .stuck: self = .stuck
        case .flapping: self = .flapping
        case .linkDown, .lost: self = .linkDown
        case .silent: self = .silent
        case .possibleLoss: self = .possibleLoss
        case .bluetoothdUp, .agentRefused, .adapterAdded, .adapterOn, .hostResumed, .adopted,
            .advertised, .linkUp, .servicesResolved, .armed, .firstFrame, .rearmed, .clockRead,
            .clockSet, .clockRefused, .recordsFetched, .recordsDeleted, .recordsRefused, .paired,
            .started:
            return nil
        }
    }

    /// The place in the order of weight: what is above explains what is below it.
    fileprivate var weight: Int { Self.allCases.firstIndex(of: self) ?? Self.allCases.count }
}

/// A gap with its cause.
struct ExplainedGap: Equatable, Sendable {
    /// When it began.
    let start: Instant
    /// When it ended; nil if it goes on.
    let end: Instant?
    let cause: GapCause
    /// What the cause is concluded from: the entries of the ledger, and what the sensor said.
    let evidence: [String]
}

extension ExplainedGap {
    /// How far from the beginning of a silence its cause may be noted, in ms: a link is given up after
    /// some seconds, and bluetoothd tells of it then.
    static let reach: Int64 = 30_000

    /// A silence, with what the ledger says of the time around it in the order of time.
    ///
    /// `isLive` says whether the readings around it were received live.
    init(_ silence: Silence, _ rows: [LedgerRow], isLive: Bool) {
        start = silence.start
        end = silence.end
        let packets = silence.packets > 0 ? [Self.evidence(of: silence)] : []
        if silence.packets > 0, silence.longestPause < ExplainedGap.reach {
            (cause, evidence) = (.noValue, packets)
            return
        }
        let causes = rows.compactMap { row in GapCause(row).map { (cause: $0, row: row) } }
        let limit = silence.start.milliseconds + Self.reach
        let near = causes.filter { $0.row.at.milliseconds <= limit }
        let found = (near.isEmpty ? causes : near).min { $0.cause.weight < $1.cause.weight }
        cause = found?.cause ?? (isLive ? .unknown : .recorded)
        evidence = packets + Self.evidence(of: causes.map(\.row), first: found?.row)
    }

    /// Entries that are told as evidence: the first ones are those near the beginning.
    private static let evidenceLimit = 4

    private static func evidence(of rows: [LedgerRow], first: LedgerRow?) -> [String] {
        let others = rows.filter { $0 != first }
        return ([first].compactMap { $0 } + others).prefix(evidenceLimit).map(\.text)
    }

    private static func evidence(of silence: Silence) -> String {
        let reasons = silence.reasons.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
            .map { "\($0.key) \($0.value)" }.joined(separator: ", ")
        return "\(silence.packets) packets without a value (\(reasons))"
    }
}

extension LedgerRow {
    /// What the ledger says of a start that no orderly end came before.
    static let afterCrash = "after a crash or a power cut"

    /// Whether an adapter that appeared is off.
    var isOfAdapterOff: Bool { detail.hasSuffix(", off") }

    /// Whether it is a start that no orderly end came before.
    var isCrash: Bool {
        event == LedgerEntry.Event.started.rawValue && detail.hasSuffix(Self.afterCrash)
    }

    /// The entry as evidence: when, what, and how often.
    var text: String {
        let what = event.split(separator: "-").joined(separator: " ")
        let more = detail.isEmpty ? "" : " (\(detail))"
        return "\(at.text()) \(what)\(more)" + (count > 1 ? ", \(count) times" : "")
    }
}
