internal import Measurements

/// How an interval is cut into pieces, by the clocks of a zone.
package enum BucketSize: Equatable, Sendable {
    /// So many ms of the clock, counted from each local midnight; at most a day.
    ///
    /// Where clocks go back, what they show twice is two pieces.
    case clock(milliseconds: Int64)
    /// So many local days.
    case days(Int)
    /// So many weeks from Monday to Sunday.
    case weeks(Int)
    /// So many calendar months.
    case months(Int)
    /// From noon to noon.
    case night

    /// The size that a word such as `15m`, `1h`, `1d`, `1w`, `1mo` or `night` names.
    package init?(_ text: String) {
        if text == "night" {
            self = .night
            return
        }
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        guard let count = Int(digits), (1...Self.mostUnits).contains(count) else { return nil }
        switch text.dropFirst(digits.count) {
        case "s": self.init(clock: count, of: 1000)
        case "m": self.init(clock: count, of: 60_000)
        case "h": self.init(clock: count, of: 3_600_000)
        case "d": self = .days(count)
        case "w": self = .weeks(count)
        case "mo": self = .months(count)
        default: return nil
        }
    }

    private init?(clock count: Int, of unit: Int64) {
        guard Int64(count) * unit <= Self.day else { return nil }
        self = .clock(milliseconds: Int64(count) * unit)
    }

    /// Units of one piece: more than the days of a century.
    private static let mostUnits = 100_000
    private static let day: Int64 = 86_400_000
}

extension Zone {
    /// The pieces of an interval, in order, without gaps; the outer ones are cut at its ends.
    ///
    /// - Returns: nil if there are more than `limit`.
    package func buckets(
        _ size: BucketSize, of interval: DateInterval, limit: Int
    ) -> [DateInterval]? {
        var buckets: [DateInterval] = []
        guard !interval.isEmpty else { return [] }
        var edges = BucketEdges(size, in: self, before: interval.start)
        var start = interval.start
        while start < interval.end {
            let edge = min(edges.next(), interval.end)
            guard edge > start else { continue }
            guard buckets.count < limit else { return nil }
            buckets.append(DateInterval(start: start, end: edge))
            start = edge
        }
        return buckets
    }

    /// The least interval of whole pieces around another one.
    package func whole(_ size: BucketSize, around interval: DateInterval) -> DateInterval {
        // Of a night, the evening may lie on the date before.
        let reach: Int64 = size == .night ? 2 * 86_400_000 : 0
        var edges = BucketEdges(
            size, in: self, before: interval.start.advanced(byMilliseconds: -reach))
        var (start, edge) = (interval.start, edges.next())
        while edge <= interval.start { (start, edge) = (edge, edges.next()) }
        while edge < interval.end { edge = edges.next() }
        return DateInterval(start: start, end: min(edge, Instant.range.upperBound))
    }
}

/// The instants at which pieces begin, in order, from one at or before some instant on.
private struct BucketEdges {
    private let size: BucketSize
    private let zone: Zone
    private var day: CalendarDate
    private var waiting: ArraySlice<Instant> = []

    init(_ size: BucketSize, in zone: Zone, before start: Instant) {
        self.size = size
        self.zone = zone
        let date = zone.date(at: start)
        day = start < zone.day(date).end ? date : date.advanced(byDays: 1)
        switch size {
        case .weeks: day = day.advanced(byDays: 1 - day.weekday)
        case .months: day = day.advanced(byDays: 1 - day.civilTime().day)
        case .clock, .days, .night: break
        }
    }

    mutating func next() -> Instant {
        while true {
            if let edge = waiting.popFirst() { return edge }
            // At the end of all dates there is one more edge, behind everything.
            guard following != day else { return Instant(milliseconds: .max) }
            waiting = edges[...]
            day = following
        }
    }

    private var following: CalendarDate {
        switch size {
        case .clock, .night: day.advanced(byDays: 1)
        case .days(let count): day.advanced(byDays: count)
        case .weeks(let count): day.advanced(byDays: count * 7)
        case .months(let count): day.advanced(byMonths: count)
        }
    }

    /// The edges that belong to the present date.
    private var edges: [Instant] {
        switch size {
        case .clock(let milliseconds): clockEdges(milliseconds)
        case .night: [zone.instant(of: day.civilTime(secondsOfDay: 43_200))]
        case .days, .weeks, .months: [zone.startOfDay(day)]
        }
    }

    /// Every instant of the day at which the clocks show a multiple of the step, or jump over one.
    ///
    /// Where clocks go back over midnight, some of them show another date.
    private func clockEdges(_ step: Int64) -> [Instant] {
        let interval = zone.day(day)
        let dates = (-1...1).map { day.advanced(byDays: $0) }
        let times = stride(from: 0, to: 86_400_000, by: Int(step))
        let edges = dates.flatMap { date in times.flatMap { instants(date, $0) } }
        return Set(edges.filter(interval.contains)).sorted()
    }

    /// The instants at which the clocks show a time, in ms of a date, or jump over it.
    private func instants(_ date: CalendarDate, _ time: Int) -> [Instant] {
        let fraction = Int64(time % 1000)
        switch zone.resolve(date.civilTime(secondsOfDay: time / 1000)) {
        case .unique(let instant): return [instant.advanced(byMilliseconds: fraction)]
        case .skipped(_, let transition, _): return [transition]
        case .repeated(let first, let second):
            return [first, second].map { $0.advanced(byMilliseconds: fraction) }
        }
    }
}

extension CalendarDate {
    /// The first day of the month `count` months later.
    fileprivate func advanced(byMonths count: Int) -> CalendarDate {
        let civil = civilTime()
        let months = civil.year * 12 + civil.month - 1 + count
        return CalendarDate(year: months / 12, month: months % 12 + 1, day: 1)
            ?? advanced(byDays: count * 31)
    }
}
