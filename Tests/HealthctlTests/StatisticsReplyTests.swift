import Foundation
import JSON
import Testing

@testable import healthctl

/// How statistics and reports are printed.
@Suite struct StatisticsReplyTests {
    private let header =
        "# interval=[-,-) tz=Europe/Berlin type=bodyTemperature unit=Cel bucket=1d by=device"
        + " excluded=2 unsplit=3 columns=start,end,device,count,excluded,max,median"

    private func line(_ text: String) -> ArraySlice<UInt8> { Array(text.utf8)[...] }

    private func table(_ rows: [String]) throws -> (text: String, samples: Int) {
        var reply = StatisticsReply(format: .table)
        var output = StandardOutput()
        try reply.take(.remark(line(header)), &output)
        for row in rows { try reply.take(.row(line(row)), &output) }
        return (reply.table(isColored: false), reply.samples)
    }

    @Test func aTableHasTheColumnsOfTheHeader() throws {
        let day = "2026-11-29T00:00:00.000+01:00\t2026-11-30T00:00:00.000+01:00"
        let (text, samples) = try table([
            "\(day)\tear\t12\t2\t38.1\t37.05", "\(day)\tarm\t0\t1\t\t",
        ])
        #expect(samples == 12)
        #expect(
            text == """
                bodyTemperature, °C, Europe/Berlin
                START                END                  DEVICE  COUNT  EXCLUDED   MAX  MEDIAN
                2026-11-29 00:00:00  2026-11-30 00:00:00  ear        12         2  38.1   37.05
                2026-11-29 00:00:00  2026-11-30 00:00:00  arm         0         1     -       -

                """)
    }

    @Test func withoutRowsThereIsNoTable() throws {
        let (text, samples) = try table([])
        #expect(text.isEmpty)
        #expect(samples == 0)
    }

    @Test func whatIsLeftOutIsSaid() throws {
        let remarks = try #require(ReplyHeader(line(header))).remarks(samples: 12)
        #expect(
            remarks == [
                "3 samples left out, which are only kept as sums of quarter hours: ask for whole ones",
                "2 samples left out for their quality: show them with --quality all",
            ])
    }

    private func objects(_ lines: [String]) throws -> [JSONValue] {
        var parser = JSONParser()
        return try lines.map { try object(line($0), with: &parser) }
    }

    @Test func aReportOfDesaturationsNamesItsRule() throws {
        let report = try objects([
            #"{"class":"report","report":"odi","start":null,"end":"2026-11-30T06:00:00.000+01:00","#
                + #""device":"00:1C:05:01:02:03","subject":"me","count":1234,"excluded":5,"#
                + #""odi3":17.34,"odi4":null,"falls3":3,"falls4":0,"nadir":88,"avg":96.1,"#
                + #""validSeconds":7300.000,"below90Seconds":24.000,"below88Seconds":0.000,"#
                + #""algorithm":"a rule","denominator":"valid time","note":"no diagnosis"}"#
        ])
        #expect(
            ReportCommand.text(report, zone: "Europe/Berlin", isColored: false) == """
                oxygen desaturations of me, device 00:1C:05:01:02:03
                from the first value until 2026-11-30 06:00:00, Europe/Berlin
                falls of 3 points: 3, 17.34 per hour
                falls of 4 points: 0, no valid time
                lowest 88 %, mean 96.1 %
                below 90 %: 24.000 s, below 88 %: 0.000 s
                1,234 values, 5 left out; valid time 2 h
                algorithm: a rule
                per hour of: valid time
                no diagnosis

                """)
    }

    @Test func eachPersonHasTheirOwnDaysOfFever() throws {
        let report = try objects(
            ["anna", "me"].flatMap { subject in
                [
                    #"{"class":"report","report":"fever","start":null,"end":null,"#
                        + #""subject":"\#(subject)","count":1,"threshold":38.0,"days":1,"#
                        + #""feverDays":1,"highest":38.1,"rule":"a rule","note":"no diagnosis"}"#,
                    #"{"class":"day","subject":"\#(subject)","start":"2026-11-29T00:00:00.000+01:00","#
                        + #""end":"2026-11-30T00:00:00.000+01:00","count":1,"feverCount":1,"#
                        + #""fever":true,"highest":38.1,"highestAt":"2026-11-29T07:30:00.000+01:00"}"#,
                ]
            })
        let text = ReportCommand.text(report, zone: "Europe/Berlin", isColored: false)
        let parts = text.components(separatedBy: "\n\n")
        #expect(parts.count == 2)
        #expect(
            parts[0].hasPrefix("fever of anna, from 38.0 °C on\nfrom the first value to the last"))
        #expect(parts[0].contains("\n2026-11-29     38.1  2026-11-29 07:30:00       1  yes"))
        #expect(parts[1].hasPrefix("fever of me"))
    }
}
