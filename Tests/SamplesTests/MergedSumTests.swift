import Measurements
import Testing

@testable import Samples

/// What several sources have counted at one time counts once.
@Suite struct MergedSumTests {
    private typealias Amount = (start: Int64, end: Int64, value: Int, rank: Int)

    /// The parts that count, in the order of the amounts.
    private func parts(_ amounts: [Amount]) -> [String] {
        var (sum, found) = (MergedSum(), [Int64: String]())
        let body: (DecimalNumber, SamplePlace) -> Void = { found[$1.seq] = $0.description }
        for (seq, amount) in amounts.enumerated() {
            let place = SamplePlace(time: amount.start, seq: Int64(seq), index: 0)
            sum.add(
                MergedSum.Amount(
                    DecimalNumber(amount.value), at: place, until: amount.end, rank: amount.rank),
                body)
        }
        sum.finish(body)
        return amounts.indices.map { found[Int64($0)] ?? "-" }
    }

    @Test func apartFromEachOtherAllCount() {
        #expect(parts([(0, 10, 5, 1), (10, 20, 6, 0), (20, 30, 7, 1)]) == ["5", "6", "7"])
    }

    @Test func thePreferredSourceCountsWhereTwoHaveCountedTheSame() {
        #expect(parts([(0, 10, 5, 1), (0, 10, 6, 0)]) == ["0", "6"])
        #expect(parts([(0, 10, 5, 0), (0, 10, 6, 1)]) == ["5", "0"])
    }

    @Test func ofAPartialOverlapTheShareOfTheRestCounts() {
        #expect(parts([(0, 10, 100, 1), (6, 20, 7, 0)]) == ["60", "7"])
        #expect(parts([(0, 12, 7, 0), (0, 4, 9, 1), (10, 20, 100, 1)]) == ["7", "0", "80"])
    }

    @Test func sharesAreRoundedHalfToEven() {
        #expect(parts([(0, 2, 1, 1), (1, 2, 9, 0)]) == ["0", "9"])
        #expect(parts([(0, 2, 3, 1), (1, 2, 9, 0)]) == ["2", "9"])
    }

    @Test func oneSourceOverlapsItselfAsItLikes() {
        #expect(parts([(0, 10, 5, 0), (5, 15, 6, 0)]) == ["5", "6"])
    }

    @Test func anAmountWithoutDurationCountsUnlessItsMomentIsCounted() {
        #expect(parts([(0, 10, 5, 0), (5, 5, 6, 1), (10, 10, 7, 1)]) == ["5", "0", "7"])
        #expect(parts([(5, 5, 6, 1), (5, 5, 7, 0)]) == ["0", "7"])
    }

    @Test func aLongAmountIsRememberedBehindManyShortOnes() {
        var amounts: [Amount] = [(0, 2000, 9, 0)]
        for start in stride(from: Int64(0), to: 2000, by: 10) {
            amounts.append((start, start + 10, 1, 1))
        }
        #expect(parts(amounts) == ["9"] + Array(repeating: "0", count: 200))
    }

    /// Ms by ms: an amount has those that no preferred one covers.
    @Test func itIsWhatSingleMillisecondsSay() {
        for _ in 0..<300 {
            var amounts: [Amount] = []
            for _ in 0..<Int.random(in: 1...12) {
                let (start, length) = (Int64.random(in: 0...60), Int64.random(in: 1...30))
                amounts.append((start, start + length, Int(length) * 7, Int.random(in: 0...3)))
            }
            amounts.sort { $0.start < $1.start }
            let right = amounts.map { amount in
                let left = (amount.start..<amount.end).count { time in
                    !amounts.contains {
                        $0.rank < amount.rank && $0.start <= time && time < $0.end
                    }
                }
                return "\(left * 7)"
            }
            #expect(parts(amounts) == right, "\(amounts)")
        }
    }
}
