import DBus
import Measurements

/// How one characteristic that is to be heard stands, and whether it was heard on the last link.
struct SensorArmingItem: Sendable {
    /// What is done about its session.
    enum State: Sendable {
        case idle
        case asking(since: Int64, edge: SensorArming.Edge, again: Bool)
        case standing(checkAt: Int64?)
        case waiting(until: Int64)
        case refused
    }

    /// As bluetoothd has it.
    var object: CharacteristicObject
    /// What is done about its session.
    var state = State.idle
    /// Whether the session stood before it was last asked for.
    var wasStanding = false
    /// Whether bluetoothd has ever said that the session stands.
    private(set) var hasStood = false
    /// Whether bluetoothd has said so since the last link ended, and before the next began.
    private var isVouchedFor = false
    /// Whether a link came up while nobody could vouch for the session.
    private(set) var isDoubtful = false
    /// Whether there was a link since somebody last could.
    private var wasLinked = false
    /// Whether a value came on the last link.
    var hasValue = false
    /// The waits before it is asked for again.
    var backoff: Backoff
    /// Answers of InProgress on this link that were asked about again.
    var checks = 0
    /// The last refusal, which counts until it is heard of again.
    var refusal: (kind: ErrorClass, error: BusError)?

    /// Nothing is known of its session; the seed spreads the retries.
    init(_ object: CharacteristicObject, seed: UInt64) {
        self.object = object
        backoff = Backoff([250, 1_000, 4_000, 15_000, 60_000], seed: seed)
    }
}

extension SensorArmingItem {
    /// Whether bluetoothd says that the session stands.
    var isStanding: Bool {
        switch state {
        case .standing: true
        case .asking: wasStanding
        case .idle, .waiting, .refused: false
        }
    }

    /// Whether an answer is waited for.
    var isAsking: Bool {
        if case .asking = state { true } else { false }
    }

    /// Whether it is known, and told, that it cannot be heard.
    var isRefused: Bool { refusal.map { $0.kind != .environment } ?? false }

    /// Whether what it sends comes once: of a stream the next value is as good, and a hole is a gap.
    var holdsRecords: Bool { object.isMeasurement && !object.isStreaming }

    /// Whether readings may be lost if there was no session at the end of the last link.
    var mayHaveLost: Bool {
        let isHole = isDoubtful && holdsRecords
        return object.isMeasurement && wasLinked && (!hasValue || isHole)
    }

    /// The link came up or went down.
    mutating func crossed(isUp: Bool) {
        guard isUp else {
            isVouchedFor = false
            return
        }
        wasLinked = true
        hasValue = false
        if hasStood, !isVouchedFor, !isRefused { isDoubtful = true }
    }

    /// bluetoothd has made the session, or had it and says so of every one on a link.
    mutating func succeeded(isWithoutLink: Bool) {
        state = .standing(checkAt: nil)
        backoff.reset()
        if !isWithoutLink { refusal = nil }
        vouch(isWithoutLink)
    }

    /// bluetoothd had the session all the time.
    mutating func stands(checkAt: Int64?, isWithoutLink: Bool) {
        state = .standing(checkAt: checkAt)
        checks += 1
        vouch(isWithoutLink)
    }

    private mutating func vouch(_ isWithoutLink: Bool) {
        hasStood = true
        isDoubtful = false
        guard isWithoutLink else { return }
        isVouchedFor = true
        wasLinked = false
    }
}
