import Testing

import Measurements

@Suite struct InstantTests {
    @Test func textRoundTripsAtEveryOffset() {
        var generator = SeededGenerator(seed: 4)
        for _ in 0..<5_000 {
            let instant = Instant(
                milliseconds: Int64.random(
                    in: -62_000_000_000_000...253_000_000_000_000, using: &generator))
            let offset = Int.random(in: -1439...1439, using: &generator) * 60
            let text = instant.text(offset: offset)
            #expect(Instant(rfc3339: text.utf8) == instant, "\(text)")
        }
    }

    @Test(arguments: [
        ("1970-01-01T00:00:00Z", 0), ("2026-11-29T22:00:00.123+01:00", 1_795_986_000_123),
        ("2026-11-29 21:00:00.1239z", 1_795_986_000_123),
        ("1970-01-01T00:00:00.5-00:30", 1_800_500),
        ("1969-12-31T23:59:59.999Z", -1), ("2016-12-31T23:59:60Z", 1_483_228_800_000),
        ("1970-01-01t00:00:00.000000001Z", 0),
    ])
    func textNamesAnInstant(text: String, milliseconds: Int64) {
        #expect(Instant(rfc3339: text.utf8)?.milliseconds == milliseconds)
    }

    @Test(arguments: [
        "", "2026-11-29", "2026-11-29T22:00:00", "2026-02-29T00:00:00Z", "2026-11-29T24:00:00Z",
        "2026-11-29T22:00:61Z", "2026-11-29T22:00:00.Z", "2026-11-29T22:00:00+1:00",
        "2026-11-29T22:00:00+24:00", "2026-11-29T22:00:00+01:60", "2026-11-29T22:00:00Z ",
        "26-11-29T22:00:00Z", "+2026-11-29T22:00:00Z", "2026-11-29T22:00:00\u{661}Z",
    ])
    func otherTextNamesNone(text: String) {
        #expect(Instant(rfc3339: text.utf8) == nil)
    }

    @Test func aLongFractionIsCutAtTheEndOfTheText() {
        let text = "2026-11-29T22:00:00." + String(repeating: "9", count: 1_000_000) + "Z"
        #expect(Instant(rfc3339: text.utf8) == nil)
    }

    @Test func textBeforeTheYear1000HasFourDigits() {
        #expect(
            Instant(milliseconds: -62_135_596_800_000).text() == "0001-01-01T00:00:00.000+00:00")
    }

    @Test func theEndsOfTheRangeHaveTextAtEveryOffset() {
        for offset in [-86_340, 0, 86_340] {
            for end in [Instant.range.lowerBound, Instant.range.upperBound] {
                #expect(Instant(rfc3339: end.text(offset: offset).utf8) == end)
            }
        }
    }

    @Test func advancingStaysInsideTheRange() {
        let now = Instant(milliseconds: 1_000)
        #expect(now.advanced(byMilliseconds: 5).milliseconds == 1_005)
        #expect(now.advanced(byMilliseconds: .max) == Instant.range.upperBound)
        #expect(now.advanced(byMilliseconds: .min) == Instant.range.lowerBound)
    }
}
