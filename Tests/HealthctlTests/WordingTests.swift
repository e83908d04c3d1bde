import Testing

@testable import healthctl

@Suite struct WordingTests {
    @Test(arguments: [(0, "0"), (999, "999"), (1000, "1,000"), (-1_234_567, "-1,234,567")])
    func digitsAreGroupedByThree(_ number: Int, _ text: String) {
        #expect(grouped(number) == text)
    }

    @Test(arguments: [
        (-5, "0 s"), (0, "0 s"), (119, "119 s"), (120, "2 min"), (7199, "119 min"), (7200, "2 h"),
        (172_799, "47 h"), (172_800, "2 d"), (86_400 * 1234, "1,234 d"),
    ])
    func lengthsOfTimeHaveOneUnit(_ seconds: Int, _ text: String) {
        #expect(lengthOfTime(seconds: seconds) == text)
    }

    @Test(arguments: [
        (0, "0 s ago"), (7200, "2 h ago"), (-2, "in 2 s"), (-172_800, "in 2 d"),
        (.min, "in 106,751,991,167,300 d"),
    ])
    func anAgeBelowZeroIsOfTheFuture(_ seconds: Int, _ text: String) {
        #expect(age(seconds: seconds) == text)
    }

    @Test(arguments: [
        (1, "1 octet"), (999, "999 octets"), (1000, "1.0 kB"), (999_999, "999.9 kB"),
        (1_000_000, "1.0 MB"), (1_250_000_000, "1.2 GB"), (7_000_000_000_000, "7.0 TB"),
    ])
    func sizesAreCutToOneDecimal(_ octets: Int, _ text: String) {
        #expect(size(octets: octets) == text)
    }

    @Test func thingsAreCounted() {
        #expect(count(1, "line") == "1 line")
        #expect(count(0, "line") == "0 lines")
        #expect(count(2, "child", "children") == "2 children")
    }

    @Test func namesBecomeWords() {
        #expect(words(ofName: "unknownCharacteristic") == "unknown characteristic")
        #expect(words(ofName: "damaged") == "damaged")
    }

    @Test func onlyControlCharactersAreReplaced() {
        #expect(printable("Grün 97 %") == "Grün 97 %")
        #expect(printable("a\u{7}b\u{202E}c\n") == "a\u{FFFD}b\u{FFFD}c\u{FFFD}")
    }
}

@Suite struct ClockTextTests {
    @Test func aTimeIsTakenApart() throws {
        let time = try #require(ClockText("2026-11-29T22:00:00.120-03:30"))
        #expect(time.dateTime == "2026-11-29 22:00:00")
        #expect(time.fraction == ".120")
        #expect(time.offset == "-03:30")
    }

    @Test func aWholeSecondHasNoFraction() {
        #expect(ClockText("2026-11-29T22:00:00.000+00:00")?.fraction == "")
    }

    @Test(arguments: ["", "-", "2026-11-29", "2026-11-29 22:00:00.000+00:00"])
    func otherTextsStayAsTheyAre(_ text: String) {
        #expect(ClockText(text) == nil)
        #expect(shortTime(text) == text)
    }
}
