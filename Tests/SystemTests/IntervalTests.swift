import DaemonHarness
import Testing

@Suite struct IntervalTests {
    /// Nine packets from 22:00 to 22:08 in UTC.
    private func starts(_ request: String, zone: String = "UTC") throws -> [String] {
        let daemon = try DaemonUnderTest(zone: zone)
        try daemon.replay(QueryData.recording)
        let reply = try daemon.request("samples hr spo2 temp \(request) format=tsv quality=all")
        try #require(reply.isOK, "\(reply.end)")
        return Array(Set(reply.column("start").map { String($0.dropFirst(11).prefix(5)) })).sorted()
    }

    @Test func theStartBelongsToTheIntervalAndTheEndDoesNot() throws {
        #expect(
            try starts("start=2026-11-29T22:01:00Z end=2026-11-29T22:03:00Z")
                == ["22:01", "22:02"])
    }

    @Test(arguments: [
        "start=2026-11-29T22:06:00Z", "start=2026-11-29T23:06:00+01:00",
        "start=2026-11-29T23:06+01:00 tz=Asia/Tokyo", "start=\"2026-11-29 22:06\"",
        "start=@1795989960", "start=@1795989959.001 end=@1795990200",
        "start=\"2026-11-29 22:06:00.000\" end=2026-11-30",
    ])
    func aTimeMayBeWrittenInEveryForm(interval: String) throws {
        let expected = interval.contains("Tokyo") ? ["07:06", "07:08"] : ["22:06", "22:08"]
        #expect(try starts(interval) == expected)
    }

    @Test func aDayIsTheDayOfTheZoneThatIsAskedFor() throws {
        #expect(try starts("start=2026-11-30").isEmpty)
        #expect(try starts("start=2026-11-30 tz=Asia/Tokyo").count == 8)
        #expect(try starts("end=2026-11-30 tz=Asia/Tokyo").isEmpty)
    }

    @Test func aDayIsTheDayOfTheDaemonsZoneWhereNoneIsAskedFor() throws {
        #expect(try starts("start=2026-11-30", zone: "Asia/Tokyo").count == 8)
    }

    @Test func anIntervalThatHoldsNothingIsEmpty() throws {
        #expect(try starts("start=2026-11-29T22:01:00Z end=2026-11-29T22:01:00Z").isEmpty)
        #expect(try starts("end=1999-01-01").isEmpty)
    }

    @Test func timesCountFromNow() throws {
        let daemon = try DaemonUnderTest()
        let live = [(-3, "0061004800"), (-120, "0060004800")].map { offset, value in
            RecordingText.notify(
                "2a5f", value, at: RecordingText.time(RecordingText.now + offset * 60))
        }
        try daemon.replay(live.joined(separator: "\n"))
        let request = "samples spo2 format=tsv"
        #expect(try daemon.request("\(request) start=-1h").column("value") == ["97"])
        #expect(try daemon.request("\(request) end=-1h").column("value") == ["96"])
        #expect(try daemon.request("\(request) start=-1w end=now").column("value") == ["96", "97"])
        #expect(try daemon.request("\(request) start=tomorrow").column("value") == [])
    }
}
