import Foundation
import Testing

import Measurements

@Suite struct CivilTimeTests {
    @Test func everyMonthOfTwentyThousandYearsFollowsTheOneBefore() throws {
        var days = try #require(CivilTime(year: -9999, month: 1, day: 1)).daysSince1970
        for year in -9999...9999 {
            for month in 1...12 {
                let first = try #require(CivilTime(year: year, month: month, day: 1))
                if first.daysSince1970 != days { Issue.record("\(year)-\(month)") }
                if CivilTime(secondsSince1970: days * 86_400) != first {
                    Issue.record("day \(days)")
                }
                days += Int64(CivilTime.days(inMonth: month, ofYear: year))
            }
        }
        #expect(CivilTime(year: 1970, month: 1, day: 1)?.daysSince1970 == 0)
    }

    @Test func datesAgreeWithFoundation() throws {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = try #require(TimeZone(identifier: "UTC"))
        var generator = SeededGenerator(seed: 3)
        for _ in 0..<5_000 {
            let seconds = Int64.random(in: -12_200_000_000...253_402_300_799, using: &generator)
            let date = Date(timeIntervalSince1970: Double(seconds))
            let parts = calendar.dateComponents(
                [.year, .month, .day, .hour, .minute, .second], from: date)
            let civil = CivilTime(secondsSince1970: seconds)
            #expect(
                [civil.year, civil.month, civil.day, civil.hour, civil.minute, civil.second]
                    == [
                        parts.year, parts.month, parts.day, parts.hour, parts.minute, parts.second,
                    ])
            #expect(civil.secondsSince1970 == seconds)
        }
    }

    @Test(arguments: [
        (2026, 2, 29), (1900, 2, 29), (2026, 4, 31), (2026, 0, 1), (2026, 13, 1), (2026, 1, 0),
        (2026, 1, 32), (10_000, 1, 1), (-10_000, 1, 1),
    ])
    func aDateThatDoesNotExistIsNil(year: Int, month: Int, day: Int) {
        #expect(CivilTime(year: year, month: month, day: day) == nil)
    }

    @Test(arguments: [(24, 0, 0), (0, 60, 0), (0, 0, 60), (-1, 0, 0), (0, -1, 0), (0, 0, -1)])
    func aTimeOfDayThatDoesNotExistIsNil(hour: Int, minute: Int, second: Int) {
        let time = CivilTime(
            year: 2026, month: 1, day: 1, hour: hour, minute: minute, second: second)
        #expect(time == nil)
    }

    @Test func aLeapDayExistsWhereTheCalendarHasOne() {
        #expect(CivilTime(year: 2000, month: 2, day: 29) != nil)
        #expect(CivilTime(year: 2024, month: 2, day: 29) != nil)
        #expect(CivilTime(year: -4, month: 2, day: 29) != nil)
    }

    @Test func divisionRoundsTowardsNegativeInfinity() {
        #expect((-1 as Int64).floorDivided(by: 86_400) == -1)
        #expect((-86_400 as Int64).floorDivided(by: 86_400) == -1)
        #expect((86_399 as Int64).floorDivided(by: 86_400) == 0)
    }
}
