import DaemonHarness
import Testing

/// `stats` and `series`, over rows and over blocks.
@Suite struct StatisticsTests {
    private func daemon(_ recording: String = QueryData.recording) throws -> DaemonUnderTest {
        let daemon = try DaemonUnderTest()
        #expect(try daemon.replay(recording).isOK)
        return daemon
    }

    @Test func anAnswerNamesIntervalZoneUnitAndWhatWasLeftOut() throws {
        let reply = try daemon().request(
            "stats spo2 start=2026-11-29T22:00:00Z end=2026-11-29T23:00:00Z tz=Europe/Berlin")
        #expect(
            reply.lines == [
                "# interval=[2026-11-29T23:00:00.000+01:00,2026-11-30T00:00:00.000+01:00)"
                    + " tz=Europe/Berlin type=oxygenSaturation unit=% excluded=2",
                #"{"class":"stats","type":"oxygenSaturation","unit":"%","#
                    + #""start":"2026-11-29T23:00:00.000+01:00","#
                    + #""end":"2026-11-30T00:00:00.000+01:00","count":3,"excluded":2,"#
                    + #""min":88.0,"max":97.0,"avg":93.733,"median":96.20}"#,
            ])
        #expect(reply.end == "OK n=1")
    }

    @Test func functionsComeUnderTheirNamesInTheOrderOfTheRequest() throws {
        let reply = try daemon().request(
            "stats hr fn=p95,first,last,below74,count,min,p95 format=tsv")
        #expect(
            reply.header == "# interval=[-,-) tz=UTC type=heartRate unit=/min excluded=1"
                + " columns=start,end,count,excluded,p95,first,last,below74,min")
        #expect(reply.rows == [["-", "-", "4", "1", "75", "72", "75", "2", "72"]])
    }

    @Test func sharesOfOneHaveTheDigitsOfPercents() throws {
        let daemon = try daemon()
        let percents = try daemon.request("stats spo2 fn=min,avg,p5,below90 format=tsv").rows
        let shares = try daemon.request(
            "stats spo2 unit=fraction fn=min,avg,p5,below0.9 format=tsv"
        ).rows
        #expect(percents == [["-", "-", "3", "2", "88.0", "93.733", "88.0", "1"]])
        #expect(shares == [["-", "-", "3", "2", "0.880", "0.93733", "0.880", "1"]])
    }

    @Test(arguments: ["degF", "K", "Cel"])
    func valuesAreCountedInTheUnitThatIsAskedFor(unit: String) throws {
        let daemon = try daemon()
        let samples = try daemon.request("samples temp unit=\(unit) format=tsv").rows.compactMap {
            Double($0[3])
        }
        let reply = try daemon.request("stats temp unit=\(unit) fn=min,max,first,last format=tsv")
        let row = try #require(reply.rows.first)
        #expect(Int(row[2]) == samples.count)
        let right = [samples.min(), samples.max(), samples.first, samples.last]
        #expect(row[4...].map { Double($0) } == right)
        let object = try daemon.request("series temp bucket=1d unit=\(unit)").data.first
        let sent = try #require(daemon.request("samples temp limit=1 unit=\(unit)").data.first)
        let name = try #require(sent.split(separator: ",").first { $0.hasPrefix("\"unit\"") })
        #expect(object?.contains(name) == true)
    }

    @Test func aUnitThatTheTypeDoesNotComeInIsRefused() throws {
        let reply = try daemon().request("stats spo2 unit=degF")
        #expect(reply.end.hasPrefix("ERR 422 unit unit=degF allowed=%,fraction"))
    }

    @Test func withoutValuesAllIsNullButTheCount() throws {
        let reply = try daemon().request("stats pi")
        #expect(reply.data.first?.contains(#""start":null,"end":null,"count":0"#) == true)
        let nothing = #""min":null,"max":null,"avg":null,"median":null}"#
        #expect(reply.data.first?.hasSuffix(nothing) == true)
        #expect(reply.end == "OK n=1")
        #expect(try daemon().request("series pi bucket=1d").end == "OK n=0")
    }

    @Test func aSeriesHasALineForEachPieceWithValuesOrForAll() throws {
        let daemon = try daemon()
        let request =
            "series temp bucket=2m start=2026-11-29T22:01:00Z end=2026-11-29T22:10:00Z"
            + " fn=max format=tsv"
        let pieces = try daemon.request(request).rows.map { row in
            [String(row[0].dropFirst(14).prefix(2)), row[2], row[4]]
        }
        #expect(pieces == [["04", "1", "36.97"], ["06", "1", "36.83"], ["08", "1", "37.5"]])
        let all = try daemon.request(request + " fill=null").rows.map { [$0[2], $0[4]] }
        #expect(
            all == [["0", ""], ["0", ""], ["1", "36.97"], ["1", "36.83"], ["1", "37.5"]])
    }

    @Test func emptyPiecesBetweenFarValuesAreNoLines() throws {
        let old = RecordingText.notify("2a5f", "0061004800", at: "2012-01-01T00:00:00.000+00:00")
        let daemon = try daemon(old + "\n" + QueryData.recording)
        #expect(try daemon.request("series spo2 bucket=1h fn=max format=tsv").rows.count == 2)
        let filled = try daemon.request("series spo2 bucket=1h fill=null")
        #expect(filled.end.hasPrefix("ERR 413 result-too-large"))
    }

    @Test func aNightRunsFromNoonToNoonOfTheZone() throws {
        let reply = try daemon().request("series spo2 bucket=night tz=America/St_Johns format=tsv")
        #expect(
            reply.rows.map { Array($0.prefix(3)) } == [
                ["2026-11-29T12:00:00.000-03:30", "2026-11-30T12:00:00.000-03:30", "3"]
            ])
    }

    @Test func valuesAreToldApartByDeviceSubjectOrSource() throws {
        let daemon = try daemon()
        let other = "00:1C:05:01:02:04"
        try daemon.replay(
            RecordingText.notify("2a5f", "0063003c00", at: QueryData.time(9), device: other))
        #expect(try daemon.request("assign device=\(other) subject=anna").isOK)
        let byDevice = try daemon.request("stats spo2 by=device fn=max format=tsv")
        #expect(byDevice.header?.contains(" by=device ") == true)
        #expect(byDevice.rows.map { $0[2] } == [RecordingText.device, other])
        #expect(byDevice.rows.map { $0[5] } == ["97.0", "99"])
        let bySubject = try daemon.request("stats spo2 by=subject fn=max format=tsv")
        #expect(bySubject.rows.map { $0[2] } == ["anna", "me"])
        let bySource = try daemon.request("stats spo2 by=source fn=max format=tsv")
        #expect(bySource.rows.map { $0[2] } == ["replay"])
    }

    @Test(arguments: [
        "stats spo2", "stats hr fn=p5,median,first,last,avg by=device",
        "stats spo2 start=2023-11-14T22:20:10Z end=2023-11-14T22:41:59Z",
        "stats hr fn=time-below70,twavg,coverage start=2023-11-14T22:00:00Z end=2023-11-14T23:00:00Z",
        "series spo2 bucket=7m fn=min,max,avg,below95,coverage fill=null tz=Asia/Kathmandu",
        "series spo2 bucket=1d modality=all quality=all", "stats spo2 subject=me source=replay",
        "report odi", "samples spo2 limit=3 start=2023-11-14T22:30:00Z format=tsv",
    ])
    func whatIsSealedGivesTheSameAnswers(request: String) throws {
        let daemon = try daemon(RecordingText.oximeter(seconds: 2500))
        let before = try daemon.request(request)
        #expect(before.isOK && !before.data.isEmpty)
        #expect(try daemon.request("checkpoint").isOK)
        let after = try daemon.request(request)
        #expect(after.lines == before.lines)
    }

    @Test(arguments: [
        ("stats", "400 syntax"), ("stats spo2 hr", "400 syntax"),
        ("stats spo3", "404 no-such-type"),
        ("stats spo2 fn=mean", "400 bad-value"), ("stats spo2 fn=", "400 bad-value"),
        ("stats spo2 fn=sum", "422 aggregation-mismatch"),
        ("stats steps fn=avg", "422 aggregation-mismatch"),
        ("stats spo2 fn=p101", "400 bad-value"), ("stats spo2 fn=below", "400 bad-value"),
        (
            "stats spo2 fn=p1,p2,p3,p4,p5,p6,p7,p8,p9,p10,p11,p12,p13,p14,p15,p16,p17",
            "400 bad-value"
        ),
        ("stats spo2 fn=coverage", "422 range"), ("stats spo2 bucket=1d", "400 unknown-key"),
        ("stats spo2 by=type", "400 bad-value"), ("series spo2", "400 syntax"),
        ("series spo2 bucket=25h", "400 bad-value"), ("series spo2 bucket=0d", "400 bad-value"),
        ("series spo2 bucket=1d fill=zero", "400 bad-value"),
        ("series spo2 bucket=1s start=2020-01-01 end=2026-12-01", "413 result-too-large"),
        ("report", "400 syntax"), ("report sleep", "400 bad-value"),
        ("report odi threshold=38", "400 unknown-key"),
        ("report fever threshold=99", "400 bad-value"),
        ("reprocess dry-run=perhaps", "400 bad-value"),
    ])
    func whatCannotBeAnsweredIsNamed(request: String, failure: String) throws {
        #expect(try daemon().request(request).failure == failure)
    }

    @Test func aWrongAggregationNamesTheRightOnes() throws {
        let reply = try daemon().request("stats steps fn=avg")
        #expect(reply["allowed"] == "count,first,last,sum")
        #expect(try daemon().request("stats spo2 fn=medain").text.hasSuffix("did you mean median?"))
    }

    @Test func reprocessingFindsNothingToChange() throws {
        let daemon = try daemon(RecordingText.oximeter(seconds: 2500))
        #expect(try daemon.request("checkpoint").isOK)
        let dry = try daemon.request("reprocess dry-run=yes")
        #expect(dry.data == [#"{"class":"reprocess","blocks":4,"differences":0,"dryRun":true}"#])
        let before = try daemon.request("stats hr fn=median,p5 by=device")
        let reply = try daemon.request("reprocess")
        #expect(reply.data == [#"{"class":"reprocess","blocks":4,"differences":0}"#])
        #expect(reply["seq"] == "2500")
        #expect(try daemon.request("stats hr fn=median,p5 by=device").lines == before.lines)
    }
}
