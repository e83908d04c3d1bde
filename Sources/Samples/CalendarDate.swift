package import Measurements

/// A day of the Gregorian calendar, in no zone: 0000-01-01 to 10000-01-01.
///
/// The last one is there so that 9999-12-31 ends somewhere.
package struct CalendarDate: Hashable, Sendable {
    /// Whole days since 1970-01-01.
    package let daysSince1970: Int

    private static let days = -719_528...2_932_897

    private init(clamping days: Int) {
        daysSince1970 = min(max(days, Self.days.lowerBound), Self.days.upperBound)
    }

    /// The given date.
    ///
    /// - Returns: nil if there is no such date, or its year does not have four digits.
    package init?(year: Int, month: Int, day: Int) {
        guard (0...9999).contains(year),
            let midnight = CivilTime(year: year, month: month, day: day)
        else { return nil }
        daysSince1970 = Int(midnight.daysSince1970)
    }

    /// The date that a clock shows, or the nearest that there is here.
    package init(of civil: CivilTime) {
        self.init(clamping: Int(civil.daysSince1970))
    }

    /// The date `count` days later, or earlier for a negative count; stops at the ends.
    package func advanced(byDays count: Int) -> CalendarDate {
        let (days, overflow) = daysSince1970.addingReportingOverflow(count)
        return CalendarDate(clamping: overflow ? count : days)
    }

    /// The day of the week, 1 for Monday to 7 for Sunday.
    ///
    /// Source: ISO 8601, calendar day of week.
    package var weekday: Int {
        let sinceMonday = (daysSince1970 + 3) % 7  // 1970-01-01 was a Thursday
        return (sinceMonday < 0 ? sinceMonday + 7 : sinceMonday) + 1
    }

    /// A time of this day, `secondsOfDay` seconds after its midnight on the clock.
    package func civilTime(secondsOfDay: Int = 0) -> CivilTime {
        CivilTime(secondsSince1970: Int64(daysSince1970 * 86_400 + secondsOfDay))
    }
}

extension CalendarDate: Comparable {
    package static func < (left: CalendarDate, right: CalendarDate) -> Bool {
        left.daysSince1970 < right.daysSince1970
    }
}
