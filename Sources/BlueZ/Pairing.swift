internal import DBus
package import Measurements

/// One window in which an operator pairs one sensor: it ends with a measurement of it, or with a reason.
///
/// ```
/// open ─► searching ─ found, chosen ─► preparing ─ kept, search ended ─► bonding ─ bond ─► testing
///            ▲                            │             has a bond already ──┼──────────────▲ │
///            │ gone, no link (five times) │                    no bond possible             │ │ value
///            └────────────────────────────┴───────────────── linking ◄───────┘              │ ▼
///                                                               └─ services ─────────────── ┘ done
/// any of them ── time over, cancelled, refused … ──► closing ── searches ended ──► closed
/// ```
/// What is known of the sensor is kept up to date first, and then looked at: so replies and signals may
/// come in any order.
package struct Pairing {
    /// Where the window stands.
    enum State {
        case searching
        case pairing(PairingSubject)
        case closing(until: Int64)
        case closed
    }

    /// Attempts with one sensor in a window; a sensor that fails so often needs a person.
    static let attemptLimit = 5
    /// Adapters that are searched on; no computer has more.
    static let adapterLimit = 8
    /// The shortest and the longest window, in ms: a sensor needs some seconds, and a search that is
    /// forgotten costs other programs the radio.
    static let windows: ClosedRange<Int64> = 5000...600_000

    let wish: PairingWish
    let windowEnd: Int64
    var state = State.searching
    var adapters: [String: AdapterObject] = [:]
    var searches: [String: PairingDiscovery] = [:]
    var candidates = PairingCandidates()
    var search: PairingSearch
    /// The calls whose replies are waited for.
    var pending: Set<PairingCall> = []
    /// Attempts that failed.
    var attempts = 0
    /// The earliest time of the next attempt; nil if it has passed.
    var notBefore: Int64?
    /// The sensor that we have made Trusted in this window, and that nobody had made so before.
    var trusted: String?
    /// The sensor that was given out to be armed.
    var adopted: PairingDevice?

    /// The number of the next call; the next window goes on from it.
    package private(set) var nextCall: UInt64

    /// A window that opens now; `open` starts it.
    package init(_ wish: PairingWish, firstCall: UInt64, at now: Moment) {
        self.wish = wish
        windowEnd =
            now.boot + min(max(wish.window, Self.windows.lowerBound), Self.windows.upperBound)
        search = PairingSearch(chosen: wish.address)
        nextCall = firstCall
    }

    /// Starts with what is known at this moment of the adapters that may be used, and their devices.
    package mutating func open(
        adapters: [AdapterObject], devices: [PairingDevice], at now: Moment
    ) -> [Action] {
        for adapter in adapters.prefix(Self.adapterLimit) { self.adapters[adapter.path] = adapter }
        for device in devices { candidates.keep(device, isWished: device.address == wish.address) }
        guard !adapters.isEmpty else { return fail(.environment(.noAdapter), at: now.boot) }
        guard !usableAdapters.isEmpty else {
            return fail(.environment(.adaptersOff), at: now.boot)
        }
        var actions = [Action.tell(.progress(step: "search", text: searchText))]
        actions += devices.flatMap { news(of: $0) }
        return actions + advance(at: now.boot)
    }

    /// Takes an event in and says what is to be done, in order.
    package mutating func handle(_ event: Event, at now: Moment) -> [Action] {
        if case .closed = state { return [] }
        return take(event, at: now.boot) + advance(at: now.boot)
    }

    /// When `Event.deadline` is due, on the clock of `Moment.boot`; nil if nothing is waited for.
    package var nextDeadline: Int64? {
        let own: [Int64?] =
            switch state {
            case .searching: [windowEnd, search.nextDeadline, notBefore]
            case .pairing(let subject): [windowEnd, subject.nextDeadline]
            case .closing(let until): [until]
            case .closed: []
            }
        return (own + searches.values.map(\.nextDeadline)).compactMap(\.self).min()
    }

    /// The sensor that nobody else may touch until it is adopted; nil if there is none.
    package var held: DeviceAddress? {
        guard case .pairing(let subject) = state, adopted == nil else { return nil }
        return subject.device.address
    }

    /// Whether a question of bluetoothd about the device at this path is for the operator.
    package func isAsked(about path: String) -> Bool {
        guard case .pairing(let subject) = state else { return false }
        return subject.device.path == path
    }

    /// The paths of the adapters that search for this window.
    package var searchingAdapters: Set<String> {
        Set(searches.filter { !$0.value.isIdle }.map(\.key))
    }

    /// The adapters that are on.
    var usableAdapters: Set<String> {
        Set(adapters.values.filter(\.isPowered).map(\.path))
    }

    private var searchText: String {
        guard let address = wish.address else {
            return "searching for sensors: switch yours on and bring it into pairing mode"
        }
        return "searching for \(address): switch it on and bring it into pairing mode"
    }

    /// Makes a call whose reply is waited for.
    mutating func call(_ step: PairingCall.Step, _ call: Call) -> Action {
        let mark = PairingCall(step: step, number: nextCall)
        nextCall += 1
        pending.insert(mark)
        return .call(mark, call)
    }
}

extension Pairing {
    /// Keeps what an event says.
    private mutating func take(_ event: Event, at now: Int64) -> [Action] {
        switch event {
        case .adapter(let adapter): return keep(adapter, at: now)
        case .adapterRemoved(let path): return removeAdapter(path)
        case .device(let device): return keep(device, at: now)
        case .deviceRemoved(let path): return removeDevice(path)
        case .disconnected(let path, let reason): return disconnected(path, reason, at: now)
        case .reply(let call, let error):
            guard pending.remove(call) != nil else { return [] }
            return replied(call.step, error.map(PairingError.init), at: now)
        case .agent(let request): return ask(request, at: now)
        case .agentCanceled: return withdrawQuestion()
        case .answer(let text): return answer(text, at: now)
        case .cancel: return fail(.environment(.cancelled(isBonded: isBonded)), at: now)
        case .value(let address, let characteristic, let octets):
            return measured(address, characteristic, octets, at: now)
        case .bluetoothdLost: return abort(.environment(.bluetoothdLost(isBonded: isBonded)))
        case .deadline: return searches.keys.sorted().flatMap { searchDeadline($0, at: now) }
        }
    }

    private mutating func keep(_ adapter: AdapterObject, at now: Int64) -> [Action] {
        guard adapters[adapter.path] != nil || adapters.count < Self.adapterLimit else { return [] }
        adapters[adapter.path] = adapter
        guard adapter.isPowered else {
            searches[adapter.path] = nil
            return []
        }
        return command(adapter.path) {
            $0.observe(isDiscovering: adapter.isDiscovering, at: now)
        }
    }

    private mutating func removeAdapter(_ path: String) -> [Action] {
        adapters[path] = nil
        searches[path] = nil
        return []
    }

    private mutating func keep(_ device: PairingDevice, at now: Int64) -> [Action] {
        candidates.keep(device, isWished: device.address == search.chosen)
        guard case .pairing(var subject) = state, subject.device.path == device.path else {
            return news(of: device)
        }
        subject.take(device, at: now)
        state = .pairing(subject)
        return []
    }

    private mutating func removeDevice(_ path: String) -> [Action] {
        candidates.remove(path)
        guard case .pairing(var subject) = state, subject.device.path == path else { return [] }
        subject.isGone = true
        state = .pairing(subject)
        return []
    }

    private mutating func disconnected(
        _ path: String, _ reason: String, at now: Int64
    ) -> [Action] {
        guard case .pairing(let subject) = state, subject.device.path == path,
            subject.wasPaired, reason == "org.bluez.Reason.Authentication"
        else { return [] }
        return fail(.bond(.keyMissing(subject.device.address)), at: now)
    }

    /// Whether a bond exists that this window has made or found.
    var isBonded: Bool {
        guard case .pairing(let subject) = state else { return false }
        return subject.isBonded
    }

    /// Goes on from what is known, as far as that reaches.
    private mutating func advance(at now: Int64) -> [Action] {
        switch state {
        case .searching: return advanceSearch(at: now)
        case .pairing(let subject): return advance(subject, at: now)
        case .closing(let until): return advanceClosing(until: until, at: now)
        case .closed: return []
        }
    }
}
