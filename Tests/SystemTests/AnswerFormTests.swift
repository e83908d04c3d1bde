import DaemonHarness
import Testing

@Suite struct AnswerFormTests {
    private func reply(_ request: String) throws -> LineReply {
        let daemon = try DaemonUnderTest()
        try daemon.replay(QueryData.recording)
        return try daemon.request(request)
    }

    @Test func theHeaderSaysIntervalZoneTypeUnitAndWhatIsLeftOut() throws {
        let reply = try reply(
            "samples spo2 start=2026-11-29 end=2026-11-30 tz=Europe/Berlin")
        #expect(
            reply.header
                == "# interval=[2026-11-29T00:00:00.000+01:00,2026-11-30T00:00:00.000+01:00) "
                + "tz=Europe/Berlin type=oxygenSaturation unit=% excluded=2")
    }

    @Test func anOpenEndOfTheIntervalIsADash() throws {
        #expect(
            try reply("samples temp").header
                == "# interval=[-,-) tz=UTC type=bodyTemperature unit=Cel excluded=0")
    }

    @Test func aRowHasTheColumnsInTheirFrozenOrder() throws {
        let reply = try reply("samples temp limit=3 format=tsv")
        #expect(
            reply.rows.last == [
                "2026-11-29T22:08:00.000+00:00", "2026-11-29T22:08:00.000+00:00",
                "bodyTemperature", "37.5", "Cel", "54:6C:0E:9B:22:F1", "me", "body", "final",
                "ok", "received", "replay", "9.0", "9",
            ])
        #expect(reply.end == "OK n=3 more=0")
    }

    @Test func anObjectHasTheMembersOfASample() throws {
        #expect(
            try reply("samples spo2 limit=1").data == [
                #"{"class":"sample","id":"1.0","seq":1,"type":"oxygenSaturation","#
                    + #""start":"2026-11-29T22:00:00.000+00:00","#
                    + #""end":"2026-11-29T22:00:00.000+00:00","value":97,"unit":"%","#
                    + #""device":"00:1C:05:01:02:03","subject":"me","modality":"continuous","#
                    + #""quality":"ok","timeQuality":"received","source":"replay"}"#
            ])
    }

    @Test func anAbsentValueIsNullWithItsReason() throws {
        let reply = try reply("samples spo2 quality=absent")
        #expect(reply.data.count == 1)
        #expect(reply.data[0].contains(#""value":null,"absent":"NaN","unit":"%""#))
    }

    @Test func timesAreShownInTheZoneThatIsAskedFor() throws {
        let reply = try reply("samples spo2 limit=1 tz=Asia/Kolkata format=tsv")
        #expect(reply.column("start") == ["2026-11-30T03:30:00.000+05:30"])
    }

    @Test func replayedValuesAreAlwaysStale() throws {
        let reply = try reply("latest spo2 max-age=3650d")
        #expect(reply.data.count == 1)
        #expect(reply.data[0].contains(#""stale":true"#))
    }

    @Test func latestIsTheGreatestStartNotTheNewestSeq() throws {
        let daemon = try DaemonUnderTest()
        try daemon.replay(
            RecordingText.notify("2a5f", "0061004800", at: "2026-11-29T22:00:00Z") + "\n"
                + RecordingText.notify("2a5f", "005f004800", at: "2026-11-29T21:00:00Z"))
        #expect(try daemon.request("latest spo2").data[0].contains(#""value":97,"#))
    }

    @Test func statusCountsWhatHasComeIn() throws {
        let daemon = try DaemonUnderTest()
        try daemon.replay(QueryData.recording)
        try daemon.replay(QueryData.recording)
        let status = try daemon.request("status")
        #expect(status.count("stored") == 9)
        #expect(status.count("duplicate") == 9)
        #expect(status.count("devices") == 2)
        #expect(status.count("pid") == Int(daemon.process.pid))
    }
}
