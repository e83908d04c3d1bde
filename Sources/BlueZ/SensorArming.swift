import DBus
import Measurements

/// The standing wish of one sensor's characteristics to be heard, kept alive over links.
///
///     idle ──arm──► asking ──success, InProgress──► standing ──arm──► asking …
///                     │ ▲                              (asked again at each edge of the link)
///                     │ └──time──── waiting ◄──may go well later──┐
///                     └─────────────────────────────────► error ──┴──will not──► refused ──arm──► asking
///
/// bluetoothd keeps a session of StartNotify over the links, but drops it without a word when the
/// sensor refuses it at a reconnect; `Notifying` tells nothing. So the sessions are asked for again at
/// each edge: while the link is down InProgress means that the session stands, and success that it was lost.
struct SensorArming: Sendable {
    /// Characteristics that are armed; a sensor with every health service once has eight.
    static let limit = 32
    /// Tries before a refusal counts until the next edge of the link.
    static let tryLimit = 6
    /// Answers of InProgress on a link that are asked about again.
    static let checkLimit = 3
    /// How long a characteristic is left to another program before it is asked for again, in ms.
    static let heldRest: Int64 = 60_000
    /// An answer that takes this long on a link without values means that the channel is stuck, in ms.
    static let stuckPatience: Int64 = 10_000

    /// What comes in.
    enum Event: Sendable {
        /// A characteristic that is wanted is there.
        case appeared(CharacteristicObject)
        /// The characteristic at this path is gone.
        case gone(String)
        /// The link came up or went down.
        case edge(isUp: Bool)
        /// Ask for every session, on a link or without one.
        case arm
        /// Disconnect is under way: ask nothing until `arm`.
        case hold
        /// What became of StartNotify at this path.
        case reply(String, BusError?)
        /// A value of the characteristic at this path came on this link.
        case value(String)
        /// bluetoothd is gone, and all sessions and objects.
        case lost
        case deadline
    }

    /// What is to be done, or became of it.
    enum Action: Equatable, Sendable {
        case startNotify(path: String, patience: Int64)
        /// Every characteristic has got its answer.
        case settled
        /// The session was lost, and is there again; whether readings may be lost with it.
        case mended(BluetoothUUID, isLoss: Bool)
        /// Nobody knows whether the session stood when the link came up; it does now.
        case doubtful(BluetoothUUID)
        case refused(BluetoothUUID, ErrorClass, BusError)
        /// The sensor does not answer although the link is up.
        case stuck(after: Int64)
    }

    /// The last time that the link came up or went down.
    struct Edge: Equatable, Sendable {
        var number = 0
        var isUp = false
    }

    /// The characteristics that are wanted, by path.
    var items: [String: SensorArmingItem] = [:]
    private var isHeld = false
    /// The last edge of the link.
    private(set) var edge = Edge()
    private var hasValues = false
    /// Whether it was said of this link that the sensor does not answer.
    var wasToldStuck = false
    private let seed: UInt64

    /// Nothing is armed; the seed spreads the retries.
    init(seed: UInt64) {
        self.seed = seed
    }

    /// When `Event.deadline` is due.
    var nextDeadline: Int64? {
        items.values.lazy.compactMap { due($0) }.min()
    }

    /// Takes an event in and says what is to be done, in order.
    mutating func handle(_ event: Event, at now: Int64) -> [Action] {
        switch event {
        case .appeared(let object): return appeared(object, at: now)
        case .gone(let path):
            items[path] = nil
            return []
        case .edge(let isUp):
            crossed(isUp: isUp)
            return []
        case .arm: return arm(at: now)
        case .hold:
            isHeld = true
            return []
        case .reply(let path, let error): return reply(path, error, at: now)
        case .value(let path):
            hasValues = true
            items[path]?.hasValue = true
            return []
        case .lost:
            items = [:]
            isHeld = false
            return []
        case .deadline: return deadline(at: now)
        }
    }
}

extension SensorArming {
    /// Whether bluetoothd said of every characteristic that its session stands.
    var isArmed: Bool {
        !items.isEmpty && items.values.allSatisfy { $0.isStanding }
    }

    /// Whether at least one session stands.
    var isPartlyArmed: Bool { items.values.contains { $0.isStanding } }
    /// Whether every characteristic has got an answer.
    var isSettled: Bool { !items.isEmpty && !items.values.contains { $0.isAsking } }
    /// Calls that are not answered yet; never more than there are characteristics.
    var pending: Int { items.values.count { $0.isAsking } }

    /// The characteristics that are refused, and why.
    var refusals: [(uuid: BluetoothUUID, kind: ErrorClass, error: BusError)] {
        items.values.sorted { $0.object.path < $1.object.path }.compactMap { item in
            item.refusal.map { (item.object.uuid, $0.kind, $0.error) }
        }
    }

    /// When something of this characteristic is due.
    func due(_ item: SensorArmingItem) -> Int64? {
        switch item.state {
        case .idle, .refused: nil
        case .asking(let since, let edge, _):
            edge.isUp && edge == self.edge && !hasValues && !wasToldStuck
                ? since + Self.stuckPatience : nil
        case .standing(let checkAt): checkAt
        case .waiting(let until): until
        }
    }

    private mutating func appeared(_ object: CharacteristicObject, at now: Int64) -> [Action] {
        guard items[object.path] == nil else {
            items[object.path]?.object = object
            return []
        }
        guard items.count < Self.limit else { return [] }
        let own = object.path.utf8.reduce(seed) { $0 &* 31 &+ UInt64($1) }
        items[object.path] = SensorArmingItem(object, seed: own)
        return ask(object.path, at: now)
    }

    private mutating func crossed(isUp: Bool) {
        edge = Edge(number: edge.number + 1, isUp: isUp)
        hasValues = false
        wasToldStuck = false
        for path in items.keys { items[path]?.crossed(isUp: isUp) }
    }

    private mutating func arm(at now: Int64) -> [Action] {
        isHeld = false
        for path in items.keys {
            items[path]?.backoff.reset()
            items[path]?.checks = 0
        }
        return items.keys.sorted().flatMap { ask($0, at: now) }
    }

    /// One call a characteristic at a time: a wish that comes meanwhile is remembered.
    mutating func ask(_ path: String, at now: Int64) -> [Action] {
        guard !isHeld, let item = items[path] else { return [] }
        if case .asking(let since, let edge, _) = item.state {
            items[path]?.state = .asking(since: since, edge: edge, again: true)
            return []
        }
        items[path]?.wasStanding = item.isStanding
        items[path]?.state = .asking(since: now, edge: edge, again: false)
        return [.startNotify(path: path, patience: edge.isUp ? 35_000 : 10_000)]
    }
}
