import Measurements
import Samples
import Testing

@testable import ControlProtocol

@Suite struct TimeExpressionErrorTests {
    private let now = Instant(milliseconds: 1_796_000_000_000)

    @Test(
        arguments: [
            ("", .empty), ("foo", .unknownForm), (" now", .unknownForm), ("now ", .unknownForm),
            ("mo", .unknownForm), ("mond", .unknownForm), ("today  22:00", .timeForm),
            ("now 22:00", .unknownForm), ("foo 22:00", .unknownForm), ("+1h", .unknownForm),
            ("2026-02-30", .noSuchDate), ("2026-13-01", .noSuchDate), ("2026-00-01", .noSuchDate),
            ("2026-02-29 10:00", .noSuchDate), ("2026-02-30T10:00:00Z", .noSuchDate),
            ("2026-1-5", .dateForm), ("29.11.2026", .dateForm), ("2026", .dateForm),
            ("2026-11-29x", .dateForm), ("2026-11-29T", .timeForm), ("20261129", .dateForm),
            ("25:00", .noSuchTime), ("24:00", .noSuchTime), ("22:60", .noSuchTime),
            ("22:00:60", .noSuchTime), ("2026-11-29 24:00", .noSuchTime), ("7:00", .timeForm),
            ("22:0", .timeForm), ("22:00:5", .timeForm), ("22:00.5", .timeForm),
            ("22:00:05.", .timeForm), ("22:00:05,5", .timeForm), ("22:00Z", .timeForm),
            ("today 22:00Z", .timeForm), ("2026-11-29 ", .timeForm), (":", .timeForm),
            ("2026-11-29T22:00:00+1:00", .timeForm), ("2026-11-29T22:00:00+24:00", .timeForm),
            ("2026-11-29T22:00:00+01:00x", .timeForm), ("2026-11-29 22:00+", .timeForm),
            ("2026-11-29 22:00+01:", .timeForm), ("2026-11-29 22:00-01", .timeForm),
            ("2026-11-29T22:00:00 +01:00", .timeForm),
            ("@", .unixSecondsForm), ("@x", .unixSecondsForm), ("@1.", .unixSecondsForm),
            ("@--1", .unixSecondsForm), ("@1e9", .unixSecondsForm), ("@+1", .unixSecondsForm),
            ("@253402300800", .outOfRange), ("@-62167219201", .outOfRange),
            ("@99999999999999999999999999", .outOfRange), ("-", .durationForm),
            ("-h", .durationForm),
            ("-1", .durationForm), ("-1h30", .durationForm), ("-1H", .durationForm),
            ("-1.5h", .durationForm), ("--1h", .durationForm), ("-1h 30m", .durationForm),
            ("-1mo", .durationForm), ("-1h-30m", .durationForm), ("-150000w150000w", .outOfRange),
            ("-600000w", .durationTooLong), ("-99999999999999999999999w", .durationTooLong),
            ("-9223372036854775807ms9223372036854775807w", .durationTooLong),
            (String(repeating: "9", count: 64), .dateForm),
            (String(repeating: "9", count: 65), .tooLong),
            (String(repeating: "-1h", count: 100_000), .tooLong), ("ｎｏｗ", .unknownForm),
        ] as [(String, TimeExpressionError.Reason)])
    func whatIsNoTimeIsRefusedWithItsReason(text: String, reason: TimeExpressionError.Reason) {
        #expect(throws: TimeExpressionError(text, reason)) {
            try TimeExpression.instant(from: text, zone: .utc, now: now)
        }
    }

    @Test(arguments: [
        (
            "2026-02-30", TimeExpressionError.Reason.noSuchDate,
            "bad time `2026-02-30`: there is no such date"
        ),
        (
            "25:00", .noSuchTime,
            "bad time `25:00`: hours go from 00 to 23, minutes and seconds from 00 to 59"
        ),
        (
            "1x", .durationForm,
            "bad duration `1x`: write whole numbers with ms, s, m, h, d or w, such as 90s or 1h30m"
        ),
    ])
    func anErrorNamesTheTextAndWhatToWrite(
        text: String, reason: TimeExpressionError.Reason, message: String
    ) {
        #expect("\(TimeExpressionError(text, reason))" == message)
    }

    @Test func aCutTextIsATimeOnlyWhereAPartEnds() {
        let text = "2026-11-29T22:00:05.250+01:00"
        let accepted = (0...text.count).filter { length in
            let cut = String(text.prefix(length))
            return (try? TimeExpression.instant(from: cut, zone: .utc, now: now)) != nil
        }
        #expect(accepted == [10, 16, 19, 21, 22, 23, 29])
    }

    @Test func everyFormInTheHintIsATime() throws {
        let hint = TimeExpressionError.Reason.unknownForm.explanation
        let forms = hint.dropFirst("write it as ".count).replacing(" or ", with: ", ")
        for form in forms.split(separator: ", ") {
            _ = try TimeExpression.instant(from: String(form), zone: .utc, now: now)
        }
    }

    @Test func anErrorShowsNoControlCharactersAndNoLongText() {
        let error = TimeExpressionError("a\n\u{1B}[31m\u{0}é", .unknownForm)
        #expect(error.text == "a??[31m???")
        #expect(TimeExpressionError(String(repeating: "x", count: 9999), .tooLong).text.count == 64)
    }

    @Test func anyOctetsGiveATimeInRangeOrAnError() throws {
        var random = SplitMix64(seed: 2)
        let zones = try ["UTC", "Europe/Berlin", "Pacific/Apia"].map {
            try #require(Zone(named: $0))
        }
        var accepted = 0
        for round in 0..<60_000 {
            let text = randomText(&random)
            let result = Result {
                try TimeExpression.instant(from: text, zone: zones[round % zones.count], now: now)
            }
            guard case .success(let instant) = result else { continue }
            accepted += 1
            #expect(Instant.range.contains(instant))
        }
        #expect(accepted > 100, "the random texts are too far from times to be a test")
    }

    @Test(arguments: [Int64.min, -62_167_132_800_000, 0, 253_402_214_399_999, Int64.max])
    func anyPresentGivesATimeInRangeOrAnError(milliseconds: Int64) {
        let present = Instant(milliseconds: milliseconds)
        for text in ["now", "today", "yesterday", "tomorrow", "monday", "12:00", "-1w", "-1ms"] {
            let result = Result { try TimeExpression.instant(from: text, zone: .utc, now: present) }
            let isInRange = (try? result.get()).map(Instant.range.contains) ?? true
            #expect(isInRange)
        }
    }

    /// Pieces of times, now and then octets of any kind, put together at random.
    private func randomText(_ random: inout SplitMix64) -> String {
        let pieces = [
            "2026", "-", "11", "-", "29", "T", " ", "22", ":", "00", ".", "5", "Z", "+01:00", "@",
            "now", "today", "monday", "1", "h", "m", "s", "ms", "d", "w", "99999999999999999999",
            "2026-11-29", "22:00", "2026-02-30",
        ]
        var octets: [UInt8] = []
        for _ in 0..<Int.random(in: 0...6, using: &random) {
            let piece = pieces.randomElement(using: &random) ?? ""
            octets += Bool.random(using: &random) ? Array(piece.utf8) : Array(piece.utf8.prefix(4))
            if Int.random(in: 0..<12, using: &random) == 0 {
                octets.append(UInt8.random(in: 0...255, using: &random))
            }
        }
        return String(decoding: octets, as: UTF8.self)
    }
}

/// A random generator that gives the same numbers in every run.
private struct SplitMix64: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var word = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
        return word ^ (word >> 31)
    }
}
