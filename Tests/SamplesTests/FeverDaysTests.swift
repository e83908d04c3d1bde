import Measurements
import Samples
import Testing

@Suite struct FeverDaysTests {
    private func days(_ values: [(String, String)], zone: Zone = .utc) -> FeverDays {
        var days = FeverDays(zone: zone)
        for (time, value) in values {
            days.add(
                DecimalNumber(value) ?? DecimalNumber(0),
                at: Instant(rfc3339: Array(time.utf8)) ?? Instant(milliseconds: 0),
                site: TemperatureType(rawValue: 3))
        }
        return days
    }

    @Test func eachDayHasItsHighestValue() {
        let days = days([
            ("2026-11-29T08:00:00Z", "36.9"), ("2026-11-29T20:00:00Z", "38.4"),
            ("2026-11-29T21:00:00Z", "38.4"), ("2026-12-01T08:00:00Z", "37.9"),
        ]).days
        #expect(days.map(\.highest.description) == ["38.4", "37.9"])
        #expect(days.map(\.count) == [3, 1])
        #expect(days.map(\.feverCount) == [2, 0])
        #expect(days[0].highestAt.text().hasPrefix("2026-11-29T20:00"))
        #expect(days[0].site == TemperatureType(rawValue: 3))
    }

    @Test func daysAreThoseOfTheZone() throws {
        let tokyo = try #require(Zone(named: "Asia/Tokyo"))
        let values = [("2026-11-29T14:00:00Z", "38.1"), ("2026-11-29T16:00:00Z", "38.2")]
        #expect(days(values).days.count == 1)
        #expect(days(values, zone: tokyo).days.count == 2)
    }

    @Test(arguments: [("37.9", 0), ("38", 1), ("38.0", 1), ("38.00", 1)])
    func aFeverBeginsAtThirtyEight(value: String, right: Int) {
        #expect(days([("2026-11-29T08:00:00Z", value)]).days.map(\.feverCount) == [right])
    }
}
