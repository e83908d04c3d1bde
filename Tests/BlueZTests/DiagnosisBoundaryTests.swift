import BlueZ
import DBus
import Measurements
import Testing

private let now = Facts.now
private let error = Facts.error

private func before(_ milliseconds: Int64) -> Instant { Facts.before(milliseconds) }

@Suite struct DiagnosisBoundaryTests {
    private func codes(_ sensor: SensorFacts, _ radio: RadioFacts = RadioFacts.well) -> [String] {
        Diagnosis.findings(of: sensor, radio: radio, at: now).map(\.code)
    }

    @Test func theWorstComesFirst() {
        let bad = SensorFacts.well.with {
            $0.clock = .notSet
            $0.refusal = .init(.held, error)
            $0.possibleLoss = .init(at: before(60_000), why: "why")
        }
        let levels = Diagnosis.findings(of: bad, radio: RadioFacts.well, at: now).map(\.level)
        #expect(levels == levels.sorted(by: >) && levels.first == .fail && levels.last == .ok)
    }

    @Test("I8: of a sensor that nobody wears it is not said that readings come")
    func withoutAFingerNoReadingsCome() {
        #expect(codes(SensorFacts.well.with { $0.valuelessFrames = 2 }) == ["live"])
        #expect(codes(SensorFacts.well.with { $0.valuelessFrames = 3 }) == ["no-finger"])
        #expect(codes(SensorFacts.well.with { $0.isUnworn = true }) == ["no-finger"])
    }

    @Test func withoutBluetoothTheSensorSaysSoFirst() {
        let off = RadioFacts.well.with { $0.adapters[0].isPowered = false }
        #expect(codes(SensorFacts.asleep, off).first == "bluetooth-down")
        #expect(
            codes(
                SensorFacts.asleep.with {
                    $0.isPaired = false; $0.isTrusted = false
                }, off) == ["bluetooth-down"])
    }

    @Test func oneKeylessLinkOrTwoFramesWithoutValueMayBeChance() {
        #expect(codes(SensorFacts.asleep.with { $0.keylessLinks = 1 }) == ["asleep"])
        let unpaired = SensorFacts.asleep.with {
            $0.isPaired = false
            $0.keylessLinks = 9
        }
        #expect(codes(unpaired) == ["asleep"])
        #expect(codes(SensorFacts.well.with { $0.valuelessFrames = 2 }) == ["live"])
        #expect(codes(SensorFacts.asleep.with { $0.valuelessFrames = 9 }) == ["asleep"])
    }

    @Test func aSensorThatHadNoReadingYetWaits() {
        #expect(
            codes(
                SensorFacts.well.with {
                    $0.lastFrame = nil; $0.linkedAt = before(5000)
                }) == ["waiting"])
        #expect(codes(SensorFacts.well.with { $0.lastFrame = before(20_000) }) == ["connected"])
        #expect(
            codes(
                SensorFacts.well.with {
                    $0.lastFrame = nil; $0.linkedAt = before(30_001)
                }) == ["silent"])
    }

    @Test func anOldLossIsNotToldAnyMore() {
        let old = SensorFacts.well.with {
            $0.possibleLoss = .init(at: before(86_400_001), why: "why")
        }
        #expect(codes(old) == ["live"])
    }

    @Test func aClockIsToBeSetOnlyByAComputerThatKnowsTheTime() {
        let wrong = SensorFacts.well.with { $0.clock = .off(-90) }
        let findings = { (radio: RadioFacts) in
            Diagnosis.findings(of: wrong, radio: radio, at: now)
        }
        #expect(findings(RadioFacts.well)[0].nextStep?.contains("healthctl set-clock") == true)
        #expect(findings(RadioFacts.well)[0].evidence.contains("90 s ahead"))
        let unsynchronised = RadioFacts.well.with { $0.isClockSynchronised = false }
        #expect(findings(unsynchronised)[0].nextStep?.contains("timedatectl") == true)
    }

    @Test func aPrivateProtocolIsNamed() throws {
        let nonin = try #require(BluetoothUUID("46a970e0-0d5f-11e2-8b5e-0002a5d5c51b"))
        let findings = Diagnosis.findings(
            of: SensorFacts.well.with { $0.services = [nonin] }, radio: RadioFacts.well, at: now)
        #expect(findings[0].text.contains("Nonin's own protocol"))
        #expect(
            codes(SensorFacts.well.with { $0.services = [nonin, .pulseOximeterService] }) == [
                "live"
            ])
    }

    @Test func aHostClockThatWentBackMakesNoNegativeAge() {
        let future = SensorFacts.well.with { $0.lastFrame = now.advanced(byMilliseconds: 90_000) }
        let findings = Diagnosis.findings(of: future, radio: RadioFacts.well, at: now)
        #expect(findings[0].text == "Readings come: the last one 0 s ago.")
    }

    @Test(
        arguments: [
            (1999, "1 s"), (119_999, "119 s"), (120_000, "2 min"), (7_199_999, "119 min"),
            (7_200_000, "2 h"), (172_799_999, "47 h"), (172_800_000, "2 days"),
        ] as [(Int64, String)])
    func agesAreSaidInOneUnit(age: Int64, words: String) {
        let findings = Diagnosis.findings(
            of: SensorFacts.asleep.with {
                $0.lastFrame = before(age); $0.lastSeen = now
            }, radio: RadioFacts.well, at: now)
        #expect(findings[0].text.hasSuffix("came \(words) ago."))
    }
}
