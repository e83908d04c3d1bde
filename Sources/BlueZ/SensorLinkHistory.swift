/// What the last links to a sensor, taken together, say about it.
///
///     calm ──five links in 10 s that ended at once──► flapping ──30 s without one──► calm
///
/// A bonded sensor that has lost its key lets every link drop before anything is said on it.
struct SensorLinkHistory: Sendable {
    /// A link without a value that ended within this, in ms, ended at once.
    static let shortness: Int64 = 2_000
    /// This many of them in `burst` ms are a burst.
    static let burstCount = 5
    /// How long a burst may take to be one, in ms.
    static let burst: Int64 = 10_000
    /// A burst is over when none came for this long, in ms.
    static let calming: Int64 = 30_000

    /// What became clear.
    enum News: Equatable, Sendable {
        case flapping(links: Int)
        /// The burst is over; how many links it had.
        case calm(links: Int)
        /// The sensor does not know its bond any more; from what this is concluded.
        case bondLost(String)
    }

    private enum State: Sendable {
        /// When the last links that ended at once did so.
        case calm(ends: [Int64])
        case flapping(links: Int, last: Int64)
    }

    private var state = State.calm(ends: [])
    private var keyless = 0
    private var rejected = 0
    /// Why the bond counts as lost on the sensor; nil if it does not.
    private(set) var bondLoss: String?

    /// A sensor of which nothing is known.
    init() {}

    /// When `calmDown` is due.
    var nextDeadline: Int64? {
        if case .flapping(_, let last) = state { last + Self.calming } else { nil }
    }

    /// Links in a row that ended for want of the key, or before anything was said on them.
    var keylessLinks: Int { max(keyless, rejected) }
    /// Whether links drop at once, one after the other.
    var isFlapping: Bool { flaps != nil }
    /// How many links the burst has that is going on; nil if there is none.
    var flaps: Int? {
        if case .flapping(let links, _) = state { links } else { nil }
    }

    /// Takes in that a link ended on which this many values had come.
    mutating func ended(
        _ end: SensorLinkEnd, values: Int, hasBond: Bool, at now: Int64
    ) -> [News] {
        guard !end.isOurs else { return [] }
        let isShort = values == 0 && end.lasted < Self.shortness
        return (isShort ? dropped(at: now) : []) + judgeBond(end, values: values, hasBond, isShort)
    }

    /// A value came: the sensor knows us.
    mutating func valueCame() {
        bondLoss = nil
        keyless = 0
        rejected = 0
    }

    /// Says whether a burst is over.
    mutating func calmDown(at now: Int64) -> [News] {
        guard case .flapping(let links, let last) = state, last + Self.calming <= now else {
            return []
        }
        state = .calm(ends: [])
        return [.calm(links: links)]
    }

    private mutating func dropped(at now: Int64) -> [News] {
        switch state {
        case .flapping(let links, _):
            state = .flapping(links: links + 1, last: now)
            return []
        case .calm(let ends):
            let recent = ends.filter { now - $0 < Self.burst } + [now]
            guard recent.count >= Self.burstCount else {
                state = .calm(ends: recent)
                return []
            }
            state = .flapping(links: recent.count, last: now)
            return [.flapping(links: recent.count)]
        }
    }

    /// Two links that end for want of the key are enough; a link that just drops proves less.
    private mutating func judgeBond(
        _ end: SensorLinkEnd, values: Int, _ hasBond: Bool, _ isShort: Bool
    ) -> [News] {
        guard hasBond, values == 0, !end.wasResolved else {
            keyless = 0
            rejected = 0
            return []
        }
        let isRejected = end.reason == "org.bluez.Reason.Authentication"
        rejected = isRejected ? rejected + 1 : 0
        keyless = isShort ? keyless + 1 : 0
        guard bondLoss == nil, rejected >= 2 || keyless >= 3 else { return [] }
        let evidence =
            isRejected
            ? "\(rejected) links in a row ended with \(end.reason ?? "")"
            : "\(keyless) links in a row dropped before anything was said on them"
        bondLoss = evidence
        return [.bondLost(evidence)]
    }
}
