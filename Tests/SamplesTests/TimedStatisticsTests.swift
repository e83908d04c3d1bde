import Measurements
import Samples
import Testing

/// How long values stood.
@Suite struct TimedStatisticsTests {
    private func timed(
        _ samples: [(Int64, String?)], until end: Int64 = 100_000
    ) -> TimedStatistics {
        let interval = DateInterval(
            start: Instant(milliseconds: 0), end: Instant(milliseconds: end))
        var timed = TimedStatistics(interval, limits: [DecimalNumber(90)])
        for (time, text) in samples { timed.add(text.flatMap { DecimalNumber($0) }, at: time) }
        return timed
    }

    @Test func aValueStandsUntilTheNextOne() {
        let timed = timed([(0, "80"), (1000, "95"), (4000, "95")])
        #expect(timed.covered == 4000)
        #expect(timed.time(below: DecimalNumber(90)) == 1000)
        #expect(timed.average?.description == "91.25")
        #expect(timed.coverage?.description == "4.00")
    }

    @Test func aSampleThatDoesNotCountEndsTheOneBefore() {
        #expect(timed([(0, "80"), (1000, nil), (3000, "95"), (4000, nil)]).covered == 2000)
    }

    @Test(arguments: [(10_000, 10_000), (10_001, 0)] as [(Int64, Int64)])
    func nobodyKnowsWhatWasInALongGap(gap: Int64, covered: Int64) {
        #expect(timed([(0, "80"), (gap, "80")]).covered == covered)
    }

    @Test func theEndOfTheIntervalCuts() {
        var timed = timed([(97_000, "80")])
        timed.proceed(to: 105_000)
        #expect(timed.covered == 3000)
    }

    @Test func theLastSampleOfATimeCounts() {
        #expect(timed([(0, "80"), (0, "99"), (1000, nil)]).average?.description == "99.00")
    }

    @Test func finerValuesAreExactToo() {
        let timed = timed([(0, "96"), (1000, "96.55"), (3000, "89.99"), (4000, nil)])
        // (96 + 2 x 96.55 + 89.99) / 4 = 94.7725
        #expect(timed.average?.description == "94.7725")
        #expect(timed.time(below: DecimalNumber(90)) == 1000)
        #expect(timed.time(below: DecimalNumber(91)) == nil)
    }

    @Test func runsOfOneValueCountLikeItsSingleSamples() {
        let samples: [(Int64, String?)] = (0..<60).map {
            ($0 * 1000, ["89", "89.0", "97", nil][Int($0) / 7 % 4])
        }
        let timed = timed(samples)
        // 31 s of 89 and 89.0, 14 s of 97; the last value does not stand yet.
        #expect(timed.covered == 45_000)
        #expect(timed.time(below: DecimalNumber(90)) == 31_000)
        #expect(timed.average?.description == "91.489")
        var later = timed
        later.add(DecimalNumber(80), at: 60_000)
        later.proceed(to: 61_000)
        #expect(later.time(below: DecimalNumber(90)) == 33_000)
        #expect(timed.time(below: DecimalNumber(90)) == 31_000)
    }

    @Test func anEmptyIntervalHasNoCoverage() {
        #expect(timed([], until: 0).coverage == nil)
        #expect(timed([]).coverage?.description == "0.00")
        #expect(timed([]).average == nil)
    }
}

/// What counts as a desaturation.
@Suite struct DesaturationsTests {
    /// One value a second.
    private func count(_ values: [Int?], drop: Int = 3) -> Int {
        var falls = Desaturations(drop: drop)
        for (second, value) in values.enumerated() {
            falls.add(value.map { DecimalNumber($0) }, at: Int64(second) * 1000)
        }
        falls.finish()
        return falls.count
    }

    private func stretch(_ value: Int, _ seconds: Int) -> [Int?] {
        Array(repeating: value, count: seconds)
    }

    @Test(arguments: [(94, 3, 1), (95, 3, 0), (93, 4, 1), (94, 4, 0)])
    func aFallMustBeDeepEnough(low: Int, drop: Int, right: Int) {
        #expect(
            count(stretch(97, 30) + stretch(low, 20) + stretch(97, 30), drop: drop) == right)
    }

    @Test(arguments: [(9, 0), (10, 1), (11, 1)])
    func aFallMustLastTenSeconds(seconds: Int, right: Int) {
        #expect(count(stretch(97, 30) + stretch(90, seconds) + stretch(97, 30)) == right)
    }

    @Test func itIsOverWithinOnePointOfWhereItBegan() {
        let half = stretch(90, 15) + stretch(95, 5) + stretch(90, 15)
        #expect(count(stretch(97, 30) + half + stretch(97, 30)) == 1)
        let whole = stretch(90, 15) + stretch(96, 5) + stretch(90, 15)
        #expect(count(stretch(97, 30) + whole + stretch(97, 30)) == 2)
    }

    @Test func aLowThatStaysIsCountedOnce() {
        #expect(count(stretch(97, 30) + stretch(90, 1000)) == 1)
    }

    @Test func aSlowDeclineIsNone() {
        #expect(count((0..<30).flatMap { stretch(99 - $0, 61) }) == 0)
    }

    @Test func aLongGapEndsWhatIsKnown() {
        #expect(count(stretch(97, 30) + Array(repeating: nil, count: 11) + stretch(90, 30)) == 0)
        #expect(count(stretch(97, 30) + Array(repeating: nil, count: 9) + stretch(90, 30)) == 1)
    }

    @Test func tenthsCount() {
        var falls = Desaturations(drop: 3)
        for second in 0..<60 {
            let tenths: Int64 = second < 30 ? 970 : 941
            falls.add(DecimalNumber(mantissa: tenths, exponent: -1), at: Int64(second) * 1000)
        }
        falls.finish()
        #expect(falls.count == 0)
    }

    @Test func theIndexIsPerHour() {
        var falls = Desaturations(drop: 3)
        #expect(falls.index(over: 0) == nil)
        for second in 0..<60 {
            falls.add(DecimalNumber(second < 30 ? 97 : 90), at: Int64(second) * 1000)
        }
        falls.finish()
        #expect(falls.index(over: 3_600_000)?.description == "1.00")
        #expect(falls.index(over: 7_000_000)?.description == "0.51")
    }

    @Test func aReportHasBothIndicesAndTheTimeBelow() {
        let interval = DateInterval(
            start: Instant(milliseconds: 0), end: Instant(milliseconds: 90_000))
        var report = OximetryReport(interval)
        for second in 0..<100 {
            let value = second < 30 ? 97 : second < 60 ? 87 : 97
            report.add(
                DecimalNumber(value),
                at: SamplePlace(time: Int64(second) * 1000, seq: Int64(second), index: 0))
        }
        report.finish()
        #expect(report.falls3.count == 1)
        #expect(report.falls4.count == 1)
        #expect(report.validMilliseconds == 90_000)
        #expect(report.timed.time(below: DecimalNumber(88)) == 30_000)
        #expect(report.statistics.min?.description == "87")
        #expect(report.statistics.count == 90)
        #expect(report.index3?.description == "40.00")
    }
}
