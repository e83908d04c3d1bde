import DaemonHarness
import Testing

/// Cases from public bug reports, by their numbers.
@Suite struct CaseTests {
    private func daemon(_ lines: [String], zone: String = "UTC") throws -> DaemonUnderTest {
        let daemon = try DaemonUnderTest(zone: zone)
        let reply = try daemon.replay(lines.joined(separator: "\n"))
        try #require(reply.count("stored") == lines.count)
        return daemon
    }

    private func notify(
        _ characteristic: String, _ value: String, at time: String = "2026-03-08T12:00:00Z"
    ) -> String {
        RecordingText.notify(characteristic, value, at: time)
    }

    @Test func C01_aStampOfAClockThatIsNotSetIsNotTrusted() throws {
        let daemon = try daemon([notify("2a5e", "1761006000e10701010122132000200000")])
        let reply = try daemon.request("samples spo2 hr format=tsv")
        #expect(reply.column("value") == ["97", "96"])
        #expect(Set(reply.column("start")) == ["2026-03-08T12:00:00.000+00:00"])
        #expect(Set(reply.column("timeQuality")) == ["untrusted"])
    }

    @Test(arguments: ["2a5e", "2a5f"])
    func C03_theShortestPacketIsRead(characteristic: String) throws {
        let daemon = try daemon([notify(characteristic, "0063005000")])
        #expect(
            try daemon.request("samples spo2 hr format=tsv").column("value") == ["99", "80"])
    }

    @Test func C04_zeroIsKeptButNotRelied() throws {
        let daemon = try daemon([notify("2a5f", "0000f000f0")])
        #expect(try daemon.request("samples spo2 hr")["n"] == "0")
        let reply = try daemon.request("samples spo2 hr quality=all format=tsv")
        #expect(reply.column("value") == ["0.0", "0.0"])
        #expect(reply.column("quality") == ["outOfRange", "outOfRange"])
    }

    @Test func C10_storedTemperaturesComeInTheOrderOfTheDevicesTime() throws {
        let daemon = try daemon([
            notify("2a1c", "06680100ffe207030a15340002"),
            notify("2a1c", "066a0100ffe207030a14140002"),
            notify("2a1c", "06700100ffe207030a141b0002"),
            notify("2a1c", "065a0100ffe207030a141f0002"),
        ])
        let reply = try daemon.request("samples temp format=tsv")
        #expect(reply.column("value") == ["36.2", "36.8", "34.6", "36.0"])
        #expect(
            reply.column("start").map { $0.prefix(16) } == [
                "2018-03-10T20:20", "2018-03-10T20:27", "2018-03-10T20:31", "2018-03-10T21:52",
            ])
        #expect(Set(reply.column("site")) == ["body"])
    }

    @Test func C12_anIEEE754NumberIsInNoDefaultAnswer() throws {
        let daemon = try daemon([notify("2a1c", "00cdcc8c3f")])
        #expect(try daemon.request("samples temp")["n"] == "0")
        let reply = try daemon.request("samples temp quality=all format=tsv")
        #expect(reply.column("value") == ["-7549747" + String(repeating: "0", count: 63)])
        #expect(reply.column("quality") == ["outOfRange"])
    }

    @Test func C42_oneNotificationAfterFiveLinksIsOneSample() throws {
        let links = (0..<5).flatMap { number in
            [
                RecordingText.link("connect", at: "2026-03-08T12:00:0\(number).000Z"),
                RecordingText.link("disconnect", at: "2026-03-08T12:00:0\(number).500Z"),
            ]
        }
        let last = [
            RecordingText.link("connect", at: "2026-03-08T12:00:06.000Z"),
            notify("2a5f", "0061004800", at: "2026-03-08T12:00:07.000Z"),
        ]
        let daemon = try DaemonUnderTest()
        #expect(try daemon.replay((links + last).joined(separator: "\n")).count("stored") == 1)
        #expect(try daemon.request("samples spo2")["n"] == "1")
    }

    @Test func C63_theMarksOfASessionsEndAreNoValues() throws {
        let daemon = try daemon([
            notify("2a5f", "0061004800"),
            notify("2a5f", "00ff00ffff", at: "2026-03-08T12:00:01Z"),
        ])
        #expect(try daemon.request("samples spo2 format=tsv").column("value") == ["97"])
        #expect(try daemon.request("samples hr format=tsv").column("value") == ["72"])
        let all = try daemon.request("samples spo2 hr quality=outOfRange format=tsv")
        #expect(all.column("value") == ["255", "-0.1"])
    }

    @Test func C78_timesThatGoBackAndForthLoseNothing() throws {
        let times = [
            "2026-03-08T12:00:00Z", "1970-01-01T00:00:00Z", "2026-03-08T11:00:00.5Z",
            "1969-12-31T23:59:59.999Z", "2026-03-08T13:11:34.967Z", "2000-01-01T00:00:00Z",
            "2026-03-08T12:00:00.001Z", "9000-01-01T00:00:00Z",
        ]
        let daemon = try daemon(times.map { notify("2a5f", "0061004800", at: $0) })
        let starts = try daemon.request("samples spo2 format=tsv").column("start")
        #expect(starts.count == times.count)
        #expect(starts == starts.sorted())
        #expect(starts.first == "1969-12-31T23:59:59.999+00:00")
    }
}
