import DBus
import Measurements

extension Supervisor {
    /// What holds now, for those who ask.
    package func snapshot(at now: Moment) -> RadioSnapshot {
        let radio = radioFacts
        var snapshot = RadioSnapshot()
        snapshot.findings = Diagnosis.findings(of: radio, at: now.wall)
        snapshot.adapters = usableAdapters.map { adapter, address in
            RadioSnapshot.Adapter(
                address: address, name: adapter.name, isPowered: adapter.isPowered,
                isDiscovering: adapter.isDiscovering)
        }
        snapshot.sensors = listedSensors.map { sensor($0, radio, at: now) }
        snapshot.counters = counters
        return snapshot
    }

    private var usableAdapters: [(object: AdapterObject, address: DeviceAddress)] {
        tree.adapters.values.sorted { $0.path < $1.path }.compactMap { adapter in
            adapter.address.map { (adapter, $0) }
        }
    }

    /// The sensors that are cared for, and those that the configuration lists otherwise.
    private var listedSensors: [DeviceAddress] {
        Set(sessions.keys).union(settings.sensors.keys).sorted { $0.bits < $1.bits }
    }

    private var radioFacts: RadioFacts {
        var facts = RadioFacts(daemon: daemonFacts)
        let searching = pairing?.window.searchingAdapters ?? []
        facts.adapters = usableAdapters.map { adapter, address in
            RadioFacts.Adapter(
                address: address, name: adapter.name, isPowered: adapter.isPowered,
                searchedSince: searching.contains(adapter.path)
                    ? nil : radios[adapter.path]?.searchedSince)
        }
        if let block { facts.block = block }
        facts.profileFailure = radios.values.compactMap(\.failure).first
        facts.isClockSynchronised = isClockSynchronised
        return facts
    }

    private var daemonFacts: RadioFacts.Daemon {
        if let error = presence.refusal { return .denied(error) }
        if let error = presence.busError { return .noBus(error) }
        if presence.isUnresponsive, let since = tally.goneSince {
            return .unresponsive(since: since, calls: HangProbe.missLimit)
        }
        guard presence.isPresent else { return .absent(since: tally.goneSince) }
        return .present
    }

    /// In a fixed order.
    private var counters: [(name: String, value: Int)] {
        [
            ("bluetoothdStarts", tally.bluetoothdStarts), ("links", tally.links),
            ("frames", tally.frames), ("values", tally.values), ("signals", tally.signals),
            ("foreignSignals", tally.foreignSignals), ("calls", tally.calls),
            ("pendingCalls", book.count), ("unansweredCalls", tally.unanswered),
            ("lateReplies", tally.lateReplies), ("refusedSensors", tally.refusedSensors),
        ]
    }
}

// MARK: - Sensors

extension Supervisor {
    private func sensor(
        _ address: DeviceAddress, _ radio: RadioFacts, at now: Moment
    ) -> RadioSnapshot.Sensor {
        let facts = facts(of: address)
        let findings = Diagnosis.findings(of: facts, radio: radio, at: now.wall)
        var sensor = RadioSnapshot.Sensor(
            address: address, state: state(facts, findings, radio, at: now))
        sensor.name = facts.name
        sensor.adapter = facts.adapter
        sensor.isPaired = facts.isPaired
        sensor.lastSeen = facts.lastSeen
        sensor.lastFrame = facts.lastFrame
        sensor.findings = findings
        guard let session = sessions[address] else { return sensor }
        sensor.rssi = session.object?.rssi
        sensor.battery = session.tally.battery
        sensor.framesOfLink = session.link.upSince == nil ? 0 : session.tally.framesOfLink
        sensor.frames = session.tally.frames
        sensor.links = session.tally.links
        return sensor
    }

    private func facts(of address: DeviceAddress) -> SensorFacts {
        var facts = sessions[address]?.facts ?? SensorFacts(address)
        let configured = settings.sensors[address]
        facts.isEnabled = configured?.isEnabled ?? true
        facts.dismissal = facts.isEnabled ? nil : dismissal(of: address)
        facts.wantedAdapter = configured?.adapter
        facts.name = facts.name ?? configured?.name
        if let bond = sessions[address]?.bondAdapter, facts.adapter == nil,
            !usableAdapters.contains(where: { $0.address == bond }), presence.isPresent
        {
            facts.missingAdapter = bond
        }
        return facts
    }

    /// One word; what is wrong with bluetoothd or the adapter makes a sensor absent, not failing.
    private func state(
        _ facts: SensorFacts, _ findings: [Finding], _ radio: RadioFacts, at now: Moment
    ) -> String {
        guard facts.isEnabled else { return "disabled" }
        if facts.isConnected {
            let age = now.wall.milliseconds - (facts.lastFrame?.milliseconds ?? .min / 2)
            return age <= 10_000 ? "live" : "connected"
        }
        guard radio.isReady, facts.adapter != nil else { return "absent" }
        if findings.contains(where: { $0.level == .fail }) { return "failing" }
        guard facts.isPaired || facts.isTrusted else { return "absent" }
        return facts.isPartlyArmed ? "armed" : "unarmed"
    }
}
