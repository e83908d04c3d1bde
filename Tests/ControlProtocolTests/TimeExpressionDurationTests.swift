import Measurements
import Samples
import Testing

@testable import ControlProtocol

@Suite struct TimeExpressionDurationTests {
    @Test(arguments: [
        ("10s", 0, 10_000), ("12h", 0, 43_200_000), ("250ms", 0, 250), ("1h30m", 0, 5_400_000),
        ("2w", 14, 0), ("1w1d12h", 8, 43_200_000), ("5m1m", 0, 360_000), ("0s", 0, 0),
        ("3652500d", 3_652_500, 0),
    ])
    func unitsAddUp(text: String, days: Int64, milliseconds: Int64) throws {
        let duration = try ZonedDuration(text)
        #expect(duration.days == days)
        #expect(duration.milliseconds == milliseconds)
    }

    @Test(arguments: [
        ("10s", 10_000), ("1d", 86_400_000), ("1w1ms", 604_800_001),
    ])
    func anAgeHasDaysOf24Hours(text: String, milliseconds: Int64) throws {
        #expect(try ZonedDuration(text).fixedMilliseconds == milliseconds)
    }

    @Test(
        arguments: [
            ("", .durationForm), ("10", .durationForm), ("-10s", .durationForm),
            ("10 s", .durationForm), ("10S", .durationForm), ("10min", .durationForm),
            ("3652500d1ms", .durationTooLong), ("9223372036854775808s", .durationTooLong),
            (String(repeating: "1s", count: 33), .tooLong),
        ] as [(String, TimeExpressionError.Reason)])
    func whatIsNoDurationIsRefused(text: String, reason: TimeExpressionError.Reason) {
        #expect(throws: TimeExpressionError(text, reason)) { try ZonedDuration(text) }
    }

    @Test(arguments: [
        ("-1d", "2026-03-29T12:00:00+02:00", "2026-03-28T12:00:00+01:00"),
        ("-24h", "2026-03-29T12:00:00+02:00", "2026-03-28T11:00:00+01:00"),
        ("-1d", "2026-10-25T12:00:00+01:00", "2026-10-24T12:00:00+02:00"),
        ("-24h", "2026-10-25T12:00:00+01:00", "2026-10-24T13:00:00+02:00"),
        ("-1w", "2026-03-30T02:30:00+02:00", "2026-03-23T02:30:00+01:00"),
        ("-1d", "2026-03-30T02:30:00+02:00", "2026-03-29T03:30:00+02:00"),
        ("-1d1h", "2026-03-30T03:00:00+02:00", "2026-03-29T01:00:00+01:00"),
        ("-1h1d", "2026-03-30T03:00:00+02:00", "2026-03-29T01:00:00+01:00"),
        ("-1h30m", "2026-11-29T00:30:00.250+01:00", "2026-11-28T23:00:00.250+01:00"),
        ("-500ms", "2026-11-29T00:00:00+01:00", "2026-11-28T23:59:59.500+01:00"),
    ])
    func daysKeepTheTimeOnTheClocksAndHoursDoNot(
        text: String, now: String, expected: String
    ) throws {
        let zone = try #require(Zone(named: "Europe/Berlin"))
        let answer = try TimeExpression.instant(from: text, zone: zone, now: try instant(now))
        #expect(answer == (try instant(expected)))
    }
}

private func instant(_ text: String) throws -> Instant {
    try #require(Instant(rfc3339: Array(text.utf8)))
}
