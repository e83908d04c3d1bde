/// A point in time: milliseconds of UTC since 1970, without leap seconds.
package struct Instant: Hashable, Comparable, Sendable {
    /// Milliseconds since 1970-01-01T00:00:00Z.
    package let milliseconds: Int64

    /// The instant that is this many milliseconds after 1970-01-01T00:00:00Z.
    @inlinable
    package init(milliseconds: Int64) {
        self.milliseconds = milliseconds
    }

    /// The first and the last instant with a year of four digits, 0000 to 9999, at any offset.
    package static let range =
        Instant(milliseconds: -62_167_132_800_000)...Instant(milliseconds: 253_402_214_399_999)

    package static func < (left: Instant, right: Instant) -> Bool {
        left.milliseconds < right.milliseconds
    }

    /// The instant `milliseconds` later, held inside `range`.
    package func advanced(byMilliseconds distance: Int64) -> Instant {
        let (sum, overflow) = milliseconds.addingReportingOverflow(distance)
        let limit = distance < 0 ? Self.range.lowerBound : Self.range.upperBound
        return overflow ? limit : Instant(milliseconds: sum).clamped(to: Self.range)
    }

    private func clamped(to range: ClosedRange<Instant>) -> Instant {
        min(max(self, range.lowerBound), range.upperBound)
    }
}

extension Instant {
    /// Appends RFC 3339 text with three decimals and a numeric offset: `2026-11-29T22:00:00.123+01:00`.
    ///
    /// - Parameters:
    ///   - text: What the ASCII text is appended to.
    ///   - offset: Seconds east of UTC; RFC 3339 has no offsets of seconds, they are cut to minutes.
    package func append(to text: inout [UInt8], offset: Int) {
        let minutes = offset / 60
        let local = milliseconds + Int64(minutes) * 60_000
        let seconds = local.floorDivided(by: 1000)
        let civil = CivilTime(secondsSince1970: seconds)
        text.append(civil)
        text.append(UInt8(ascii: "."))
        text.append(Int(local - seconds * 1000), digits: 3)
        text.append(minutes < 0 ? UInt8(ascii: "-") : UInt8(ascii: "+"))
        text.append(abs(minutes) / 60, digits: 2)
        text.append(UInt8(ascii: ":"))
        text.append(abs(minutes) % 60, digits: 2)
    }

    /// RFC 3339 text with three decimals and a numeric offset.
    package func text(offset: Int = 0) -> String {
        var text: [UInt8] = []
        append(to: &text, offset: offset)
        return String(decoding: text, as: UTF8.self)
    }

    /// The instant that RFC 3339 text names, such as `2026-11-29T22:00:00.123Z`.
    ///
    /// Fractions beyond milliseconds are cut; `T` may be a blank; a leap second is the next second.
    ///
    /// - Returns: nil if the text is anything else.
    package init?(rfc3339 text: some Collection<UInt8>) {
        var scanner = TimeScanner(text)
        guard let civil = scanner.civilTime(), let fraction = scanner.fraction(),
            let offset = scanner.offset(), scanner.isAtEnd
        else { return nil }
        let seconds = civil.time.secondsSince1970 + (civil.leap ? 1 : 0) - Int64(offset)
        let instant = Instant(milliseconds: seconds * 1000 + Int64(fraction))
        guard Self.range.contains(instant) else { return nil }
        self = instant
    }
}

/// Reads the parts of RFC 3339 text.
private struct TimeScanner {
    private let text: [UInt8]
    private var position = 0

    init(_ text: some Collection<UInt8>) {
        self.text = Array(text.prefix(64))
    }

    var isAtEnd: Bool { position == text.count }

    mutating func civilTime() -> (time: CivilTime, leap: Bool)? {
        guard let year = digits(4), skip("-"), let month = digits(2), skip("-"),
            let day = digits(2), skip("T") || skip("t") || skip(" "), let hour = digits(2),
            skip(":"), let minute = digits(2), skip(":"), let second = digits(2), second <= 60,
            let time = CivilTime(
                year: year, month: month, day: day, hour: hour, minute: minute,
                second: min(second, 59))
        else { return nil }
        return (time, second == 60)
    }

    /// Milliseconds of an optional fraction.
    mutating func fraction() -> Int? {
        guard skip(".") else { return 0 }
        var result = 0
        var count = 0
        while let digit = digits(1) {
            if count < 3 { result = result * 10 + digit }
            count += 1
        }
        guard count > 0 else { return nil }
        for _ in count..<max(count, 3) { result *= 10 }
        return result
    }

    /// Seconds east of UTC.
    mutating func offset() -> Int? {
        if skip("Z") || skip("z") { return 0 }
        let negative = skip("-")
        guard negative || skip("+"), let hours = digits(2), hours < 24, skip(":"),
            let minutes = digits(2), minutes < 60
        else { return nil }
        return (hours * 3600 + minutes * 60) * (negative ? -1 : 1)
    }

    private mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard position < text.count, text[position] == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    private mutating func digits(_ count: Int) -> Int? {
        guard position + count <= text.count else { return nil }
        var result = 0
        for octet in text[position..<position + count] {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(octet) else { return nil }
            result = result * 10 + Int(octet - UInt8(ascii: "0"))
        }
        position += count
        return result
    }
}

extension [UInt8] {
    /// Appends a civil time as `2026-11-29T22:00:00`.
    package mutating func append(_ civil: CivilTime) {
        append(civil.year, digits: 4)
        append(UInt8(ascii: "-"))
        append(civil.month, digits: 2)
        append(UInt8(ascii: "-"))
        append(civil.day, digits: 2)
        append(UInt8(ascii: "T"))
        append(civil.hour, digits: 2)
        append(UInt8(ascii: ":"))
        append(civil.minute, digits: 2)
        append(UInt8(ascii: ":"))
        append(civil.second, digits: 2)
    }
}
