/// A date and time of day without a zone, as a clock on a wall shows it, in the Gregorian calendar.
package struct CivilTime: Hashable, Sendable {
    /// The year, -9999 to 9999.
    package let year: Int
    /// The month, 1 to 12.
    package let month: Int
    /// The day of the month, 1 to 31.
    package let day: Int
    /// The hour, 0 to 23.
    package let hour: Int
    /// The minute, 0 to 59.
    package let minute: Int
    /// The second, 0 to 59.
    package let second: Int

    /// The given date and time.
    ///
    /// - Returns: nil if there is no such date or time of day.
    package init?(
        year: Int, month: Int, day: Int, hour: Int = 0, minute: Int = 0, second: Int = 0
    ) {
        guard (-9999...9999).contains(year), (1...12).contains(month),
            (1...Self.days(inMonth: month, ofYear: year)).contains(day),
            (0...23).contains(hour), (0...59).contains(minute), (0...59).contains(second)
        else { return nil }
        self.init(unchecked: (year, month, day), hour, minute, second)
    }

    private init(unchecked date: (Int, Int, Int), _ hour: Int, _ minute: Int, _ second: Int) {
        (year, month, day) = date
        self.hour = hour
        self.minute = minute
        self.second = second
    }

    /// Seconds since 1970-01-01T00:00:00 on the same clock: the raw form that needs no zone.
    package var secondsSince1970: Int64 {
        daysSince1970 * 86_400 + Int64(hour * 3600 + minute * 60 + second)
    }

    /// Whole days since 1970-01-01; that day was a Thursday.
    ///
    /// Counts from March, so that a leap day ends its year, in eras of 400 years (146,097 days).
    package var daysSince1970: Int64 {
        let shifted = month <= 2 ? year - 1 : year
        let era = (shifted >= 0 ? shifted : shifted - 399) / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return Int64(era * 146_097 + dayOfEra - 719_468)
    }

    /// The date and time that is `seconds` after 1970-01-01T00:00:00 on the same clock.
    package init(secondsSince1970 seconds: Int64) {
        let days = seconds.floorDivided(by: 86_400)
        let time = Int(seconds - days * 86_400)
        self.init(
            unchecked: Self.date(daysSince1970: days), time / 3600, time / 60 % 60, time % 60)
    }

    private static func date(daysSince1970 days: Int64) -> (Int, Int, Int) {
        let shifted = days + 719_468
        let era = shifted.floorDivided(by: 146_097)
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let day = Int(dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
        let month = Int(shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9)
        return (Int(yearOfEra + era * 400) + (month <= 2 ? 1 : 0), month, day)
    }

    /// The number of days of a month, 28 to 31.
    package static func days(inMonth month: Int, ofYear year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}

extension Int64 {
    /// The quotient rounded towards negative infinity.
    @inlinable
    package func floorDivided(by divisor: Int64) -> Int64 {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }
}
