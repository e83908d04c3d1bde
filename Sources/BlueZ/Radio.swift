import DBus
import Measurements

/// One adapter: whether it is on, and whether it connects our sensors by itself.
///
///     off ──Powered──► on        each with:  unregistered ──GattManager1──► asking ──► registered
///      ▲                │                         ▲            ▲              │ error     │ renew
///      └────────────────┘                         │            └───waiting◄───┘           │
///                                                 └────────────renewing◄──────────────────┘
///
/// It is switched on once at most each time that it appears, and only where the configuration wants it.
struct Radio: Sendable {
    /// bluetoothd itself switches a new adapter on within this, in ms, if it is told to.
    static let ownPowering: Int64 = 3_000

    /// A call that is answered here.
    enum Request: Equatable, Sendable {
        case register
        case unregister
        case powerOn
    }

    /// What comes in.
    enum Event: Sendable {
        /// It appeared, or these properties of it were announced.
        case object(AdapterObject, Set<AdapterProperty>)
        case reply(Request, BusError?)
        /// Whether the configuration wants it switched on.
        case wish(powersOn: Bool)
        /// bluetoothd let go of our profile.
        case released
        case deadline
    }

    /// What is to be done, or became of it.
    enum Action: Equatable, Sendable {
        case call(Request, Call)
        case note(LedgerEntry.Event, String)
        case askRadioBlock
        /// It was switched on or off.
        case powered(Bool)
        /// From now on it connects our sensors by itself.
        case registered
    }

    private enum Registration: Equatable, Sendable {
        case none
        case asking
        case done
        /// It is given up, so that it can be made anew.
        case renewing
        case waiting(until: Int64)
        case refused
    }

    /// What bluetoothd says of it.
    private(set) var object: AdapterObject
    private var registration = Registration.none
    private var retries: Backoff
    private var powersOn: Bool
    private var powerAt: Int64?
    /// Why our profile could not be registered; nil if it was, or if nobody has tried.
    private(set) var failure: BusError?
    /// Since when a search runs on it; nil if none does.
    private(set) var searchedSince: Instant?

    /// An adapter that has just appeared; the seed spreads the retries.
    init(_ object: AdapterObject, powersOn: Bool, seed: UInt64) {
        self.object = object
        self.powersOn = powersOn
        retries = Backoff([500, 2_000, 10_000, 60_000, 300_000], seed: seed)
    }

    /// When `Event.deadline` is due.
    var nextDeadline: Int64? {
        guard case .waiting(let until) = registration else { return powerAt }
        return earlier(until, powerAt)
    }

    /// Whether it connects our sensors by itself.
    var isRegistered: Bool { registration == .done }

    /// What is to be done with an adapter that is there from now on.
    mutating func begin(at now: Moment) -> [Action] {
        let state = object.isPowered ? "on" : "off"
        searchedSince = object.isDiscovering ? now.wall : nil
        powerAt = object.isPowered || !powersOn ? nil : now.boot + Self.ownPowering
        let note = Action.note(.adapterAdded, "\(name), \(state)")
        return [note] + (object.isPowered ? [] : [.askRadioBlock]) + register()
    }

    /// Takes an event in and says what is to be done, in order.
    mutating func handle(_ event: Event, at now: Moment) -> [Action] {
        switch event {
        case .object(let new, let named): return take(new, named, at: now)
        case .reply(.register, let error): return registered(error, at: now)
        case .reply(.unregister, _):
            guard registration == .renewing else { return [] }
            registration = .none
            return register()
        case .reply(.powerOn, let error):
            guard let error else { return [] }
            return [.note(.refused, "\(name) cannot be switched on: \(error)"), .askRadioBlock]
        case .wish(let powersOn):
            self.powersOn = powersOn
            return []
        case .released: return released(at: now)
        case .deadline: return deadline(at: now)
        }
    }
}

extension Radio {
    /// The address and the kernel's name, as the ledger has them.
    var name: String { object.name + (object.address.map { " (\($0))" } ?? "") }

    private mutating func take(
        _ new: AdapterObject, _ named: Set<AdapterProperty>, at now: Moment
    ) -> [Action] {
        let before = object
        object = new
        if new.isDiscovering != before.isDiscovering {
            searchedSince = new.isDiscovering ? now.wall : nil
        }
        if !new.hasGattManager { registration = .none }
        let power = new.isPowered == before.isPowered ? [] : powerChanged()
        return power + register()
    }

    private mutating func powerChanged() -> [Action] {
        powerAt = nil
        guard object.isPowered else {
            return [.note(.adapterOff, name), .askRadioBlock, .powered(false)]
        }
        return [.note(.adapterOn, name), .powered(true)]
    }

    private mutating func register() -> [Action] {
        guard object.hasGattManager, registration == .none else { return [] }
        registration = .asking
        return [.call(.register, ExportedObjects.registerApplication(adapter: object.path))]
    }

    /// Registers the profile anew, so that bluetoothd connects what it was told to leave.
    mutating func renew() -> [Action] {
        guard registration == .done else { return [] }
        registration = .renewing
        return [.call(.unregister, ExportedObjects.unregisterApplication(adapter: object.path))]
    }

    /// Mostly bluetoothd or the adapter is going; if not, the profile is wanted again.
    private mutating func released(at now: Moment) -> [Action] {
        guard registration == .done else { return [] }
        registration = .waiting(until: now.boot + 2_000)
        return []
    }

    private mutating func registered(_ error: BusError?, at now: Moment) -> [Action] {
        guard registration == .asking else { return [] }
        guard let error, ErrorClass(error, of: .register) != .alreadyDone else {
            registration = .done
            failure = nil
            retries.reset()
            return [.registered]
        }
        let isNews = failure != error
        failure = error
        let kind = ErrorClass(error, of: .register)
        let isFinal = kind == .permission || kind == .permanent || kind == .gone
        registration = isFinal ? .refused : .waiting(until: now.boot + retries.next())
        return isNews ? [.note(.refused, "the profile, by \(name): \(error)")] : []
    }

    private mutating func deadline(at now: Moment) -> [Action] {
        var actions: [Action] = []
        if case .waiting(let until) = registration, until <= now.boot {
            registration = .none
            actions += register()
        }
        guard let due = powerAt, due <= now.boot else { return actions }
        powerAt = nil
        let call = Call.set(
            "Powered", of: BlueZNames.adapter, at: object.path, to: .boolean(true))
        return actions + [.call(.powerOn, call)]
    }
}
