import DBus

/// Whether the bus and bluetoothd are there, and what bluetoothd's objects are at first.
///
///     noBus ──opened──► matching ──six replies──► asking ──no owner──► absent ◄──owner gone── any
///       ▲                                            │ owner             │ owner
///       └──closed── any                              ▼                   ▼
///                                                 reading ───────────────┘
///                         refused ◄──AccessDenied── │ ──objects──► present
///
/// Signals that come while the objects are read are kept and taken in after them. A bluetoothd that
/// died without taking its objects back is started again; one that was stopped is waited for.
struct Presence: Sendable {
    /// Signals that are kept while the objects are read, which takes well under a second.
    static let queueLimit = 4096

    /// A call that is answered here.
    enum Request: Equatable, Sendable {
        case addMatch
        case nameOwner
        case managedObjects
        case activate
        case probe
        /// Whether this sender may tell that the host goes to sleep, or that it woke up.
        case sleepTeller(String, isGoingDown: Bool)
    }

    /// What comes in.
    enum Event: Sendable {
        case opened
        case closed(BusError)
        /// A signal; `isServing` tells whether bluetoothd's objects were there until now.
        case signal(BusMessage, isServing: Bool)
        case reply(Request, Result<[BusValue], BusError>)
        /// A call of bluetoothd was not answered in time.
        case doubt
        /// The objects are to be read again.
        case reread
        case deadline
    }

    /// What is to be done.
    enum Action: Equatable, Sendable {
        case call(Request, Call)
        /// Everything that the bluetoothd before knew is void.
        case lost
        /// These are the objects of bluetoothd.
        case objects(BusValue)
        /// A signal of bluetoothd that is to be taken in.
        case take(BusMessage)
        /// A signal of somebody else, which means nothing.
        case foreign
        case note(LedgerEntry.Event, String)
        case suspended
        case resumed
    }

    /// How far it is.
    enum State: Sendable {
        case noBus(BusError?)
        case matching(waiting: Int)
        case asking
        case absent(nextTry: Int64?)
        case reading(owner: String, queue: [BusMessage], nextTry: Int64?)
        case present(owner: String)
        case refused(owner: String?, BusError)
    }

    /// How far it is; changed by its own events only.
    var state = State.noBus(nil)
    /// The waits before the objects are asked for again.
    var readings: Backoff
    /// The waits before bluetoothd is started again.
    var activations: Backoff
    /// Whether bluetoothd answers.
    var probing: HangProbe

    /// Nothing is known; the seed spreads the retries.
    init(seed: UInt64) {
        readings = Backoff([1_000, 2_000, 4_000, 8_000, 15_000, 30_000, 60_000], seed: seed)
        activations = Backoff([5_000, 15_000, 45_000, 120_000, 300_000], seed: seed &+ 1)
        probing = HangProbe(seed: seed &+ 2)
    }

    /// When `Event.deadline` is due.
    var nextDeadline: Int64? {
        switch state {
        case .noBus, .matching, .asking, .refused: nil
        case .absent(let nextTry): nextTry
        case .reading(_, _, let nextTry): earlier(nextTry, probing.nextDeadline)
        case .present: probing.nextDeadline
        }
    }

    /// Takes an event in and says what is to be done, in order.
    mutating func handle(_ event: Event, at now: Int64) -> [Action] {
        switch event {
        case .opened: return opened()
        case .closed(let error): return closed(error)
        case .signal(let signal, let isServing): return take(signal, isServing: isServing, at: now)
        case .reply(let request, let result): return take(result, of: request, at: now)
        case .doubt: return owner == nil ? [] : actions(of: probing.handle(.doubt, at: now))
        case .reread:
            guard case .present = state else { return [] }
            return [.call(.managedObjects, Self.managedObjects)]
        case .deadline: return deadline(at: now)
        }
    }
}

extension Presence {
    /// The unique name of bluetoothd; nil while it is not there.
    var owner: String? {
        switch state {
        case .noBus, .matching, .asking, .absent: nil
        case .reading(let owner, _, _), .present(let owner): owner
        case .refused(let owner, _): owner
        }
    }

    /// Whether bluetoothd's objects are known.
    var isPresent: Bool {
        if case .present = state { true } else { false }
    }

    /// Whether the bus is there, and nobody on it is bluetoothd.
    var isAbsent: Bool {
        if case .absent = state { true } else { false }
    }

    /// Whether it is not known yet if bluetoothd is there, as after a start.
    var isUndecided: Bool {
        switch state {
        case .noBus(let error): error == nil
        case .matching, .asking: true
        case .reading: !isUnresponsive
        case .absent, .present, .refused: false
        }
    }

    /// Why there is no bus; nil if there is one, or if nobody has tried yet.
    var busError: BusError? {
        if case .noBus(let error) = state { error } else { nil }
    }

    /// Why we may not talk to bluetoothd.
    var refusal: BusError? {
        if case .refused(_, let error) = state { error } else { nil }
    }

    /// Whether bluetoothd is there, but has not answered several times.
    var isUnresponsive: Bool { probing.isUnresponsive }
    /// Whether there is a bus.
    var hasBus: Bool {
        if case .noBus = state { false } else { true }
    }
}

// MARK: - The bus

extension Presence {
    private mutating func opened() -> [Action] {
        state = .matching(waiting: Self.rules.count)
        return Self.rules.map { .call(.addMatch, Self.bus("AddMatch", [.string($0)])) }
    }

    private mutating func closed(_ error: BusError) -> [Action] {
        let isNews = hasBus || busError != error
        state = .noBus(error)
        probing.handle(.forget)
        return [.lost] + (isNews ? [.note(.busClosed, error.description)] : [])
    }

    /// A constant number, however many sensors there are.
    static let rules = [
        "type='signal',sender='org.bluez',path_namespace='/org/bluez',"
            + "interface='org.freedesktop.DBus.Properties',member='PropertiesChanged'",
        "type='signal',sender='org.bluez',"
            + "interface='org.freedesktop.DBus.ObjectManager',member='InterfacesAdded'",
        "type='signal',sender='org.bluez',"
            + "interface='org.freedesktop.DBus.ObjectManager',member='InterfacesRemoved'",
        "type='signal',sender='org.bluez',interface='org.bluez.Device1',member='Disconnected'",
        "type='signal',sender='org.freedesktop.DBus',interface='org.freedesktop.DBus',"
            + "member='NameOwnerChanged',arg0='org.bluez'",
        "type='signal',sender='org.freedesktop.login1',"
            + "interface='org.freedesktop.login1.Manager',member='PrepareForSleep'",
    ]

    /// A call of the bus itself.
    static func bus(_ member: String, _ arguments: [BusValue]) -> Call {
        Call(
            to: BlueZNames.bus, path: BlueZNames.busPath, interface: BlueZNames.bus,
            member: member, arguments)
    }

    /// Who bluetoothd is.
    static let nameOwner = bus("GetNameOwner", [.string(BlueZNames.service)])
    /// All objects of bluetoothd.
    static let managedObjects = Call(
        path: "/", interface: BlueZNames.objectManager, member: "GetManagedObjects")
}
