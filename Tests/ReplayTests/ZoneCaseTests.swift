import DaemonHarness
import Testing

/// Cases from public bug reports about days and zones, by their numbers.
@Suite struct ZoneCaseTests {
    @Test func C56_anEveningBelongsToItsLocalDay() throws {
        let daemon = try DaemonUnderTest(zone: "Europe/Berlin")
        try daemon.replay(
            RecordingText.notify("2a5f", "0061004800", at: "2026-03-08T23:30:00+01:00"))
        let days = try ["2026-03-07", "2026-03-08", "2026-03-09"].map { day in
            try count(of: day, in: daemon)
        }
        #expect(days == [0, 1, 0])
    }

    @Test func C58_theDayTheClocksGoBackHas25HoursAndComesOnce() throws {
        let daemon = try DaemonUnderTest(zone: "Europe/Amsterdam")
        let midnight = 1_540_504_800  // 2018-10-26T00:00+02:00
        let hours = (0..<(24 * 5 + 1)).map { hour in
            RecordingText.notify(
                "2a5f", "0061004800", at: RecordingText.time(midnight + hour * 3600))
        }
        try daemon.replay(hours.joined(separator: "\n"))
        let days = ["2018-10-26", "2018-10-27", "2018-10-28", "2018-10-29", "2018-10-30"]
        #expect(try days.map { try count(of: $0, in: daemon) } == [24, 24, 25, 24, 24])
        let reply = try daemon.request("samples spo2 start=2018-10-28 end=2018-10-29")
        #expect(
            reply.header?.hasPrefix(
                "# interval=[2018-10-28T00:00:00.000+02:00,2018-10-29T00:00:00.000+01:00) ")
                == true)
    }

    private func count(of day: String, in daemon: DaemonUnderTest) throws -> Int {
        let next = day.dropLast(2) + "\((Int(day.suffix(2)) ?? 0) + 101)".suffix(2)
        let reply = try daemon.request("samples spo2 start=\(day) end=\(next)")
        return try #require(reply["n"].flatMap { Int($0) })
    }

    @Test func C60_everyTimeHasAnOffsetAndNoHourIsLostOnAJourney() throws {
        let directory = try ScratchDirectory()
        let before = try DaemonUnderTest(in: directory, zone: "Europe/Paris")
        try before.replay(stamped(hour: 15, value: "6c", receivedAt: "2026-07-01T13:20:05Z"))
        try before.stop()
        let after = try DaemonUnderTest(in: directory, zone: "Europe/London")
        try after.replay(stamped(hour: 15, value: "6d", receivedAt: "2026-07-01T14:20:05Z"))
        #expect(
            try after.request("samples temp format=tsv").column("start") == [
                "2026-07-01T14:20:00.000+01:00", "2026-07-01T15:20:00.000+01:00",
            ])
        let client = try after.healthctl(["samples", "temp", "-o", "csv"], zone: "Europe/Paris")
        let rows = client.output.split(separator: "\r\n").dropFirst()
        #expect(
            rows.map { $0.prefix(29) } == [
                "2026-07-01T15:20:00.000+02:00", "2026-07-01T16:20:00.000+02:00",
            ])
    }

    /// A temperature with a stamp of 20 minutes past an hour of July 1, 2026.
    private func stamped(hour: Int, value: String, receivedAt: String) -> String {
        RecordingText.notify(
            "2a1c", "02\(value)0100ffea0707010\(String(hour, radix: 16))1400", at: receivedAt)
    }
}
