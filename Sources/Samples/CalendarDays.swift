package import Measurements

/// The instants from `start` up to but not including `end`.
package struct DateInterval: Hashable, Sendable {
    /// The first instant.
    package let start: Instant
    /// The first instant that is no longer in it; never before `start`.
    package let end: Instant

    /// The interval between two instants; empty if `end` is not later than `start`.
    package init(start: Instant, end: Instant) {
        self.start = start
        self.end = max(start, end)
    }

    /// True if no instant is in it.
    package var isEmpty: Bool { start == end }

    /// True if the instant is in it.
    package func contains(_ instant: Instant) -> Bool {
        start <= instant && instant < end
    }
}

extension Zone {
    /// The date on the clocks at an instant.
    package func date(at instant: Instant) -> CalendarDate {
        CalendarDate(of: civilTime(at: instant))
    }

    /// The first instant with this date on the clocks.
    ///
    /// Where midnight is jumped over this is later than 00:00, where it comes twice the first one.
    /// A date that is jumped over as a whole starts where the next one starts.
    package func startOfDay(_ date: CalendarDate) -> Instant {
        switch resolve(date.civilTime()) {
        case .unique(let instant), .repeated(let instant, _), .skipped(_, let instant, _): instant
        }
    }

    /// A local day; it lasts 23, 24 or 25 hours as a rule, and nothing if it is jumped over.
    package func day(_ date: CalendarDate) -> DateInterval {
        DateInterval(start: startOfDay(date), end: startOfDay(date.advanced(byDays: 1)))
    }

    /// The local day that holds an instant.
    ///
    /// Where clocks go back over midnight, the old date shows for a while after its day has ended;
    /// such an instant belongs to the new day, so that days neither overlap nor leave gaps.
    package func day(containing instant: Instant) -> DateInterval {
        let today = date(at: instant)
        let interval = day(today)
        return instant < interval.end ? interval : day(today.advanced(byDays: 1))
    }

    /// The instant with the same time on the clocks `days` days later, or earlier if negative.
    ///
    /// Of two such instants the one with the offset of `instant`, else the first; a time that the
    /// clocks jump over moves forward by the size of the jump.
    package func adding(days: Int, to instant: Instant) -> Instant {
        guard days != 0 else { return instant }
        let civil = civilTime(at: instant)
        let target = CalendarDate(of: civil).advanced(byDays: days)
        let sameTime = target.civilTime(secondsOfDay: civil.secondsOfDay)
        let fraction = instant.milliseconds - instant.milliseconds.floorDivided(by: 1000) * 1000
        return self.instant(of: sameTime, preferring: offset(at: instant))
            .advanced(byMilliseconds: fraction)
    }

    private func instant(of civil: CivilTime, preferring offset: Int) -> Instant {
        if case .repeated(_, let second) = resolve(civil), self.offset(at: second) == offset {
            return second
        }
        return instant(of: civil)
    }
}

extension CivilTime {
    fileprivate var secondsOfDay: Int { hour * 3600 + minute * 60 + second }
}
