import Measurements
import Testing

@testable import HealthDaemon

/// Pauses of a stream.
@Suite struct SilenceFinderTests {
    private func time(_ milliseconds: Int64) -> Instant { Instant(milliseconds: milliseconds) }

    /// The silences of packets at these times; a time below 0 is a packet without a value.
    private func silences(
        _ times: [Int64], least: Int64 = 10_000, until end: Int64? = nil
    ) -> [Silence] {
        var finder = SilenceFinder(least: least)
        var found: [Silence] = []
        for place in times {
            let reason = place < 0 ? "NaN" : nil
            if let silence = finder.take(time(abs(place)), reason: reason) { found.append(silence) }
        }
        return found + (end.flatMap { finder.rest(until: time($0)) }.map { [$0] } ?? [])
    }

    private func seconds(_ range: ClosedRange<Int64>) -> [Int64] { range.map { $0 * 1000 } }

    @Test func aSteadyStreamHasNone() {
        #expect(silences(seconds(0...100), until: 100_000) == [])
    }

    @Test func aPauseIsFromValueToValue() {
        let found = silences(seconds(0...10) + seconds(60...70))
        #expect(found.map(\.start) == [time(10_000)])
        #expect(found.map(\.end) == [time(60_000)])
        #expect(found.first?.packets == 0)
        #expect(found.first?.longestPause == 50_000)
    }

    @Test func aPauseOfTheLeastLengthIsNone() {
        #expect(silences([0, 1000, 11_000]) == [])
        #expect(silences([0, 1000, 11_001]).count == 1)
    }

    @Test func aSlowSensorIsGivenFiveTimesItsRhythm() {
        let slow = (0...40).map { Int64($0) * 4000 }
        #expect(silences(slow + [160_000 + 20_000]) == [])
        #expect(silences(slow + [160_000 + 20_001]).count == 1)
    }

    @Test func packetsWithoutAValueAreASilenceToo() {
        let found = silences(seconds(0...5) + seconds(6...25).map { -$0 } + seconds(26...30))
        #expect(found.count == 1)
        #expect(found.first?.packets == 20)
        #expect(found.first?.longestPause == 1000)
        #expect(found.first?.reasons == ["NaN": 20])
        #expect(found.first?.end == time(26_000))
    }

    @Test func whatHasNotEndedGoesOn() {
        let found = silences(seconds(0...5), until: 65_000)
        #expect(found.map(\.start) == [time(5000)])
        #expect(found.first?.end == nil)
        #expect(found.first?.longestPause == 60_000)
    }

    @Test func withoutAnyValueThereIsNothingToMissIt() {
        #expect(silences(seconds(1...60).map { -$0 }, until: 100_000) == [])
    }
}
