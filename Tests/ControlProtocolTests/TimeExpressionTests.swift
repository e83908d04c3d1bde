import Measurements
import Samples
import Testing

@testable import ControlProtocol

@Suite struct TimeExpressionTests {
    /// A Sunday evening in winter, Europe/Berlin.
    private let now = "2026-11-29T22:15:30.500+01:00"

    @Test(arguments: [
        ("now", "2026-11-29T22:15:30.500+01:00"), ("NOW", "2026-11-29T22:15:30.500+01:00"),
        ("today", "2026-11-29T00:00:00+01:00"), ("Today", "2026-11-29T00:00:00+01:00"),
        ("yesterday", "2026-11-28T00:00:00+01:00"), ("tomorrow", "2026-11-30T00:00:00+01:00"),
        ("sunday", "2026-11-29T00:00:00+01:00"), ("Sun", "2026-11-29T00:00:00+01:00"),
        ("monday", "2026-11-23T00:00:00+01:00"), ("tue", "2026-11-24T00:00:00+01:00"),
        ("wednesday", "2026-11-25T00:00:00+01:00"), ("thu", "2026-11-26T00:00:00+01:00"),
        ("friday", "2026-11-27T00:00:00+01:00"), ("SATURDAY", "2026-11-28T00:00:00+01:00"),
    ])
    func wordsNameMoments(text: String, expected: String) throws {
        #expect(try time(text) == instant(expected))
    }

    @Test(arguments: [
        ("2026-11-29", "2026-11-29T00:00:00+01:00"),
        ("2026-07-01", "2026-07-01T00:00:00+02:00"),
        ("2024-02-29", "2024-02-29T00:00:00+01:00"),
        ("2026-11-29 22:00", "2026-11-29T22:00:00+01:00"),
        ("2026-11-29T22:00", "2026-11-29T22:00:00+01:00"),
        ("2026-11-29t22:00:05", "2026-11-29T22:00:05+01:00"),
        ("2026-11-29T22:00:05.250", "2026-11-29T22:00:05.250+01:00"),
        ("2026-11-29 22:00:05.1", "2026-11-29T22:00:05.100+01:00"),
        ("2026-11-29 22:00:05.0019", "2026-11-29T22:00:05.001+01:00"),
        ("yesterday 22:00", "2026-11-28T22:00:00+01:00"),
        ("today 07:00", "2026-11-29T07:00:00+01:00"),
        ("tomorrow 00:00", "2026-11-30T00:00:00+01:00"),
        ("Monday 22:00:01", "2026-11-23T22:00:01+01:00"),
        ("22:00", "2026-11-29T22:00:00+01:00"), ("23:59:59.999", "2026-11-29T23:59:59.999+01:00"),
    ])
    func daysAndTimesAreThoseOfTheZone(text: String, expected: String) throws {
        #expect(try time(text) == instant(expected))
    }

    @Test(arguments: [
        ("2026-11-29T21:00:00Z", "2026-11-29T22:00:00+01:00"),
        ("2026-11-29T22:00:00.125+05:30", "2026-11-29T16:30:00.125Z"),
        ("2026-11-29 22:00:00-08:00", "2026-11-30T06:00:00Z"),
        ("2026-11-29T22:00+01:00", "2026-11-29T21:00:00Z"),
        ("2026-11-29 22:00z", "2026-11-29T22:00:00Z"),
        ("2016-12-31T23:59:60Z", "2017-01-01T00:00:00Z"),
        ("@0", "1970-01-01T00:00:00Z"), ("@1764450000", "2025-11-29T21:00:00Z"),
        ("@1764450000.250", "2025-11-29T21:00:00.250Z"), ("@-1.5", "1969-12-31T23:59:58.500Z"),
        ("@1.9999", "1970-01-01T00:00:01.999Z"),
    ])
    func absoluteTimesNeedNoZone(text: String, expected: String) throws {
        #expect(try time(text) == instant(expected))
    }

    @Test(arguments: [
        ("Europe/Berlin", "2026-03-29", "2026-03-29T00:00:00+01:00"),
        ("Europe/Berlin", "2026-03-29 02:30", "2026-03-29T03:30:00+02:00"),
        ("Europe/Berlin", "2026-10-25 02:30", "2026-10-25T02:30:00+02:00"),
        ("Europe/Berlin", "2026-10-26", "2026-10-26T00:00:00+01:00"),
        ("Africa/Cairo", "2026-04-24", "2026-04-24T01:00:00+03:00"),
        ("Africa/Cairo", "2026-04-24 00:30", "2026-04-24T01:30:00+03:00"),
        ("America/Santiago", "2026-09-06", "2026-09-06T01:00:00-03:00"),
        ("America/Havana", "2026-11-01", "2026-11-01T00:00:00-04:00"),
        ("Pacific/Apia", "2011-12-30", "2011-12-31T00:00:00+14:00"),
        ("Asia/Kathmandu", "2026-11-29 22:00", "2026-11-29T22:00:00+05:45"),
        ("Asia/Tokyo", "today", "2026-11-30T00:00:00+09:00"),
        ("America/New_York", "sunday 06:00", "2026-11-29T06:00:00-05:00"),
    ])
    func daysOfEveryZoneStartWhereTheyStart(name: String, text: String, expected: String) throws {
        #expect(try time(text, zone: name) == instant(expected))
    }

    @Test func theEndOfTheCalendarIsTheEndOfTheRange() throws {
        #expect(try time("9999-12-31 12:00") == Instant.range.upperBound)
        #expect(try time("9999-12-31T23:59:59Z") == Instant.range.upperBound)
        #expect(try time("0000-01-01") == Instant.range.lowerBound)
    }

    @Test func everyDayOf40YearsIsReadAsWritten() throws {
        var day = try #require(CalendarDate(year: 1999, month: 1, day: 1))
        for _ in 0..<14_610 {
            let start = Instant(milliseconds: Int64(day.daysSince1970) * 86_400_000)
            let text = String(start.text().prefix(10))
            let answer = try TimeExpression.instant(from: text, zone: .utc, now: start)
            guard answer == start else {
                Issue.record("\(text)")
                return
            }
            day = day.advanced(byDays: 1)
        }
    }

    private func time(_ text: String, zone: String = "Europe/Berlin") throws -> Instant {
        try TimeExpression.instant(
            from: text, zone: try #require(Zone(named: zone)), now: try instant(now))
    }
}

private func instant(_ text: String) throws -> Instant {
    try #require(Instant(rfc3339: Array(text.utf8)))
}
