import Foundation
import Measurements
import Testing

@testable import Samples
@testable import Storage

/// Statistics of local days, nights and months in zones that change their clocks in odd ways.
///
/// Foundation's calendar says independently which day a value belongs to.
@Suite struct ZoneStatisticsTests {
    private static let zones = [
        "Europe/Berlin", "America/New_York", "Asia/Kathmandu", "Australia/Lord_Howe",
        "Africa/Casablanca", "Africa/Cairo", "America/Santiago", "America/St_Johns",
        "Pacific/Apia", "Asia/Tokyo",
    ]
    /// Two years, in which Apia leaves out a day and Cairo stops to change its clocks.
    private static let years: ClosedRange<Int64> = 1_293_800_000_000...1_356_900_000_000

    /// A value of a sensor.
    private struct Value {
        let time: Int64
        let number: Int
    }

    /// Minutes of values here and there, and around every change of the clocks.
    private func values(_ zone: TimeZone, _ random: inout SeededGenerator) -> [Value] {
        let length = Int(Self.years.upperBound - Self.years.lowerBound)
        var starts = (0..<25).map { _ in Self.years.lowerBound + Int64(random.number(0...length)) }
        var date = Date(timeIntervalSince1970: Double(Self.years.lowerBound) / 1000)
        while let change = zone.nextDaylightSavingTimeTransition(after: date),
            Int64(change.timeIntervalSince1970 * 1000) < Self.years.upperBound
        {
            starts.append(Int64(change.timeIntervalSince1970 * 1000) - 3_600_000)
            date = change
        }
        return starts.flatMap { start in
            (0..<130).map { Value(time: start + $0 * 60_000, number: random.number(80...99)) }
        }
    }

    private func calendar(_ zone: TimeZone) -> Calendar {
        var calendar = Calendar(identifier: .iso8601)
        calendar.timeZone = zone
        return calendar
    }

    /// Which piece a time belongs to, as a text that is different for each.
    private func piece(_ time: Int64, _ size: String, _ calendar: Calendar) -> String {
        let date = Date(timeIntervalSince1970: Double(time) / 1000)
        let hour = calendar.component(.hour, from: date)
        let parts = calendar.dateComponents([.year, .month, .day], from: date)
        let (year, month, day) = (parts.year ?? 0, parts.month ?? 0, parts.day ?? 0)
        switch size {
        case "1d": return "\(year)-\(month)-\(day)"
        case "1mo": return "\(year)-\(month)"
        default: return "\(year)-\(month)-\(day) \(hour < 12 ? "until" : "from") noon"
        }
    }

    @Test(arguments: zones, ["1d", "1mo", "12h"])
    func aPieceHasTheValuesThatFoundationPutsThere(name: String, size: String) throws {
        let foundation = try #require(TimeZone(identifier: name))
        let zone = try #require(Zone(named: name))
        var random = SeededGenerator(seed: name.utf8.reduce(7) { $0 &* 31 &+ UInt64($1) })
        let values = values(foundation, &random)
        let store = try TemporaryStore()
        try store.run(
            values.map { continuous(UInt16($0.number), at: $0.time - noon.milliseconds) })
        try store.seal(fewest: 10)
        #expect(try store.number("SELECT count(*) FROM block") ?? 0 > 100)
        let calendar = calendar(foundation)
        let right = Dictionary(grouping: values) { piece($0.time, size, calendar) }
        let found = try counts(store, zone, size)
        #expect(found.count == right.count)
        for (start, statistics) in found {
            let piece = try #require(right[piece(start, size, calendar)])
            let numbers = Set(piece.map { "\($0.time) \($0.number)" })
            #expect(statistics.count == numbers.count)
            #expect(statistics.min == piece.map { DecimalNumber($0.number) }.min())
            #expect(statistics.max == piece.map { DecimalNumber($0.number) }.max())
        }
    }

    /// The statistics of each piece that has values, by the time of its first value.
    private func counts(
        _ store: TemporaryStore, _ zone: Zone, _ size: String
    ) throws -> [(first: Int64, Statistics)] {
        let interval = Samples.DateInterval(
            start: Instant(milliseconds: Self.years.lowerBound - 90_000_000_000),
            end: Instant(milliseconds: Self.years.upperBound + 90_000_000_000))
        let size = try #require(BucketSize(size))
        let buckets = try #require(zone.buckets(size, of: interval, limit: 20_000))
        let newest = try store.reader.newestSeq()
        var scan = StatisticsScan(StatisticsQuery(.oxygenSaturation, buckets, newest: newest))
        while !scan.isDone { try scan.proceed(store.reader) }
        return (scan.result.groups[.all] ?? [:]).values.compactMap { bucket in
            bucket.statistics.first.map { ($0.place.time, bucket.statistics) }
        }
    }
}
