package import Measurements
package import Samples

/// A time as people and programs write it in a request, read in a zone at some moment.
///
/// RFC 3339 (also without seconds), `now`, `today`, `yesterday`, `tomorrow`, a day of the week (in
/// full or three letters: the last such day, today included), `2026-11-29`, any of these days with
/// a blank and `hh:mm[:ss[.mmm]]`, a time alone (today), `-1h30m` (before now) and `@` with seconds
/// since 1970. A day without a time is its first instant. Letters may be large or small, except in
/// durations. A time that comes twice is the first, one that is jumped over moves forward. What is
/// just outside `Instant.range`, such as the last second of 9999, is the end of it.
package struct TimeExpression {
    private let zone: Zone
    private let now: Instant

    /// The instant that `text` names.
    ///
    /// - Parameters:
    ///   - text: The time; any octets may come in.
    ///   - zone: The zone of times without an offset, and of days.
    ///   - now: The moment that `now`, days and durations are counted from.
    /// - Returns: An instant inside `Instant.range`.
    /// - Throws: An error with the text and what to write instead.
    package static func instant(
        from text: String, zone: Zone, now: Instant
    ) throws(TimeExpressionError) -> Instant {
        do throws(TimeExpressionError.Reason) {
            return try TimeExpression(zone: zone, now: now).instant(from: Array(text.utf8))
        } catch {
            throw TimeExpressionError(text, error)
        }
    }

    private func instant(from text: [UInt8]) throws(TimeExpressionError.Reason) -> Instant {
        guard text.count <= TimeExpressionError.longestText else { throw .tooLong }
        let instant =
            switch text.first {
            case nil: throw TimeExpressionError.Reason.empty
            case UInt8(ascii: "@"): try unixTime(text.dropFirst())
            case UInt8(ascii: "-"): try past(text.dropFirst())
            default: try calendarTime(text.map(TimeExpressionScanner.lowercase))
            }
        guard Instant.range.contains(instant) else { throw .outOfRange }
        return instant
    }

    private func unixTime(
        _ text: some Collection<UInt8>
    ) throws(TimeExpressionError.Reason) -> Instant {
        var scanner = TimeExpressionScanner(text)
        let sign: Int64 = scanner.skip("-") ? -1 : 1
        guard let seconds = scanner.number(), let fraction = scanner.fraction(), scanner.isAtEnd
        else { throw .unixSecondsForm }
        guard seconds <= Instant.range.upperBound.milliseconds else { throw .outOfRange }
        return Instant(milliseconds: sign * (seconds * 1000 + Int64(fraction)))
    }

    private func past(_ text: some Collection<UInt8>) throws(TimeExpressionError.Reason) -> Instant
    {
        let duration = try ZonedDuration(octets: text)
        guard let instant = duration.before(now, in: zone) else { throw .outOfRange }
        return instant
    }

    private func calendarTime(_ text: [UInt8]) throws(TimeExpressionError.Reason) -> Instant {
        if text.elementsEqual("now".utf8) { return now }
        if let instant = Instant(rfc3339: text) { return instant }
        if let separator = Self.separator(in: text) {
            return try time(text[(separator + 1)...], on: text[..<separator])
        }
        guard !text.contains(UInt8(ascii: ":")) else {
            return try time(text[...], on: zone.date(at: now), mayHaveOffset: false)
        }
        return zone.startOfDay(try date(text[...]))
    }

    /// The place of the blank or the T between a day and a time; words may hold a T themselves.
    private static func separator(in text: [UInt8]) -> Int? {
        let lengthOfDate = 10
        let isDateTime = text.count > lengthOfDate && text[lengthOfDate] == UInt8(ascii: "t")
        guard isDateTime, TimeExpressionScanner.isDigit(text[0]) else {
            return text.firstIndex(of: UInt8(ascii: " "))
        }
        return lengthOfDate
    }
}

extension TimeExpression {
    private func time(
        _ text: ArraySlice<UInt8>, on day: ArraySlice<UInt8>
    ) throws(TimeExpressionError.Reason) -> Instant {
        let isWritten = day.first.map(TimeExpressionScanner.isDigit) ?? false
        return try time(text, on: try date(day), mayHaveOffset: isWritten)
    }

    private func time(
        _ text: ArraySlice<UInt8>, on date: CalendarDate, mayHaveOffset: Bool
    ) throws(TimeExpressionError.Reason) -> Instant {
        var scanner = TimeExpressionScanner(text)
        let clock = try Self.timeOfDay(&scanner)
        let civil = date.civilTime(secondsOfDay: clock.seconds)
        var instant = zone.instant(of: civil)
        if mayHaveOffset, !scanner.isAtEnd {
            guard let offset = scanner.offset() else { throw .timeForm }
            instant = Instant(milliseconds: (civil.secondsSince1970 - Int64(offset)) * 1000)
        }
        guard scanner.isAtEnd else { throw .timeForm }
        return instant.advanced(byMilliseconds: Int64(clock.milliseconds))
    }

    private static func timeOfDay(
        _ scanner: inout TimeExpressionScanner
    ) throws(TimeExpressionError.Reason) -> (seconds: Int, milliseconds: Int) {
        guard let hour = scanner.digits(2), scanner.skip(":"), let minute = scanner.digits(2)
        else { throw .timeForm }
        var (second, fraction): (Int?, Int?) = (0, 0)
        if scanner.skip(":") { (second, fraction) = (scanner.digits(2), scanner.fraction()) }
        guard let second, let fraction else { throw .timeForm }
        guard hour < 24, minute < 60, second < 60 else { throw .noSuchTime }
        return (hour * 3600 + minute * 60 + second, fraction)
    }
}

extension TimeExpression {
    private func date(_ text: ArraySlice<UInt8>) throws(TimeExpressionError.Reason) -> CalendarDate
    {
        let today = zone.date(at: now)
        switch String(decoding: text, as: UTF8.self) {
        case "today": return today
        case "yesterday": return today.advanced(byDays: -1)
        case "tomorrow": return today.advanced(byDays: 1)
        case let word:
            guard let weekday = Self.weekday(word) else { return try Self.writtenDate(text) }
            return today.advanced(byDays: -((today.weekday - weekday + 7) % 7))
        }
    }

    private static func weekday(_ word: String) -> Int? {
        let names = [
            "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday",
        ]
        return names.firstIndex { $0 == word || $0.prefix(3) == word }.map { $0 + 1 }
    }

    private static func writtenDate(
        _ text: ArraySlice<UInt8>
    ) throws(TimeExpressionError.Reason) -> CalendarDate {
        guard let first = text.first, TimeExpressionScanner.isDigit(first) else {
            throw .unknownForm
        }
        var scanner = TimeExpressionScanner(text)
        guard let year = scanner.digits(4), scanner.skip("-"), let month = scanner.digits(2),
            scanner.skip("-"), let day = scanner.digits(2), scanner.isAtEnd
        else { throw .dateForm }
        guard let date = CalendarDate(year: year, month: month, day: day) else {
            throw .noSuchDate
        }
        return date
    }
}
