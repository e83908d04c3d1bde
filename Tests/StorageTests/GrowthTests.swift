import Measurements
import Samples
import Testing

@testable import Storage

/// How fast a store grows, and how far it reaches.
@Suite struct GrowthTests {
    private let store: TemporaryStore

    init() throws {
        store = try TemporaryStore()
    }

    private func growth(days: Int64) throws -> StoreGrowth {
        try store.reader.growth(at: noon.advanced(byMilliseconds: days * 86_400_000))
    }

    @Test(arguments: [false, true])
    func readingsOfTheLastWeekCount(isSealed: Bool) throws {
        try store.run((0..<1000).map { continuous(95, at: $0 * 172_800) })
        if isSealed { try store.seal() }
        #expect(try growth(days: 2).readingsPerDay == 500)
        #expect(try growth(days: 5).readingsPerDay == 200)
        #expect(try growth(days: 30).readingsPerDay == 0)
        let size = try store.reader.fileSize()
        #expect(try growth(days: 2).octetsPerDay == 500 * size / 1000)
    }

    @Test func ofLessThanADayNothingIsMultiplied() throws {
        try store.run((0..<100).map { continuous(95, at: $0 * 1000) })
        #expect(
            try store.reader.growth(at: noon.advanced(byMilliseconds: 200_000)).readingsPerDay
                == 100)
    }

    @Test func anEmptyStoreDoesNotGrow() throws {
        #expect(try growth(days: 0) == StoreGrowth(readings: 0, in: 0, octets: 0, total: 0))
    }

    @Test(arguments: [false, true])
    func aQueryReachesFromTheFirstToTheLastQuarter(isSealed: Bool) throws {
        let query = try store.everything()
        #expect(try store.reader.span(of: query) == nil)
        try store.run([0, 100, 1_800_000, 1_800_100].map { continuous(95, at: $0) })
        if isSealed { try store.seal(fewest: 2) }
        let end = noon.advanced(byMilliseconds: 2_700_000)
        #expect(try store.reader.span(of: query) == DateInterval(start: noon, end: end))
        var other = query
        other.types = [.bodyTemperature]
        #expect(try store.reader.span(of: other) == nil)
    }
}
