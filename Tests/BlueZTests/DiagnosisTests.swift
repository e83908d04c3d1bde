import BlueZ
import DBus
import Measurements
import Testing

private let now = Facts.now
private let address = Facts.address
private let error = Facts.error

private func before(_ milliseconds: Int64) -> Instant { Facts.before(milliseconds) }

@Suite struct DiagnosisTests {
    @Test func ifAllIsWellOnlyTheSensorSaysSo() {
        #expect(Diagnosis.findings(of: RadioFacts.well, at: now).isEmpty)
        let findings = Diagnosis.findings(of: SensorFacts.well, radio: RadioFacts.well, at: now)
        #expect(findings.map(\.code) == ["live"] && findings.map(\.level) == [.ok])
        #expect(findings[0].text == "Readings come: the last one 2 s ago.")
    }

    @Test func aSensorThatSleepsIsWell() {
        let findings = Diagnosis.findings(of: SensorFacts.asleep, radio: RadioFacts.well, at: now)
        #expect(findings.map(\.code) == ["asleep"])
        #expect(findings[0].text.contains("the last reading came 60 min ago"))
    }

    /// What holds for the radio, the code that it is told by, and how bad it is.
    private static let radios: [(RadioFacts, String, Finding.Level)] = [
        (RadioFacts.well.with { $0.daemon = .noBus(error) }, "bus-closed", .fail),
        (RadioFacts.well.with { $0.daemon = .denied(error) }, "access-denied", .fail),
        (RadioFacts.well.with { $0.daemon = .absent(since: nil) }, "bluetoothd-absent", .fail),
        (
            RadioFacts.well.with { $0.daemon = .absent(since: before(60_000)) },
            "bluetoothd-absent", .fail
        ),
        (
            RadioFacts.well.with { $0.daemon = .unresponsive(since: before(15_000), calls: 3) },
            "bluetoothd-unresponsive", .fail
        ),
        (RadioFacts.well.with { $0.adapters = [] }, "no-adapter", .fail),
        (RadioFacts.well.with { $0.adapters[0].isPowered = false }, "adapter-off", .fail),
        (
            RadioFacts.well.with {
                $0.adapters[0].isPowered = false
                $0.block = .soft
            }, "adapter-blocked", .fail
        ),
        (
            RadioFacts.well.with {
                $0.adapters[0].isPowered = false
                $0.block = .hard
            }, "adapter-blocked-hard", .fail
        ),
        (
            RadioFacts.well.with {
                $0.adapters.append(.on)
                $0.adapters[1].isPowered = false
            }, "adapter-off", .warn
        ),
        (
            RadioFacts.well.with { $0.adapters[0].searchedSince = before(600_000) },
            "searched-by-others", .warn
        ),
        (RadioFacts.well.with { $0.profileFailure = error }, "profile-refused", .fail),
        (RadioFacts.well.with { $0.isClockSynchronised = false }, "host-clock", .warn),
    ]

    @Test(
        "A1, A2, A4, A5, A7, B1 to B3, C15, I3: each trouble of the radio has its finding",
        arguments: radios.indices)
    func eachTroubleOfTheRadioIsTold(index: Int) {
        let (radio, code, level) = Self.radios[index]
        let findings = Diagnosis.findings(of: radio, at: now)
        #expect(findings.map(\.code) == [code] && findings.map(\.level) == [level])
        #expect(findings.allSatisfy { $0.nextStep != nil && !$0.evidence.isEmpty })
    }

    /// What holds for the sensor, the code that it is told by first, and how bad it is.
    private static let sensors: [(SensorFacts, String, Finding.Level)] = [
        (SensorFacts.well.with { $0.isEnabled = false }, "disabled", .warn),
        (
            SensorFacts.asleep.with {
                $0.isPaired = false
                $0.isTrusted = false
                $0.removedAt = before(1000)
            }, "removed-elsewhere", .fail
        ),
        (
            SensorFacts.asleep.with {
                $0.isPaired = false
                $0.isTrusted = false
                $0.missingAdapter = address
            }, "bonded-elsewhere", .fail
        ),
        (SensorFacts.asleep.with { $0.wantedAdapter = address }, "wanted-adapter-missing", .fail),
        (
            SensorFacts.asleep.with {
                $0.isPaired = false
                $0.isTrusted = false
                $0.adapter = nil
            }, "not-paired", .fail
        ),
        (SensorFacts.asleep.with { $0.keylessLinks = 2 }, "bond-lost", .fail),
        (SensorFacts.well.with { $0.refusal = .init(.held, error) }, "held-by-another", .fail),
        (SensorFacts.well.with { $0.refusal = .init(.bond, error) }, "bond-wanted", .fail),
        (SensorFacts.well.with { $0.refusal = .init(.permission, error) }, "refused", .fail),
        (SensorFacts.well.with { $0.refusal = .init(.other, error) }, "arming-failed", .warn),
        (SensorFacts.well.with { $0.emptyLinks = 1 }, "no-services", .warn),
        (SensorFacts.well.with { $0.emptyLinks = 2 }, "no-services", .fail),
        (SensorFacts.well.with { $0.services = [.batteryService] }, "no-health-service", .fail),
        (SensorFacts.asleep.with { $0.flappingLinks = 9 }, "flapping", .warn),
        (
            SensorFacts.well.with {
                $0.isResolved = false
                $0.linkedAt = before(10_001)
            }, "unresolved", .warn
        ),
        (SensorFacts.well.with { $0.lastFrame = before(30_001) }, "silent", .warn),
        (SensorFacts.asleep.with { $0.lastSeen = nil }, "never-seen", .warn),
        (SensorFacts.asleep.with { $0.lastSeen = before(172_800_001) }, "not-seen", .warn),
        (
            SensorFacts.asleep.with {
                $0.isStreaming = true
                $0.lastSeen = before(120_001)
            }, "not-seen", .warn
        ),
        (SensorFacts.asleep.with { $0.hasObjects = false }, "not-armed", .warn),
        (SensorFacts.well.with { $0.valuelessFrames = 3 }, "no-finger", .warn),
        (SensorFacts.well.with { $0.isUnworn = true }, "no-finger", .warn),
        (SensorFacts.well.with { $0.clock = .notSet }, "clock-not-set", .warn),
        (SensorFacts.well.with { $0.clock = .off(3600) }, "clock-off", .warn),
        (SensorFacts.well.with { $0.clock = .unsettable("why") }, "clock-unsettable", .warn),
        (
            SensorFacts.well.with {
                $0.possibleLoss = .init(at: before(60_000), why: "bluetoothd was restarted")
            },
            "possible-loss", .warn
        ),
    ]

    @Test(
        "B9, D14, E1, E2, F3, F5, G4, G11, I2, I8: each trouble of a sensor has its finding",
        arguments: sensors.indices)
    func eachTroubleOfASensorIsTold(index: Int) throws {
        let (sensor, code, level) = Self.sensors[index]
        let findings = Diagnosis.findings(of: sensor, radio: RadioFacts.well, at: now)
        let first = try #require(findings.first)
        #expect(first.code == code && first.level == level)
        #expect(findings.filter { $0.level != .ok }.map(\.code) == [code])
        #expect(first.nextStep != nil && !first.evidence.isEmpty)
    }

    @Test func everyFindingHasWordsOfItsOwn() {
        let found =
            Self.radios.flatMap { Diagnosis.findings(of: $0.0, at: now) }
            + Self.sensors.flatMap { Diagnosis.findings(of: $0.0, radio: RadioFacts.well, at: now) }
        let words = Dictionary(grouping: found, by: \.code).mapValues { Set($0.map(\.text)) }
        for (code, texts) in words where code != "not-seen" && code != "asleep" {
            #expect(texts.count == 1, "\(code)")
        }
        let texts = words.values.flatMap(\.self)
        #expect(Set(texts).count == texts.count)
    }

    /// What is named in the text is what people know; names of D-Bus stand in the evidence.
    @Test func theTextIsForPeopleAndTheEvidenceForExperts() {
        let found =
            Self.radios.flatMap { Diagnosis.findings(of: $0.0, at: now) }
            + Self.sensors.flatMap { Diagnosis.findings(of: $0.0, radio: RadioFacts.well, at: now) }
        for finding in found {
            for word in ["StartNotify", "ServicesResolved", "org.bluez", "Powered", "CCCD", "ATT"] {
                #expect(!finding.text.contains(word), "\(finding.code)")
            }
            #expect(
                finding.text.hasSuffix(".") && finding.text.first?.isLowercase != true
                    || finding.text.hasPrefix("healthd"))
        }
    }
}
