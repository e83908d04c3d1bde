import Measurements
import Testing

@Suite struct DateTimeTests {
    @Test func aWholeDateIsACivilTime() throws {
        let time = try DateTime(decoding: octets("ea07 0b1e 072d09"))
        #expect(
            time.civilTime
                == CivilTime(year: 2026, month: 11, day: 30, hour: 7, minute: 45, second: 9))
        #expect(time.trailing == 0)
    }

    @Test(arguments: ["0000 0b1e 072d09", "ea07 001e 072d09", "ea07 0b00 072d09"])
    func aDateWithAnUnknownPartIsNoCivilTime(hex: String) throws {
        let time = try DateTime(decoding: octets(hex))
        #expect([time.year, time.month, time.day].filter { $0 == nil }.count == 1)
        #expect(time.civilTime == nil)
        #expect(time.hour == 7 && time.minute == 45 && time.second == 9)
    }

    @Test func everyDayOfACommonAndALeapYearIsRight() {
        for (year, february) in [(2023, 28), (2024, 29), (0, 29)] {
            let lengths = [31, 31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
            for month in 0...255 {
                for day in 0...255 {
                    let exists = month <= 12 && day <= lengths[min(month, 12)]
                    if isPossible(year, month, day) != exists {
                        Issue.record("\(year)-\(month)-\(day)")
                    }
                }
            }
        }
    }

    @Test func onlyYearsOfTheGregorianCalendarExist() {
        for year in 0...65_535 {
            let exists = year == 0 || (1582...9999).contains(year)
            if isPossible(year, 1, 1) != exists { Issue.record("\(year)") }
        }
    }

    @Test func onlyTimesOfDayExist() {
        for value in 0...255 {
            #expect(isPossible(2026, 1, 1, [value, 0, 0]) == (value < 24))
            #expect(isPossible(2026, 1, 1, [0, value, 0]) == (value < 60))
            #expect(isPossible(2026, 1, 1, [0, 0, value]) == (value < 60))
        }
    }

    @Test func octetsBehindItAreCounted() throws {
        #expect(try DateTime(decoding: octets("ea070b1e072d09aabb")).trailing == 2)
    }

    private func isPossible(
        _ year: Int, _ month: Int, _ day: Int, _ time: [Int] = [0, 0, 0]
    ) -> Bool {
        let parts = [year & 0xFF, year >> 8, month, day] + time
        let reason = reason { () throws(MalformedValue) in
            _ = try DateTime(decoding: parts.map { UInt8($0) })
        }
        return reason != .invalidDateTime
    }
}

@Suite struct CurrentTimeTests {
    @Test func everyFieldIsRead() throws {
        let value = try CurrentTime(decoding: octets("ea070b1e072d09 01 80 05"))
        #expect(value.dateTime.day == 30)
        #expect(value.dayName == "monday")
        #expect(value.fractions256 == 128)
        #expect(value.adjustReason == [.manual, .timeZone])
        #expect(value.adjustReason.names == ["manual", "time_zone"])
    }

    @Test func aReservedDayHasNoName() throws {
        for day in UInt8.min...UInt8.max {
            let value = try CurrentTime(decoding: octets("ea070b1e072d09") + [day, 0, 0])
            #expect((value.dayName != nil) == (day <= 7))
        }
    }

    @Test func aTruncatedImpossibleTimeIsTruncated() {
        let reason = reason { () throws(MalformedValue) in
            _ = try CurrentTime(decoding: octets("ffffffffffffff 01 80"))
        }
        #expect(reason?.symbol == "truncated")
    }
}
