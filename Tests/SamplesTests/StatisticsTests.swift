import Measurements
import Samples
import Testing

/// Statistics are exact, add up, and do not depend on the order in which values come.
@Suite struct StatisticsTests {
    private func statistics(_ values: [String]) -> Statistics {
        var statistics = Statistics()
        for (place, text) in values.enumerated() {
            statistics.add(
                DecimalNumber(text) ?? DecimalNumber(0),
                at: SamplePlace(time: Int64(place), seq: Int64(place), index: 0))
        }
        return statistics
    }

    private func answers(_ values: [String], _ names: [String]) -> [String] {
        names.map { name in
            StatisticFunction(named: name).flatMap { statistics(values).answer(to: $0) }?
                .description
                ?? "-"
        }
    }

    @Test(arguments: [
        (["97"], ["1", "97", "97", "97.00", "97.0"]),
        (["97", "98"], ["2", "97", "98", "97.50", "97.5"]),
        (["97", "98", "98"], ["3", "97", "98", "97.67", "98.0"]),
        (["36.4", "36.5", "36.7"], ["3", "36.4", "36.7", "36.533", "36.50"]),
        (["96", "96.5"], ["2", "96.0", "96.5", "96.250", "96.25"]),
        (["-1", "-2"], ["2", "-2", "-1", "-1.50", "-1.5"]),
        ([], ["0", "-", "-", "-", "-"]),
    ])
    func theUsualAnswersAreExact(values: [String], right: [String]) {
        #expect(answers(values, ["count", "min", "max", "avg", "median"]) == right)
    }

    @Test func aMeanIsRoundedHalfToEven() {
        let values = { (ones: Int) in (0..<200).map { $0 < ones ? "1" : "0" } }
        #expect(answers(values(1), ["avg"]) == ["0.00"])
        #expect(answers(values(3), ["avg"]) == ["0.02"])
        #expect(answers(values(5), ["avg"]) == ["0.02"])
    }

    @Test(arguments: [
        ("p0", "1"), ("p1", "1"), ("p5", "1"), ("p20", "1"), ("p21", "2"), ("p50", "3"),
        ("p80", "4"), ("p81", "5"), ("p95", "5"), ("p100", "5"),
    ])
    func aPercentileIsTheNearestRank(name: String, right: String) {
        #expect(answers(["5", "4", "3", "2", "1"], [name]) == [right])
    }

    @Test func whatIsBelowALimitIsCounted() {
        let values = ["89", "89.9", "90", "90.0", "91"]
        #expect(
            answers(values, ["below90", "below90.1", "below89", "below1000"]) == [
                "2", "4", "0", "5",
            ])
    }

    @Test func onlyAmountsAreAddedUp() {
        for type in SampleType.allCases {
            let isAmount = type == .stepCount
            #expect(StatisticFunction.sum.isAllowed(for: type) == isAmount)
            #expect(StatisticFunction.average.isAllowed(for: type) == !isAmount)
            #expect(StatisticFunction.count.isAllowed(for: type))
        }
        #expect(answers(["5000", "12"], ["sum"]) == ["5012"])
    }

    @Test func partsAddUpToTheWholeInAnyOrder() {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<300 {
            let exponents = [0, -1, -7].shuffled(using: &random)
            let values = (0..<Int.random(in: 1...40, using: &random)).map { place in
                (
                    DecimalNumber(
                        mantissa: Int64.random(in: -999...999, using: &random),
                        exponent: exponents[Int.random(in: 0...1, using: &random)]),
                    SamplePlace(time: Int64(place / 3), seq: Int64(place), index: 0)
                )
            }
            var whole = Statistics()
            for (value, place) in values { whole.add(value, at: place) }
            var parts = (0..<4).map { _ in Statistics() }
            for (value, place) in values.shuffled(using: &random) {
                parts[Int.random(in: 0...3, using: &random)].add(value, at: place)
            }
            var sum = Statistics()
            for part in parts { sum.add(part) }
            #expect(sum == whole)
        }
    }

    @Test func firstAndLastGoByStartThenBySeqThenByPlace() {
        var statistics = Statistics()
        for (time, seq, index, value) in [
            (5, 9, 0, 1), (5, 8, 3, 2), (5, 8, 2, 3), (7, 1, 0, 4), (7, 1, 5, 5), (6, 99, 0, 6),
        ] as [(Int64, Int64, Int, Int)] {
            statistics.add(
                DecimalNumber(value), at: SamplePlace(time: time, seq: seq, index: index))
        }
        #expect(statistics.answer(to: .first) == DecimalNumber(3))
        #expect(statistics.answer(to: .last) == DecimalNumber(5))
    }

    @Test func valuesThatAreTooGreatAreRefused() {
        var statistics = Statistics()
        let place = SamplePlace(time: 0, seq: 1, index: 0)
        for (mantissa, exponent) in [
            (10_000_000, 0), (1, 7), (.max, 0), (.min, -9), (1, -11), (1, 19), (1, .max),
        ] as [(Int64, Int)] {
            let isCounted = statistics.add(
                DecimalNumber(mantissa: mantissa, exponent: exponent), at: place)
            #expect(!isCounted)
        }
        #expect(statistics == Statistics())
        statistics.add(DecimalNumber(9_999_999), at: place)
        statistics.add(DecimalNumber(mantissa: 1, exponent: -10), at: place)
        #expect(statistics.count == 2)
        #expect(statistics.max?.description == "9999999.0000000000")
        #expect(statistics.median?.description == "4999999.50000000005")
    }

    @Test func keptStatisticsThatContradictThemselvesAreNone() {
        let place = SamplePlace(time: 0, seq: 1, index: 0)
        func kept(_ count: Int, _ least: Int64, _ greatest: Int64, _ first: Int64) -> Statistics? {
            Statistics(
                count: count, excluded: 0, exponent: 0, sum: 97, least: least,
                greatest: greatest, first: Statistics.Placed(place, first),
                last: Statistics.Placed(place, first), histogram: nil)
        }
        #expect(kept(1, 97, 97, 97) != nil)
        #expect(kept(0, 97, 97, 97) == nil)
        #expect(kept(1, 98, 97, 97) == nil)
        #expect(kept(1, 97, 97, 96) == nil)
        #expect(kept(1, .min, .max, 97) == nil)
    }

    @Test(arguments: [
        "count", "min", "max", "avg", "median", "p0", "p7", "p95", "p100", "first", "last", "sum",
        "below90", "below90.5", "time-below88", "twavg", "coverage",
    ])
    func aFunctionHasItsName(name: String) {
        #expect(StatisticFunction(named: name)?.name == name)
    }

    @Test(arguments: [
        "", "p", "p101", "p-1", "p05", "p5.5", "below", "below90x", "time-below", "mean", "MIN",
    ])
    func anythingElseIsNoFunction(name: String) {
        #expect(StatisticFunction(named: name) == nil)
    }
}

/// Counting numbers: what an array of them would say.
@Suite struct HistogramTests {
    @Test(arguments: [10, 70_000, Int64.max / 2])
    func itSaysWhatAnArraySays(width: Int64) {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<100 {
            let numbers = (0..<Int.random(in: 0...60, using: &random)).map { _ in
                Int64.random(in: -width...width, using: &random)
            }
            var histogram = Histogram()
            for number in numbers { histogram.add(number) }
            let sorted = numbers.sorted()
            #expect(histogram.count == numbers.count)
            #expect(histogram.distinct == Set(numbers).count)
            #expect(
                (0...numbers.count).map { histogram.number(at: $0) } == sorted.map { $0 } + [nil])
            #expect(histogram.count(where: { $0 < 0 }) == numbers.count { $0 < 0 })
            var other = Histogram(histogram.entries)
            #expect(other == histogram)
            other.add(histogram)
            #expect(other.count == 2 * numbers.count)
            #expect(other.distinct == histogram.distinct)
        }
    }

    @Test func multiplesAreTheSameNumbersLarger() {
        var histogram = Histogram()
        for number in [-3, 0, 5, 5, 1000] as [Int64] { histogram.add(number) }
        histogram.scale(by: 1_000_000)
        #expect(histogram.entries.map(\.number) == [-3_000_000, 0, 5_000_000, 1_000_000_000])
        #expect(histogram.entries.map(\.count) == [1, 1, 2, 1])
    }
}
