import Foundation
import Measurements
import Testing

@testable import Samples

/// A change of a zone's offset as Foundation knows it.
private struct Transition {
    let second: Int
    let before: Int
    let after: Int
}

@Suite struct ZoneTransitionTests {
    @Test(arguments: difficultZones)
    func everyQuarterHourAroundEveryTransitionResolvesAsFoundationSays(name: String) throws {
        let zone = try #require(Zone(named: name))
        let other = try #require(TimeZone(identifier: name))
        for transition in transitions(of: other) {
            for step in -200...200 {
                let local = transition.second + transition.before + step * 900
                let civil = CivilTime(secondsSince1970: Int64(local))
                let expected = resolution(ofLocal: local, around: transition, in: other)
                #expect(zone.resolve(civil) == expected, "\(civil)")
            }
        }
    }

    @Test(arguments: difficultZones)
    func everyInstantIsAmongThoseOfItsCivilTime(name: String) throws {
        let zone = try #require(Zone(named: name))
        let seconds = stride(
            from: testedSeconds.lowerBound, to: testedSeconds.upperBound, by: 12_343)
        let lost = seconds.filter { second in
            let instant = Instant(milliseconds: Int64(second) * 1000)
            let civil = zone.civilTime(at: instant)
            return zone.instant(of: civil, nearest: instant).instant != instant
        }
        #expect(lost == [])
    }

    @Test func aStampInARepeatedHourIsTheNearestToItsReception() throws {
        let zone = try #require(Zone(named: "Europe/Berlin"))
        let stamp = try civil("2026-10-25T02:30:00Z")
        let first = try instant("2026-10-25T02:30:00+02:00")
        let second = try instant("2026-10-25T02:30:00+01:00")
        for (reception, expected) in [
            (Instant.range.lowerBound, first), (first, first),
            (first.advanced(byMilliseconds: 1_800_000), first),
            (first.advanced(byMilliseconds: 1_800_001), second),
            (second, second), (Instant(milliseconds: .max), second),
        ] {
            let answer = zone.instant(of: stamp, nearest: reception)
            #expect(answer.instant == expected)
            #expect(answer.isAmbiguous)
        }
    }

    @Test func aStampInASkippedHourMovesForward() throws {
        let zone = try #require(Zone(named: "Europe/Berlin"))
        let stamp = try civil("2026-03-29T02:30:00Z")
        let moved = try instant("2026-03-29T03:30:00+02:00")
        let answer = zone.instant(of: stamp, nearest: moved)
        #expect(answer.instant == moved)
        #expect(answer.isAmbiguous)
        #expect(zone.instant(of: stamp) == moved)
    }

    @Test func aStampInAnyOtherHourIsNotAmbiguous() throws {
        let zone = try #require(Zone(named: "Europe/Berlin"))
        let answer = zone.instant(
            of: try civil("2026-10-25T03:00:00Z"), nearest: Instant(milliseconds: 0))
        #expect(answer.instant == (try instant("2026-10-25T03:00:00+01:00")))
        #expect(!answer.isAmbiguous)
    }

    @Test func aTimeOfALostDayMovesForwardByADay() throws {
        let zone = try #require(Zone(named: "Pacific/Apia"))
        let moved = zone.instant(of: try civil("2011-12-30T12:00:00Z"))
        #expect(moved == (try instant("2011-12-31T12:00:00+14:00")))
    }
}

private func instant(_ text: String) throws -> Instant {
    try #require(Instant(rfc3339: Array(text.utf8)))
}

private func civil(_ text: String) throws -> CivilTime {
    Zone.utc.civilTime(at: try instant(text))
}

private func offset(_ zone: TimeZone, _ second: Int) -> Int {
    zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(second)))
}

private func transitions(of zone: TimeZone) -> [Transition] {
    stride(from: settledSeconds.lowerBound, to: settledSeconds.upperBound, by: 3600).compactMap {
        let (before, after) = (offset(zone, $0), offset(zone, $0 + 3600))
        guard before != after else { return nil }
        let minute = (1...60).first { [start = $0] in offset(zone, start + $0 * 60) == after } ?? 60
        return Transition(second: $0 + minute * 60, before: before, after: after)
    }
}

/// Tries both offsets on the civil time; those that hold at the instant they give are its instants.
private func resolution(
    ofLocal local: Int, around transition: Transition, in zone: TimeZone
) -> Zone.Resolution {
    let (before, after) = (local - transition.before, local - transition.after)
    let instants = [(before, transition.before), (after, transition.after)]
        .filter { offset(zone, $0.0) == $0.1 }.map { Instant(milliseconds: Int64($0.0) * 1000) }
    switch instants.count {
    case 2: return .repeated(first: instants[0], second: instants[1])
    case 1: return .unique(instants[0])
    default:
        return .skipped(
            before: Instant(milliseconds: Int64(before) * 1000),
            transition: Instant(milliseconds: Int64(transition.second) * 1000),
            after: Instant(milliseconds: Int64(after) * 1000))
    }
}
