internal import Measurements

extension Diagnosis {
    /// What keeps a sensor from being ours.
    static func bondFindings(
        _ sensor: SensorFacts, _ radio: RadioFacts, _ now: Instant
    ) -> [Finding?] {
        let removed = removed(sensor, now)
        let missing = missingAdapter(sensor) ?? wantedAdapter(sensor, radio)
        let unknown = removed == nil && missing == nil ? unknown(sensor, radio) : nil
        return [removed, missing, unknown, bondLost(sensor), refused(sensor)]
    }

    private static func removed(_ sensor: SensorFacts, _ now: Instant) -> Finding? {
        guard let at = sensor.removedAt, !sensor.isPaired else { return nil }
        return Finding(
            .fail, "removed-elsewhere", "Another program has removed this sensor's bond.",
            evidence: "its device object went \(Age(from: at, to: now)) ago, not by healthd",
            nextStep: "Pair it again: healthctl pair \(sensor.address)")
    }

    private static func missingAdapter(_ sensor: SensorFacts) -> Finding? {
        guard let adapter = sensor.missingAdapter else { return nil }
        return Finding(
            .fail, "bonded-elsewhere",
            "This sensor is bonded with an adapter that is not plugged in.",
            evidence: "the bond is on \(adapter)",
            nextStep: "Plug that adapter in, or pair with the one that is there: "
                + "healthctl pair \(sensor.address)")
    }

    private static func wantedAdapter(_ sensor: SensorFacts, _ radio: RadioFacts) -> Finding? {
        guard radio.isReady, let wanted = sensor.wantedAdapter,
            !radio.adapters.contains(where: { $0.address == wanted })
        else { return nil }
        return Finding(
            .fail, "wanted-adapter-missing",
            "The adapter that the configuration names for this sensor is not there.",
            evidence: "adapter = \(wanted) in [sensor \(sensor.address)]",
            nextStep: "Plug it in, or take that line out of healthd.conf.")
    }

    private static func unknown(_ sensor: SensorFacts, _ radio: RadioFacts) -> Finding? {
        guard radio.isReady, !sensor.isPaired, !sensor.isTrusted else { return nil }
        return Finding(
            .fail, "not-paired", "This sensor is not paired with this computer.",
            evidence: sensor.adapter == nil
                ? "bluetoothd does not know \(sensor.address)"
                : "bluetoothd knows it, with Paired = false and Trusted = false",
            nextStep: "healthctl pair \(sensor.address)")
    }

    /// One such link can be chance; two in a row on a bonded sensor are not.
    private static func bondLost(_ sensor: SensorFacts) -> Finding? {
        guard sensor.isPaired, sensor.keylessLinks >= 2 else { return nil }
        return Finding(
            .fail, "bond-lost",
            "The sensor has forgotten this computer (a reset, new batteries, or another phone).",
            evidence: "\(sensor.keylessLinks) links in a row ended for want of a key, while "
                + "Paired = true here",
            nextStep: "healthctl forget \(sensor.address), then healthctl pair \(sensor.address)")
    }

    private static func refused(_ sensor: SensorFacts) -> Finding? {
        guard let refusal = sensor.refusal else { return nil }
        let evidence = "StartNotify: \(refusal.error)"
        switch refusal.kind {
        case .held:
            return Finding(
                .fail, "held-by-another",
                "Another program takes this sensor's readings for itself.",
                evidence: evidence, nextStep: "End that program; healthd then goes on by itself.")
        case .bond:
            return Finding(
                .fail, "bond-wanted",
                "The sensor gives its readings only to whom it is paired with.",
                evidence: evidence, nextStep: "healthctl pair \(sensor.address)")
        case .permission:
            return Finding(
                .fail, "refused", "The sensor refuses to send its readings.", evidence: evidence,
                nextStep: "Switch it off and on; if that does not help, forget and pair it again.")
        case .other:
            return Finding(
                .warn, "arming-failed", "The sensor was not ready to send; healthd tries again.",
                evidence: evidence, nextStep: "If this stays, switch the sensor off and on.")
        }
    }

    /// What is wrong with the link, or that there is none.
    ///
    /// Whether a sensor that is away should come cannot be said while none can.
    static func linkFindings(
        _ sensor: SensorFacts, _ radio: RadioFacts, _ now: Instant
    ) -> [Finding?] {
        [
            empty(sensor), noHealthService(sensor), flapping(sensor), stuck(sensor, now),
            silent(sensor, now),
        ] + (radio.isReady ? [absent(sensor, now), unarmed(sensor)] : [])
    }

    private static func empty(_ sensor: SensorFacts) -> Finding? {
        guard sensor.emptyLinks > 0 else { return nil }
        return Finding(
            sensor.emptyLinks > 1 ? .fail : .warn, "no-services",
            "The sensor was reached, but does not say what it can measure.",
            evidence: "ServicesResolved = true without a GATT object, on "
                + (sensor.emptyLinks == 1 ? "1 link" : "\(sensor.emptyLinks) links"),
            nextStep: "Switch it off and on. If that does not help: healthctl forget "
                + "\(sensor.address), then healthctl pair \(sensor.address)")
    }

    private static func noHealthService(_ sensor: SensorFacts) -> Finding? {
        guard sensor.isResolved, sensor.emptyLinks == 0, !sensor.services.isEmpty,
            !sensor.services.contains(where: \.isHealthService)
        else { return nil }
        let name = PrivateProtocol.name(among: sensor.services)
        return Finding(
            .fail, "no-health-service",
            "This device offers no standard pulse oximeter, thermometer or heart rate service"
                + (name.map { ", only \($0)." } ?? "."),
            evidence: "services \(sensor.services.map(\.description).joined(separator: " "))",
            nextStep: "healthd cannot read it. Look for a sensor with the standard services.")
    }

    private static func flapping(_ sensor: SensorFacts) -> Finding? {
        guard sensor.flappingLinks > 0 else { return nil }
        return Finding(
            .warn, "flapping", "The sensor connects and hangs up at once, again and again.",
            evidence: "\(sensor.flappingLinks) short links in a row",
            nextStep:
                "Change its batteries, hold it closer, and see that no phone is paired with it.")
    }

    private static func stuck(_ sensor: SensorFacts, _ now: Instant) -> Finding? {
        guard sensor.isConnected, !sensor.isResolved, let since = sensor.linkedAt,
            now.milliseconds - since.milliseconds > Limit.unresolved
        else { return nil }
        return Finding(
            .warn, "unresolved", "The sensor is connected, but does not say what it can measure.",
            evidence: "ServicesResolved = false for \(Age(from: since, to: now))",
            nextStep:
                "healthd hangs up and tries again. If this stays, switch the sensor off and on.")
    }

    private static func silent(_ sensor: SensorFacts, _ now: Instant) -> Finding? {
        guard sensor.isConnected, sensor.isResolved, sensor.isArmed, sensor.isStreaming,
            let since = [sensor.lastFrame, sensor.linkedAt].compactMap(\.self).max(),
            now.milliseconds - since.milliseconds > Limit.silent
        else { return nil }
        return Finding(
            .warn, "silent", "The sensor is connected and says nothing.",
            evidence: "link up and armed, no measurement for \(Age(from: since, to: now))",
            nextStep: "Put a finger in. If that does not help, switch the sensor off and on.")
    }

    private static func absent(_ sensor: SensorFacts, _ now: Instant) -> Finding? {
        guard !sensor.isConnected, sensor.isPaired || sensor.isTrusted else { return nil }
        let next = "Switch it on, bring it close, and see that no phone is connected to it."
        guard let seen = sensor.lastSeen else {
            return Finding(
                .warn, "never-seen", "The sensor was not heard since healthd was started.",
                evidence: evidence(sensor, now), nextStep: next)
        }
        let limit = sensor.isStreaming ? Limit.absentStream : Limit.absentSpot
        guard now.milliseconds - seen.milliseconds > limit else { return nil }
        return Finding(
            .warn, "not-seen",
            "The sensor was not heard for \(Age(from: seen, to: now)). It is switched off, "
                + "too far away, or connected to a phone.",
            evidence: "last heard \(seen.text()), " + evidence(sensor, now), nextStep: next)
    }

    /// bluetoothd forgets its GATT objects when it ends, and shows them at the first link again.
    private static func unarmed(_ sensor: SensorFacts) -> Finding? {
        guard !sensor.isConnected, sensor.adapter != nil, !sensor.hasObjects,
            sensor.isPaired || sensor.isTrusted
        else { return nil }
        return Finding(
            .warn, "not-armed",
            "The Bluetooth service has not shown yet what this sensor offers, so that healthd can "
                + "prepare for its readings only when it comes.",
            evidence: "bluetoothd has no GATT object of it since it was started",
            nextStep: "Switch the sensor on once, or measure; what it had stored may be lost then.")
    }
}
