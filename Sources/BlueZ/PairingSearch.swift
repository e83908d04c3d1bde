internal import DBus
internal import Measurements

/// What a window searches for, and what was asked of the operator meanwhile.
struct PairingSearch {
    /// How long `--yes` waits for a second sensor before it takes the only one.
    static let settling: Int64 = 5000

    /// The sensor that is meant; nil while it is not known.
    var chosen: DeviceAddress?
    /// When the only candidate is taken; nil before the first.
    var settledAt: Int64?
    var isAsked = false

    /// When time does something next.
    var nextDeadline: Int64? { isAsked || chosen != nil ? nil : settledAt }
}

extension Pairing {
    /// Tells the operator of a device, if it may be what is looked for and is worth it.
    mutating func news(of device: PairingDevice) -> [Action] {
        guard case .searching = state, isCandidate(device),
            let best = candidates.best(device.address, on: usableAdapters),
            let candidate = candidates.news(of: best)
        else { return [] }
        return [.tell(.candidate(candidate))]
    }

    private func isCandidate(_ device: PairingDevice) -> Bool {
        if let address = wish.address { return device.address == address }
        return device.isHealthSensor
    }

    /// Starts what is not started, and begins with the sensor that is meant once it is there.
    mutating func advanceSearch(at now: Int64) -> [Action] {
        guard !usableAdapters.isEmpty else {
            return fail(.environment(.adapterLost), at: now)
        }
        guard now < windowEnd else { return fail(searchFailure, at: now) }
        var actions = choose(at: now)
        if let start = notBefore, now >= start { notBefore = nil }
        if let address = search.chosen, notBefore == nil,
            let device = candidates.best(address, on: usableAdapters), device.isReachable
        {
            return actions + begin(device, at: now)
        }
        actions += usableAdapters.sorted().flatMap { path in command(path) { $0.want() } }
        return actions
    }

    /// Without an address: the only sensor by itself where every answer is yes, else the operator's.
    private mutating func choose(at now: Int64) -> [Action] {
        guard search.chosen == nil, !search.isAsked else { return [] }
        let found = candidates.addresses(on: usableAdapters)
        guard !found.isEmpty else {
            search.settledAt = nil
            return []
        }
        let settledAt = search.settledAt ?? now + PairingSearch.settling
        search.settledAt = settledAt
        if wish.answersYes {
            guard now >= settledAt else { return [] }
            let heard = found.filter(isFresh)
            if heard.count == 1 {
                search.chosen = heard.first
                return []
            }
            guard heard.count > 1 else {
                search.settledAt = nil
                return []
            }
        }
        search.isAsked = true
        return [.tell(.ask(Question(.choose, text: "Which one?", patience: windowEnd - now)))]
    }

    /// Whether a sensor was heard in this window and is not paired: the kind that is taken unasked.
    private func isFresh(_ address: DeviceAddress) -> Bool {
        candidates.best(address, on: usableAdapters).map { $0.rssi != nil && !$0.isPaired } ?? false
    }

    private var searchFailure: PairingFailure {
        if let error = searches.values.compactMap(\.lastError).first {
            return .search(.refused(error))
        }
        if let address = search.chosen { return .search(.notHeard(address)) }
        let isHeard = !candidates.addresses(on: usableAdapters).isEmpty
        return .search(isHeard ? .notChosen : .nothingHeard)
    }

    /// Lets the search on one adapter do something, and makes the calls that it wants.
    mutating func command(
        _ path: String, _ change: (inout PairingDiscovery) -> [PairingDiscovery.Command]
    ) -> [Action] {
        var discovery = searches[path] ?? PairingDiscovery()
        let commands = change(&discovery)
        searches[path] = discovery
        return commands.map { command in
            switch command {
            case .setFilter: call(.setFilter(path), .discoveryFilter(adapter: path))
            case .start: call(.startDiscovery(path), .adapter(path, "StartDiscovery"))
            case .stop: call(.stopDiscovery(path), .adapter(path, "StopDiscovery"))
            }
        }
    }

    /// The search on one adapter is due.
    mutating func searchDeadline(_ path: String, at now: Int64) -> [Action] {
        command(path) { $0.deadline(at: now) }
    }

    /// The searches on all adapters end.
    mutating func endSearches() -> [Action] {
        searches.keys.sorted().flatMap { path in command(path) { $0.unwant() } }
    }

    /// Whether no search of ours runs anywhere.
    var isQuiet: Bool { searches.values.allSatisfy(\.isIdle) }
}

extension Call {
    /// Searches find Low Energy devices only.
    static func discoveryFilter(adapter: String) -> Call {
        Call(
            path: adapter, interface: BlueZNames.adapter, member: "SetDiscoveryFilter",
            [.properties([("Transport", .string("le"))])])
    }

    /// A method of Adapter1 without arguments.
    static func adapter(_ path: String, _ member: String) -> Call {
        Call(path: path, interface: BlueZNames.adapter, member: member)
    }
}
