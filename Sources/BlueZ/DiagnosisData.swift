internal import Measurements

extension Diagnosis {
    /// What is wrong with the readings that come.
    static func dataFindings(
        _ sensor: SensorFacts, _ radio: RadioFacts, _ now: Instant
    ) -> [Finding?] {
        [unworn(sensor), clock(sensor, radio), loss(sensor, now)]
    }

    /// A frame without a value can be chance, three in a row are not; the sensor's own word counts.
    static func isUnworn(_ sensor: SensorFacts) -> Bool {
        sensor.isConnected && (sensor.isUnworn || sensor.valuelessFrames >= 3)
    }

    private static func unworn(_ sensor: SensorFacts) -> Finding? {
        guard isUnworn(sensor) else { return nil }
        let status = sensor.statusNames.joined(separator: ", ")
        return Finding(
            .warn, "no-finger", "The sensor sends, but without values: no finger is in it.",
            evidence: "\(sensor.valuelessFrames) measurements in a row without a value"
                + (status.isEmpty ? "" : ", status \(status)"),
            nextStep: "Put a finger in, and keep it still; take nail varnish off, warm cold hands.")
    }

    private static func clock(_ sensor: SensorFacts, _ radio: RadioFacts) -> Finding? {
        let next =
            radio.isClockSynchronised == false
            ? "First this computer's clock has to be right: timedatectl set-ntp true"
            : "healthctl set-clock \(sensor.address), with the sensor awake"
        switch sensor.clock {
        case .unknown, .right: return nil
        case .notSet:
            return Finding(
                .warn, "clock-not-set",
                "The sensor's clock is not set, so it does not know when it measured.",
                evidence: "its clock shows no date, or one before there were such sensors",
                nextStep: next)
        case .off(let seconds):
            return Finding(
                .warn, "clock-off",
                "The sensor's clock is wrong; healthd allows for that where it can.",
                evidence: "it is \(abs(seconds)) s \(seconds < 0 ? "ahead" : "behind")",
                nextStep: next)
        case .unsettable(let why):
            return Finding(
                .warn, "clock-unsettable",
                "The sensor's clock is wrong and cannot be set from here.",
                evidence: why, nextStep: "Set it on the sensor itself, or by its maker's program.")
        }
    }

    private static func loss(_ sensor: SensorFacts, _ now: Instant) -> Finding? {
        guard let loss = sensor.possibleLoss,
            now.milliseconds - loss.at.milliseconds <= Limit.loss
        else { return nil }
        return Finding(
            .warn, "possible-loss",
            "A reading of \(Age(from: loss.at, to: now)) ago may be lost: \(loss.why).",
            evidence: "at \(loss.at.text())",
            nextStep: "If the sensor shows a reading that is not here, measure again.")
    }
}
