import Measurements
import Testing

@testable import Samples

@Suite struct CalendarDateTests {
    @Test func weekdaysFollowOneAnother() throws {
        let monday = try #require(CalendarDate(year: 2026, month: 11, day: 30))
        #expect(monday.weekday == 1)
        let wrong = (-700_000...700_000).filter { days in
            monday.advanced(byDays: days).weekday != ((days % 7) + 7) % 7 + 1
        }
        #expect(wrong == [])
    }

    @Test func theDayBeforeMarchIsTheLastOfFebruary() throws {
        for (year, last) in [(2024, 29), (2026, 28), (2000, 29), (1900, 28), (2100, 28)] {
            let march = try #require(CalendarDate(year: year, month: 3, day: 1))
            #expect(march.advanced(byDays: -1) == CalendarDate(year: year, month: 2, day: last))
        }
    }

    @Test func theRangeEndsAtTheYearsOfFourDigits() throws {
        let first = try #require(CalendarDate(year: 0, month: 1, day: 1))
        let last = try #require(CalendarDate(year: 9999, month: 12, day: 31))
        #expect(first.advanced(byDays: -1) == first)
        #expect(first.advanced(byDays: .min) == first)
        let end = last.advanced(byDays: 1)
        #expect(end > last)
        #expect(end.advanced(byDays: .max) == end)
        #expect(CalendarDate(year: 10_000, month: 1, day: 1) == nil)
        #expect(CalendarDate(year: -1, month: 1, day: 1) == nil)
        #expect(CalendarDate(year: 2026, month: 2, day: 29) == nil)
    }

    @Test func aTimeOfDayIsThatOfTheClock() throws {
        let date = try #require(CalendarDate(year: 2026, month: 11, day: 29))
        let civil = date.civilTime(secondsOfDay: 79_205)
        #expect(
            civil == CivilTime(year: 2026, month: 11, day: 29, hour: 22, minute: 0, second: 5))
        #expect(CalendarDate(of: civil) == date)
    }
}
