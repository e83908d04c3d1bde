package import Measurements

/// Why readings come or do not come, said so that somebody without knowledge of Bluetooth can act.
///
/// A pure judgement of facts: each finding is one rule, and each rule can be looked up here.
package enum Diagnosis {
    /// What holds for bluetoothd, the adapters and this computer, worst first; empty if all is well.
    package static func findings(of radio: RadioFacts, at now: Instant) -> [Finding] {
        sorted([daemon(radio, now), clock(radio), profile(radio)] + adapters(radio, now))
    }

    /// What holds for a sensor, worst first; never empty.
    package static func findings(
        of sensor: SensorFacts, radio: RadioFacts, at now: Instant
    ) -> [Finding] {
        guard sensor.isEnabled else { return [disabled(sensor)] }
        let bond = sorted(bondFindings(sensor, radio, now))
        let link = sorted(linkFindings(sensor, radio, now))
        let found = sorted([unreachable(radio)] + bond + link + dataFindings(sensor, radio, now))
        let hasReadings = isLive(sensor, now) && !isUnworn(sensor)
        return found.isEmpty || hasReadings ? found + [well(sensor, now)] : found
    }

    /// Worst first; those of one level stay in the order of the rules.
    private static func sorted(_ findings: [Finding?]) -> [Finding] {
        let found = findings.compactMap(\.self)
        return [Finding.Level.fail, .warn, .ok].flatMap { level in
            found.filter { $0.level == level }
        }
    }

    private static func disabled(_ sensor: SensorFacts) -> Finding {
        Finding(
            .warn, "disabled", "The configuration says that this sensor's readings are not wanted.",
            evidence: "enabled = no in [sensor \(sensor.address)]" + dismissed(sensor),
            nextStep: "Change enabled to yes in healthd.conf, then systemctl reload healthd.")
    }

    private static func dismissed(_ sensor: SensorFacts) -> String {
        switch sensor.dismissal {
        case nil, .underWay: ""
        case .left:
            "; healthd has set Trusted = false and ended its automatic connection, so that it "
                + "keeps its readings"
        case .linked: "; its link is up, and healthd leaves it when that ends"
        case .unbonded: "; it has no bond, so that bluetoothd was told nothing"
        case .failed(let error): "; bluetoothd goes on connecting it: \(error)"
        }
    }

    private static func unreachable(_ radio: RadioFacts) -> Finding? {
        guard !radio.isReady else { return nil }
        return Finding(
            .fail, "bluetooth-down", "No sensor can come, because Bluetooth does not work here.",
            evidence: "bluetoothd or adapter is not ready",
            nextStep: "See what healthctl status says of Bluetooth.")
    }

    private static func isLive(_ sensor: SensorFacts, _ now: Instant) -> Bool {
        guard let last = sensor.lastFrame else { return false }
        return sensor.isConnected && now.milliseconds - last.milliseconds <= Limit.live
    }

    private static func well(_ sensor: SensorFacts, _ now: Instant) -> Finding {
        guard let last = sensor.lastFrame else {
            return Finding(
                .ok, "waiting", "It is ready; no reading has come yet.",
                evidence: evidence(sensor, now))
        }
        let age = Age(from: last, to: now)
        let evidence = evidence(sensor, now)
        if isLive(sensor, now) {
            let text = "Readings come: the last one \(age) ago."
            return Finding(.ok, "live", text, evidence: evidence)
        }
        let state = sensor.isConnected ? "It is connected" : "It sleeps until the next measurement"
        return Finding(
            .ok, sensor.isConnected ? "connected" : "asleep",
            "\(state); the last reading came \(age) ago.", evidence: evidence)
    }

    /// How a sensor stands, for those who know Bluetooth.
    static func evidence(_ sensor: SensorFacts, _ now: Instant) -> String {
        let link =
            sensor.linkedAt.map { "link up for \(Age(from: $0, to: now))" }
            ?? (sensor.isConnected ? "link up" : "link down")
        let parts = [
            link, sensor.isResolved ? "services resolved" : nil, sensor.isArmed ? "armed" : nil,
            sensor.isPaired ? "bonded" : "no bond", sensor.adapter.map { "on \($0)" },
            sensor.lastFrame.map { "last measurement \($0.text())" },
        ]
        return parts.compactMap(\.self).joined(separator: ", ")
    }

    /// After how long something is worth saying, in ms.
    enum Limit {
        /// A stream sends about once a second; twice this and its readings are no news.
        static let live: Int64 = 10_000
        /// A stream that pauses for so long is silent.
        static let silent: Int64 = 30_000
        /// Services take a second; bluetoothd waits for ever.
        static let unresolved: Int64 = 10_000
        /// A streaming sensor that is away for so long was switched off or carried away.
        static let absentStream: Int64 = 120_000
        /// A thermometer or a spot-check oximeter is used every day or two.
        static let absentSpot: Int64 = 172_800_000
        /// Losses older than this explain nothing that anybody asks about.
        static let loss: Int64 = 86_400_000
    }
}

/// A span of time as people say it: its greatest unit and nothing finer.
struct Age: CustomStringConvertible {
    let milliseconds: Int64

    /// The time between the two; clocks that went back count as none.
    init(from start: Instant, to end: Instant) {
        milliseconds = max(0, end.milliseconds - start.milliseconds)
    }

    var description: String {
        let seconds = milliseconds / 1000
        switch seconds {
        case ..<120: return "\(seconds) s"
        case ..<7200: return "\(seconds / 60) min"
        case ..<172_800: return "\(seconds / 3600) h"
        default: return "\(seconds / 86_400) days"
        }
    }
}
