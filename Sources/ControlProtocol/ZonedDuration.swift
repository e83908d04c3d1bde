package import Measurements
package import Samples

/// A length of time such as `1h30m` or `2w`, whose days and weeks are those of a calendar.
///
/// At a change of the clocks a day is 23 or 25 hours long, `24h` never is.
package struct ZonedDuration: Hashable, Sendable {
    /// The days, weeks counted as seven.
    package private(set) var days: Int64 = 0
    /// What there is besides days, in milliseconds.
    package private(set) var milliseconds: Int64 = 0

    private static let millisecondsOfDay: Int64 = 86_400_000
    private static let longest = Int128(3_652_500 * millisecondsOfDay)  // 10,000 years

    /// The duration that a text such as `90s`, `1h30m` or `2w` names.
    ///
    /// Units are ms, s, m, h, d and w, in any order, in small letters.
    ///
    /// - Throws: An error with the text for any other form, or for more than 10,000 years.
    package init(_ text: String) throws(TimeExpressionError) {
        guard text.utf8.count <= TimeExpressionError.longestText else {
            throw TimeExpressionError(text, .tooLong)
        }
        do throws(TimeExpressionError.Reason) {
            try self.init(octets: text.utf8)
        } catch {
            throw TimeExpressionError(text, error)
        }
    }

    init(octets: some Collection<UInt8>) throws(TimeExpressionError.Reason) {
        var scanner = TimeExpressionScanner(octets)
        repeat {
            guard let count = scanner.number(), let unit = Self.unit(scanner.letters()) else {
                throw .durationForm
            }
            try add(count, days: unit.days, milliseconds: unit.milliseconds)
        } while !scanner.isAtEnd
    }

    private static func unit(_ name: String) -> (days: Int64, milliseconds: Int64)? {
        switch name {
        case "w": (7, 0)
        case "d": (1, 0)
        case "h": (0, 3_600_000)
        case "m": (0, 60_000)
        case "s": (0, 1000)
        case "ms": (0, 1)
        default: nil
        }
    }

    private mutating func add(
        _ count: Int64, days unitDays: Int64, milliseconds unitMilliseconds: Int64
    ) throws(TimeExpressionError.Reason) {
        let length = Int128(unitDays * Self.millisecondsOfDay + unitMilliseconds)
        guard Int128(fixedMilliseconds) + Int128(count) * length <= Self.longest else {
            throw .durationTooLong
        }
        days += count * unitDays
        milliseconds += count * unitMilliseconds
    }

    /// The length in milliseconds where there is no calendar, as for ages: a day is 24 hours.
    package var fixedMilliseconds: Int64 { days * Self.millisecondsOfDay + milliseconds }

    /// The instant this much before another, in a zone: first the days, at the same time on the
    /// clocks, then the rest.
    ///
    /// - Returns: nil if it is before `Instant.range`.
    package func before(_ instant: Instant, in zone: Zone) -> Instant? {
        guard Instant.range.contains(instant) else { return nil }
        let rough = Instant(milliseconds: instant.milliseconds - fixedMilliseconds)
        guard Instant.range.contains(rough) else { return nil }
        return zone.adding(days: -Int(days), to: instant).advanced(byMilliseconds: -milliseconds)
    }
}
