import Measurements
import Testing

@testable import Samples

private let hour: Int64 = 3_600_000

@Suite struct CalendarDaysTests {
    @Test func case58EveryDayAtTheEndOfSummerTimeComesOnce() throws {
        let zone = try #require(Zone(named: "Europe/Amsterdam"))
        let lengths = try (26...31).map { try hours(zone.day(date(2018, 10, $0))) }
        #expect(lengths == [24, 24, 25, 24, 24, 24])
        let day = zone.day(try date(2018, 10, 28))
        #expect(day.start == (try instant("2018-10-28T00:00:00+02:00")))
        #expect(day.end == (try instant("2018-10-29T00:00:00+01:00")))
    }

    @Test func case56AnEveningReadingBelongsToItsLocalDay() throws {
        let zone = try #require(Zone(named: "Europe/Berlin"))
        let reading = try instant("2026-03-08T23:30:00+01:00")
        #expect(zone.date(at: reading) == (try date(2026, 3, 8)))
        #expect(zone.day(containing: reading) == zone.day(try date(2026, 3, 8)))
    }

    @Test(arguments: [
        ("Africa/Cairo", 2026, 4, 24, "2026-04-24T01:00:00+03:00", 23),
        ("Africa/Cairo", 2026, 10, 29, "2026-10-29T00:00:00+03:00", 25),
        ("America/Santiago", 2026, 9, 6, "2026-09-06T01:00:00-03:00", 23),
        ("America/Santiago", 2026, 4, 4, "2026-04-04T00:00:00-03:00", 25),
        ("Pacific/Apia", 2011, 12, 29, "2011-12-29T00:00:00-10:00", 24),
        ("Pacific/Apia", 2011, 12, 30, "2011-12-31T00:00:00+14:00", 0),
        ("Pacific/Apia", 2011, 12, 31, "2011-12-31T00:00:00+14:00", 24),
        ("America/Havana", 2024, 11, 3, "2024-11-03T00:00:00-04:00", 25),
        ("America/St_Johns", 2010, 11, 7, "2010-11-07T00:00:00-02:30", 25),
        ("Europe/Berlin", 2026, 3, 29, "2026-03-29T00:00:00+01:00", 23),
    ])
    func aDayStartsAtTheFirstInstantOfItsDate(
        name: String, year: Int, month: Int, day: Int, start: String, length: Int64
    ) throws {
        let zone = try #require(Zone(named: name))
        let interval = zone.day(try date(year, month, day))
        #expect(interval.start == (try instant(start)))
        #expect(hours(interval) == length)
    }

    @Test(arguments: difficultZones)
    func noInstantBeforeADaysStartShowsItsDate(name: String) throws {
        let zone = try #require(Zone(named: name))
        var day = try date(2000, 1, 1)
        let end = try date(2038, 1, 1)
        while day < end {
            let start = zone.startOfDay(day)
            #expect(zone.date(at: start) >= day)
            for minutes: Int64 in [0, 30, 60, 90, 240] {
                let earlier = start.advanced(byMilliseconds: -1 - minutes * 60_000)
                #expect(zone.date(at: earlier) < day)
            }
            day = day.advanced(byDays: 1)
        }
    }

    @Test(arguments: difficultZones)
    func everyInstantIsInTheDayThatHoldsIt(name: String) throws {
        let zone = try #require(Zone(named: name))
        let seconds = stride(
            from: testedSeconds.lowerBound, to: testedSeconds.upperBound, by: 24_691)
        let lost = seconds.filter { second in
            let instant = Instant(milliseconds: Int64(second) * 1000)
            return !zone.day(containing: instant).contains(instant)
        }
        #expect(lost == [])
    }

    @Test func clocksThatGoBackOverMidnightStayInTheNewDay() throws {
        let zone = try #require(Zone(named: "America/St_Johns"))
        let again = try instant("2010-11-06T23:30:00-03:30")
        #expect(zone.date(at: again) == (try date(2010, 11, 6)))
        #expect(zone.day(containing: again) == zone.day(try date(2010, 11, 7)))
    }

    @Test(arguments: [
        ("2026-03-28T12:00:00.250+01:00", 1, "2026-03-29T12:00:00.250+02:00"),
        ("2026-03-28T02:30:00.000+01:00", 1, "2026-03-29T03:30:00.000+02:00"),
        ("2026-10-24T02:30:00.000+02:00", 1, "2026-10-25T02:30:00.000+02:00"),
        ("2026-10-26T02:30:00.000+01:00", -1, "2026-10-25T02:30:00.000+01:00"),
        ("2026-10-25T02:30:00.000+01:00", 0, "2026-10-25T02:30:00.000+01:00"),
        ("2024-02-29T08:00:00.000+01:00", 366, "2025-03-01T08:00:00.000+01:00"),
        ("1969-12-31T23:59:59.999+01:00", -1, "1969-12-30T23:59:59.999+01:00"),
    ])
    func addingDaysKeepsTheTimeOnTheClocks(from: String, days: Int, to: String) throws {
        let zone = try #require(Zone(named: "Europe/Berlin"))
        #expect(zone.adding(days: days, to: try instant(from)) == (try instant(to)))
    }

    @Test(arguments: [Int.min, -4_000_000, 4_000_000, Int.max])
    func addingTooManyDaysEndsInsideTheRange(days: Int) {
        let end = Zone.utc.adding(days: days, to: Instant(milliseconds: 0))
        #expect(Instant.range.contains(end))
    }

    @Test func anIntervalHoldsItsStartAndNotItsEnd() {
        let (start, end) = (Instant(milliseconds: 5), Instant(milliseconds: 7))
        let interval = DateInterval(start: start, end: end)
        #expect(interval.contains(start))
        #expect(interval.contains(Instant(milliseconds: 6)))
        #expect(!interval.contains(end))
        #expect(DateInterval(start: end, end: start).isEmpty)
    }
}

private func date(_ year: Int, _ month: Int, _ day: Int) throws -> CalendarDate {
    try #require(CalendarDate(year: year, month: month, day: day))
}

private func instant(_ text: String) throws -> Instant {
    try #require(Instant(rfc3339: Array(text.utf8)))
}

private func hours(_ interval: DateInterval) -> Int64 {
    (interval.end.milliseconds - interval.start.milliseconds) / hour
}
