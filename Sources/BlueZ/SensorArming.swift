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
        /// A value came on this link.
        case value
        /// bluetoothd is gone, and all sessions and objects.
        case lost
        case deadline
    }

    /// What is to be done, or became of it.
    enum Action: Equatable, Sendable {
        case startNotify(path: String, patience: Int64)
        /// Every characteristic has got its answer.
        case settled
        /// The session was lost, and is there again.
        case mended(BluetoothUUID)
        case refused(BluetoothUUID, ErrorClass, BusError)
        /// The sensor does not answer although the link is up.
        case stuck(after: Int64)
    }

    /// How one characteristic stands.
    struct Item: Sendable {
        fileprivate(set) var object: CharacteristicObject
        fileprivate var state = ItemState.idle
        fileprivate var wasStanding = false
        fileprivate var hasStood = false
        fileprivate var backoff: Backoff
        fileprivate var checks = 0
        /// The last refusal, which counts until it is heard of again.
        fileprivate(set) var refusal: (kind: ErrorClass, error: BusError)?
    }

    /// The last time that the link came up or went down.
    fileprivate struct Edge: Equatable, Sendable {
        var number = 0
        var isUp = false
    }

    fileprivate enum ItemState: Sendable {
        case idle
        case asking(since: Int64, edge: Edge, again: Bool)
        case standing(checkAt: Int64?)
        case waiting(until: Int64)
        case refused
    }

    /// The characteristics that are wanted, by path.
    private(set) var items: [String: Item] = [:]
    private var isHeld = false
    private var edge = Edge()
    private var hasValues = false
    private var wasToldStuck = false
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
        case .value:
            hasValues = true
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

    private func due(_ item: Item) -> Int64? {
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
        items[object.path] = Item(
            object: object, backoff: Backoff([250, 1_000, 4_000, 15_000, 60_000], seed: own))
        return ask(object.path, at: now)
    }

    private mutating func crossed(isUp: Bool) {
        edge = Edge(number: edge.number + 1, isUp: isUp)
        hasValues = false
        wasToldStuck = false
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
    private mutating func ask(_ path: String, at now: Int64) -> [Action] {
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

// MARK: - Replies and time

extension SensorArming {
    private mutating func reply(
        _ path: String, _ error: BusError?, at now: Int64
    ) -> [Action] {
        guard let item = items[path], case .asking(_, let asked, let again) = item.state else {
            return []
        }
        items[path]?.state = .idle
        let isStale = asked != edge
        let news = error.map { failed(path, $0, at: now) } ?? succeeded(item, asked)
        let more = again && isStale ? ask(path, at: now) : []
        return news + more + (isSettled ? [.settled] : [])
    }

    /// Without a link success means that there was no session; on a link it is always said.
    ///
    /// Asked without a link and answered after the next came up, it may have come too late for that one.
    private mutating func succeeded(_ item: Item, _ asked: Edge) -> [Action] {
        let path = item.object.path
        items[path]?.state = .standing(checkAt: nil)
        items[path]?.hasStood = true
        items[path]?.backoff.reset()
        if asked != edge || edge.isUp { items[path]?.refusal = nil }
        let isMended = asked == edge ? item.wasStanding : item.hasStood
        return isMended && !asked.isUp ? [.mended(item.object.uuid)] : []
    }

    private mutating func failed(_ path: String, _ error: BusError, at now: Int64) -> [Action] {
        let kind = ErrorClass(error, of: .arm)
        switch kind {
        case .alreadyDone: return stands(path, at: now)
        case .gone:
            items[path] = nil
            return []
        case .transient, .unknown, .slot, .unanswered:
            return mayGoWell(path, kind, error, tries: Self.tryLimit, at: now)
        case .bond, .permission: return mayGoWell(path, kind, error, tries: 2, at: now)
        case .held: return leave(path, kind, error, at: now)
        case .environment, .permanent: return refuse(path, kind, error)
        }
    }

    /// Who has it may end at any time, and nothing on the bus tells of that.
    private mutating func leave(
        _ path: String, _ kind: ErrorClass, _ error: BusError, at now: Int64
    ) -> [Action] {
        let news = refuse(path, kind, error)
        items[path]?.state = .waiting(until: now + Self.heldRest)
        return news
    }

    /// While a link comes up, InProgress tells that the session is being renewed, not that it will be.
    private mutating func stands(_ path: String, at now: Int64) -> [Action] {
        let isCheckDue = edge.isUp && (items[path]?.checks ?? 0) < Self.checkLimit
        items[path]?.checks += 1
        items[path]?.hasStood = true
        items[path]?.state = .standing(checkAt: isCheckDue ? now + 2_000 : nil)
        return []
    }

    private mutating func mayGoWell(
        _ path: String, _ kind: ErrorClass, _ error: BusError, tries: Int, at now: Int64
    ) -> [Action] {
        guard let done = items[path]?.backoff.tries, done < tries,
            let wait = items[path]?.backoff.next()
        else { return refuse(path, kind, error) }
        items[path]?.state = .waiting(until: now + wait)
        return []
    }

    /// Told once as long as the reason is the same.
    private mutating func refuse(
        _ path: String, _ kind: ErrorClass, _ error: BusError
    ) -> [Action] {
        guard let item = items[path] else { return [] }
        items[path]?.state = .refused
        items[path]?.refusal = (kind, error)
        return item.refusal?.error == error ? [] : [.refused(item.object.uuid, kind, error)]
    }

    private mutating func deadline(at now: Int64) -> [Action] {
        items.keys.sorted().flatMap { path -> [Action] in
            guard let item = items[path], let due = due(item), due <= now else { return [] }
            guard case .asking(let since, _, _) = item.state else { return ask(path, at: now) }
            wasToldStuck = true
            return [.stuck(after: now - since)]
        }
    }
}

extension SensorArming.Item {
    /// Whether bluetoothd says that the session stands.
    var isStanding: Bool {
        switch state {
        case .standing: true
        case .asking: wasStanding
        case .idle, .waiting, .refused: false
        }
    }

    fileprivate var isAsking: Bool {
        if case .asking = state { true } else { false }
    }
}
