import JSON
import Testing

@testable import healthctl

/// Where a value goes.
@Suite struct TrendTests {
    /// The direction after values that come five seconds apart.
    private func direction(_ values: [Double]) -> Trend.Direction {
        var trend = Trend()
        for (place, value) in values.enumerated() {
            trend.note(value, id: "\(place).0", at: place * 5000)
        }
        return trend.direction
    }

    @Test(arguments: [
        ([97, 96, 96, 95], Trend.Direction.falling), ([95, 99, 97, 97], .rising),
        ([97, 90, 99, 97], .steady), ([97, 96, 95], .unknown), ([], .unknown),
    ])
    func theLastValueIsToldFromTheOldest(values: [Double], expected: Trend.Direction) {
        #expect(direction(values) == expected)
    }

    @Test func whatIsOlderThanAMinuteIsForgotten() {
        #expect(direction([10] + Array(repeating: 97, count: 14)) == .steady)
    }

    @Test func aValueThatIsSeenAgainIsNotNew() {
        var trend = Trend()
        for second in 0..<30 { trend.note(97, id: "1.0", at: second * 1000) }
        #expect(trend.direction == .unknown)
    }
}

/// The picture of the sensors.
@Suite struct TopScreenTests {
    private var screen = TopScreen()
    private let device =
        #"{"device":"00:1C:05:01:02:03","name":"Nonin","state":"live","rssi":-61,"battery":80}"#

    private func object(_ text: String) throws -> JSONValue {
        var parser = JSONParser()
        return try parser.value(of: Array(text.utf8))
    }

    private func sample(_ id: String, _ value: String, stale: Bool = false) -> String {
        #"{"id":"\#(id)","type":"oxygenSaturation","value":\#(value),"unit":"%","quality":"ok","device":"00:1C:05:01:02:03","age":1,"stale":\#(stale)}"#
    }

    private mutating func lines(_ samples: String..., at now: Int = 0) throws -> [String] {
        let samples = try samples.map { try object($0) }
        return screen.lines(
            [(try object(device), samples)], title: "T", at: now, isColored: false)
    }

    @Test mutating func aSensorStandsWithItsStateSignalBatteryAndValue() throws {
        #expect(
            try lines(sample("1.0", "97")).dropFirst(2)
                == [
                    "DEVICE  STATE   SIGNAL  BATTERY  TYPE              VALUE  UNIT  AGE",
                    "Nonin   live   -61 dBm     80 %  oxygenSaturation     97  %     1 s ago",
                ])
    }

    @Test mutating func aTrendIsToldOnceItIsKnown() throws {
        _ = try lines(sample("1.0", "97"), at: 0)
        #expect(try lines(sample("2.0", "95"), at: 20_000).last?.contains("falling") == true)
    }

    @Test mutating func aStaleValueIsMarkedAndHasNoTrend() throws {
        _ = try lines(sample("1.0", "97"), at: 0)
        let line = try lines(sample("2.0", "95", stale: true), at: 20_000).last
        #expect(line?.hasSuffix("1 s ago, stale") == true)
        #expect(line?.contains("falling") == false)
    }

    @Test mutating func aSensorWithoutValuesIsThereAllTheSame() throws {
        #expect(try lines().last?.contains("Nonin") == true)
    }

    @Test mutating func withoutDevicesItSaysWhatToDo() {
        let lines = screen.lines([], title: "T", at: 0, isColored: false)
        #expect(lines.last?.contains("healthctl doctor") == true)
    }
}
