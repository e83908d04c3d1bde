import Foundation
import Measurements
import Testing

@testable import Samples

/// Pieces of an interval; Foundation's calendar knows independently where they begin.
@Suite struct BucketsTests {
    private static let zones = [
        "Europe/Berlin", "America/New_York", "Asia/Kathmandu", "Australia/Lord_Howe",
        "Africa/Casablanca", "Africa/Cairo", "America/Santiago", "America/St_Johns",
        "Pacific/Apia", "Asia/Tokyo",
    ]

    private func zone(_ name: String) throws -> Zone { try #require(Zone(named: name)) }

    private func instant(_ text: String) throws -> Instant {
        try #require(Instant(rfc3339: Array(text.utf8)))
    }

    private func interval(_ from: String, _ to: String) throws -> Samples.DateInterval {
        try Samples.DateInterval(start: instant(from), end: instant(to))
    }

    private func calendar(_ name: String) throws -> Calendar {
        var calendar = Calendar(identifier: .iso8601)
        calendar.timeZone = try #require(TimeZone(identifier: name))
        return calendar
    }

    /// The starts that Foundation finds behind the start of an interval.
    ///
    /// Weeks are found by their Mondays: Foundation's own are a day late once a date is left out.
    private func starts(
        _ component: Calendar.Component, _ interval: Samples.DateInterval, _ calendar: Calendar
    ) throws -> [Int64] {
        if component == .weekOfYear {
            return try starts(.day, interval, calendar).filter {
                let date = Date(timeIntervalSince1970: Double($0) / 1000)
                return calendar.component(.weekday, from: date) == 2
            }
        }
        var starts: [Int64] = []
        var date = Date(timeIntervalSince1970: Double(interval.start.milliseconds) / 1000)
        while true {
            let piece = try #require(calendar.dateInterval(of: component, for: date))
            let end = Int64((piece.end.timeIntervalSince1970 * 1000).rounded())
            guard end < interval.end.milliseconds else { return starts }
            starts.append(end)
            date = piece.end
        }
    }

    @Test(arguments: zones, ["1d", "1w", "1mo"])
    func daysWeeksAndMonthsBeginWhereFoundationSays(name: String, size: String) throws {
        let component: Calendar.Component =
            size == "1d" ? .day : size == "1w" ? .weekOfYear : .month
        // Eleven years, with the change of the date line in Apia.
        let interval = try interval("2010-01-01T11:00:00Z", "2021-03-01T00:00:00Z")
        let size = try #require(BucketSize(size))
        let buckets = try #require(try zone(name).buckets(size, of: interval, limit: 10_000))
        let right = try starts(component, interval, calendar(name))
        #expect(buckets.dropFirst().map(\.start.milliseconds) == right)
    }

    @Test(arguments: zones, ["15m", "1h", "7h", "1d", "3d", "1w", "1mo", "2mo", "night"])
    func piecesCoverTheIntervalWithoutGaps(name: String, size: String) throws {
        let interval = try interval("2021-02-27T03:17:05.123Z", "2021-11-30T23:00:00Z")
        let size = try #require(BucketSize(size))
        let buckets = try #require(try zone(name).buckets(size, of: interval, limit: 100_000))
        #expect(buckets.first?.start == interval.start)
        #expect(buckets.last?.end == interval.end)
        #expect(zip(buckets, buckets.dropFirst()).allSatisfy { $0.end == $1.start })
        #expect(buckets.allSatisfy { !$0.isEmpty })
    }

    @Test(arguments: zones)
    func hoursBeginWhereTheClocksShowThem(name: String) throws {
        let zone = try zone(name)
        let interval = try interval("2021-01-01T00:00:00Z", "2022-01-01T00:00:00Z")
        let size = BucketSize.clock(milliseconds: 3_600_000)
        let buckets = try #require(zone.buckets(size, of: interval, limit: 10_000))
        for bucket in buckets.dropFirst() {
            let before = zone.offset(at: bucket.start.advanced(byMilliseconds: -1))
            let isTransition = before != zone.offset(at: bucket.start)
            #expect(zone.civilTime(at: bucket.start).minute == 0 || isTransition)
        }
        #expect(buckets.allSatisfy { $0.end.milliseconds - $0.start.milliseconds <= 5_400_000 })
    }

    @Test func anHourThatComesTwiceIsTwoPieces() throws {
        let day = try interval("2026-10-24T22:00:00Z", "2026-10-25T23:00:00Z")
        let buckets = try #require(
            try zone("Europe/Berlin").buckets(
                .clock(milliseconds: 3_600_000), of: day, limit: 100))
        #expect(buckets.count == 25)
        #expect(buckets.allSatisfy { $0.end.milliseconds - $0.start.milliseconds == 3_600_000 })
    }

    @Test func aNightRunsFromNoonToNoon() throws {
        let days = try interval("2026-03-28T20:00:00Z", "2026-03-30T20:00:00Z")
        let nights = try #require(
            try zone("Europe/Berlin").buckets(.night, of: days, limit: 9))
        #expect(
            nights.map { $0.start.text() } == [
                "2026-03-28T20:00:00.000+00:00", "2026-03-29T10:00:00.000+00:00",
                "2026-03-30T10:00:00.000+00:00",
            ])
    }

    @Test func severalDaysAreCountedFromTheFirstOne() throws {
        let days = try interval("2026-01-05T09:00:00Z", "2026-01-11T00:00:00Z")
        let buckets = try #require(Zone.utc.buckets(.days(2), of: days, limit: 9))
        #expect(
            buckets.map { $0.start.text().prefix(10) } == [
                "2026-01-05", "2026-01-07", "2026-01-09",
            ])
    }

    @Test func moreThanTheLimitIsNone() throws {
        let day = try interval("2026-01-01T00:00:00Z", "2026-01-02T00:00:00Z")
        let size = BucketSize.clock(milliseconds: 3_600_000)
        #expect(Zone.utc.buckets(size, of: day, limit: 24)?.count == 24)
        #expect(Zone.utc.buckets(size, of: day, limit: 23) == nil)
    }

    @Test func theEndsOfAllTimeHavePiecesToo() throws {
        let end = Instant.range.upperBound
        let interval = Samples.DateInterval(
            start: end.advanced(byMilliseconds: -86_400_000), end: end)
        for size in [BucketSize.days(1), .weeks(1), .months(1), .night] {
            let buckets = try #require(
                try zone("Pacific/Apia").buckets(size, of: interval, limit: 99))
            #expect(buckets.last?.end == end)
        }
    }

    @Test(arguments: [
        "", "m", "0m", "-1m", "25h", "1441m", "1y", "1ms", "99999999d", "1 h", "nights",
    ])
    func anythingElseIsNoSize(text: String) {
        #expect(BucketSize(text) == nil)
    }

    @Test func sizesHaveShortNames() {
        #expect(BucketSize("15m") == .clock(milliseconds: 900_000))
        #expect(BucketSize("24h") == .clock(milliseconds: 86_400_000))
        #expect(BucketSize("1mo") == .months(1))
        #expect(BucketSize("2w") == .weeks(2))
        #expect(BucketSize("night") == .night)
    }
}
