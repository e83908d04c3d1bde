import DaemonHarness
import Testing

/// `report odi` and `report fever`.
@Suite struct ReportTests {
    private static let start = 1_700_000_000

    /// One value a second: a minute of 97, then falls to some depth of so many seconds, each followed by
    /// a minute and a half of 97.
    private func falls(_ falls: [(depth: Int, seconds: Int)]) -> String {
        var values = Array(repeating: 97, count: 60)
        for fall in falls {
            values += Array(repeating: 97 - fall.depth, count: fall.seconds)
            values += Array(repeating: 97, count: 90)
        }
        return values.enumerated().map { second, value in
            let octet = String(value, radix: 16)
            return RecordingText.notify(
                "2a5f", "00\(octet)003c00", at: RecordingText.time(Self.start + second))
        }.joined(separator: "\n")
    }

    @Test func fallsAreCountedForEachHourOfValidValues() throws {
        let daemon = try DaemonUnderTest()
        // Of 3 and of 4 points and more; one that is too short, and one that is not deep enough.
        try daemon.replay(falls([(3, 20), (4, 30), (9, 15), (8, 9), (2, 40)]))
        let reply = try daemon.request("report odi")
        let report = try #require(reply.data.first)
        #expect(reply.end == "OK n=1")
        // 624 values a second apart: the last one stands for nothing.
        #expect(report.contains(#""count":624,"excluded":0,"odi3":17.34,"odi4":11.56,"#))
        #expect(report.contains(#""falls3":3,"falls4":2,"nadir":88,"#))
        #expect(report.contains(#""validSeconds":623.000,"#))
        #expect(report.contains(#""below90Seconds":24.000,"below88Seconds":0.000,"#))
        #expect(report.contains(#""algorithm":"a fall is at least 3 or 4 points below"#))
        #expect(report.contains(#""denominator":"the time with valid values"#))
        #expect(report.contains("no diagnosis"))
    }

    @Test func eachDeviceAndPersonHasAReportOfTheirOwn() throws {
        let daemon = try DaemonUnderTest()
        try daemon.replay(RecordingText.oximeter(seconds: 100))
        try daemon.replay(
            RecordingText.oximeter(seconds: 100, device: "00:1C:05:01:02:04"),
            options: "subject=anna")
        let reply = try daemon.request("report odi")
        #expect(reply["n"] == "2")
        #expect(reply.data[0].contains(#""device":"00:1C:05:01:02:03","subject":"me""#))
        #expect(reply.data[1].contains(#""device":"00:1C:05:01:02:04","subject":"anna""#))
        #expect(try daemon.request("report odi subject=anna")["n"] == "1")
        #expect(try daemon.request("report odi device=00:1C:05:01:02:03")["n"] == "1")
        #expect(try daemon.request("report odi start=2026-01-01").end == "OK n=0")
    }

    @Test func feverIsToldDayByDayOfTheZone() throws {
        let daemon = try DaemonUnderTest()
        let thermometer = QueryData.thermometer
        try daemon.replay(
            [
                ("006d0100ff", "2026-11-28T22:30:00Z"),  // 36.5 Cel
                ("007d0100ff", "2026-11-28T23:30:00Z"),  // 38.1 Cel, the 29th in Berlin
                ("007c0100ff", "2026-11-29T10:00:00Z"),  // 38.0 Cel
                ("007b0100ff", "2026-11-30T10:00:00Z"),  // 37.9 Cel
                ("00ffff7f00", "2026-11-30T11:00:00Z"),  // no number
            ].map { RecordingText.notify("2a1c", $0, at: $1, device: thermometer) }
                .joined(separator: "\n"))
        let reply = try daemon.request("report fever tz=Europe/Berlin")
        #expect(reply["n"] == "3")
        #expect(reply.header?.contains("unit=Cel excluded=1") == true)
        #expect(
            reply.data[0].contains(
                #""count":4,"threshold":38.0,"days":3,"feverDays":1,"highest":38.1,"#))
        #expect(
            reply.data[2].hasPrefix(
                #"{"class":"day","subject":"me","start":"2026-11-29T00:00:00.000+01:00","#
                    + #""end":"2026-11-30T00:00:00.000+01:00","count":2,"feverCount":2,"fever":true,"#
                    + #""highest":38.1,"highestAt":"2026-11-29T00:30:00.000+01:00""#))
        let lower = try daemon.request("report fever tz=Europe/Berlin threshold=37.9")
        #expect(lower.data[0].contains(#""feverDays":2"#))
    }
}
