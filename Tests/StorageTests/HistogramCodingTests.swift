import Samples
import Testing

@testable import Storage

/// Histograms in summaries.
@Suite struct HistogramCodingTests {
    private func histogram(_ numbers: [Int64]) -> Histogram {
        var histogram = Histogram()
        for number in numbers { histogram.add(number) }
        return histogram
    }

    @Test(arguments: [1, 10, 9_765_625] as [Int64])
    func itComesBack(unit: Int64) throws {
        for seed in 0..<200 as Range<UInt64> {
            var random = SeededGenerator(seed: seed)
            let width = random.number(1...300)
            let numbers = (0..<random.number(1...200)).map { _ in
                Int64(random.number(-width...width)) * unit
            }
            let octets = try #require(histogram(numbers).encoded)
            #expect(Histogram(encoded: octets) == histogram(numbers))
        }
    }

    @Test func wholePercentsSentAsTenthsTakeAnOctetEach() throws {
        let octets = try #require(histogram((88...98).map { Int64($0) * 10 }).encoded)
        #expect(octets.count == 1 + 1 + 2 + 11)
    }

    @Test func numbersFarApartComeBack() throws {
        for numbers in [[.min / 2, .max / 2], [0], [-7, 7_000_000_000]] as [[Int64]] {
            let octets = try #require(histogram(numbers).encoded)
            #expect(Histogram(encoded: octets) == histogram(numbers))
        }
    }

    @Test func nothingAndTooMuchHaveNone() {
        #expect(Histogram().encoded == nil)
        #expect(histogram((0..<760).map { $0 }).encoded != nil)
        #expect(histogram((0..<770).map { $0 }).encoded == nil)
    }

    @Test func noOctetsMakeItTrap() throws {
        var random = SeededGenerator(seed: 3)
        let octets = try #require(histogram([90, 91, 95, 99, 99]).encoded)
        for _ in 0..<20_000 {
            var other = octets
            other[random.number(0...other.count - 1)] = UInt8(random.number(0...255))
            if random.once(in: 3) {
                other += (0..<random.number(1...12)).map { _ in UInt8(random.number(0...255)) }
            }
            let found = Histogram(encoded: other)
            #expect((found?.count ?? 0) >= 0)
        }
        for length in 0..<3 { #expect(Histogram(encoded: Array(octets.prefix(length))) == nil) }
    }
}
