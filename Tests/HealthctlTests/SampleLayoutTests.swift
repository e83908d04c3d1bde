import ControlProtocol
import JSON
import Testing

@testable import healthctl

@Suite struct SampleLayoutTests {
    private static let usual = [
        "2026-11-29T22:00:00.000+01:00", "2026-11-29T22:00:00.000+01:00", "oxygenSaturation", "97",
        "%", "00:1C:05:01:02:03", "me", "", "continuous", "ok", "received", "ble", "1.0", "1",
    ]

    private func row(_ changes: [SampleColumn: String] = [:]) -> SampleRow {
        SampleRow { changes[$0] ?? Self.usual[$0.rawValue] }
    }

    private func lines(_ rows: [SampleRow], zone: String? = nil) -> [String] {
        let layout = SampleLayout(rows, zone: zone, isColored: false)
        return [layout.heading] + rows.map(layout.line)
    }

    @Test func theColumnsAreThoseOfTheProtocol() {
        #expect(SampleColumn.allCases.map { "\($0)" } == SampleLine.columns)
    }

    @Test func whatIsUsualHasNoColumn() {
        #expect(
            lines([row()], zone: "Europe/Berlin") == [
                "TIME (Europe/Berlin)  VALUE  UNIT  DEVICE",
                "2026-11-29 22:00:00      97  %     00:1C:05:01:02:03",
            ])
    }

    @Test(arguments: [
        (SampleColumn.type, "heartRate"), (.modality, "spot"), (.site, "finger"),
        (.quality, "questionable"), (.timeQuality, "mapped"), (.subject, "anna"),
    ])
    func whatDiffersHasAColumn(_ column: SampleColumn, _ text: String) {
        let lines = lines([row(), row([column: text])])
        #expect(lines[2].contains(text))
        #expect(lines[0].split(separator: " ").count == 5)
    }

    @Test func aTimeThatEndsLaterHasAColumn() {
        let lines = lines([row([.end: "2026-11-29T22:05:00.000+01:00"])])
        #expect(lines[0].contains("END") && lines[1].contains("2026-11-29 22:05:00"))
    }

    @Test func millisecondsAreShownIfThereAreAny() {
        let lines = lines([row(), row([.start: "2026-11-29T22:00:00.120+01:00"])])
        #expect(lines[1].hasPrefix("2026-11-29 22:00:00.000 "))
        #expect(lines[2].hasPrefix("2026-11-29 22:00:00.120 "))
    }

    @Test func theRepeatedHourIsToldApart() {
        let first = row([.start: "2026-10-25T02:30:00.000+02:00"])
        let second = row([.start: "2026-10-25T02:30:00.000+01:00"])
        let lines = lines([first, second])
        #expect(lines[1].hasPrefix("2026-10-25 02:30:00 +02:00"))
        #expect(lines[2].hasPrefix("2026-10-25 02:30:00 +01:00"))
    }

    @Test func aLaterRowTellsAtItsEndWhatHasNoColumn() {
        let layout = SampleLayout([row()], zone: nil, isColored: false)
        let line = layout.line(row([.quality: "absent", .value: ""]))
        #expect(line == "2026-11-29 22:00:00      -  %     00:1C:05:01:02:03  quality=absent")
    }

    @Test func unitsHaveTheirUsualSigns() {
        #expect(lines([row([.unit: "Cel"])])[1].contains(" °C "))
        #expect(lines([row([.unit: "[degF]"])])[1].contains(" °F "))
    }

    @Test func aRowOfTextsIsTheRowOfAnObject() throws {
        var parser = JSONParser()
        let json = #"{"start":"a","value":97.00,"unit":"%","id":"1.0","seq":1,"new":[]}"#
        let row = SampleRow(try parser.value(of: Array(json.utf8)))
        #expect(row.line == "a\t\t\t97.00\t%\t\t\t\t\t\t\t\t1.0\t1")
        #expect(SampleRow(Array(row.line.utf8)[...]) == row)
    }

    @Test func aShortRowIsPaddedWithNothing() {
        #expect(SampleRow(Array("a\tb".utf8)[...])[.seq] == "")
    }
}

@Suite struct CSVRecordTests {
    private func record(_ row: String) -> String {
        String(decoding: csvRecord(ofRow: Array(row.utf8)[...]), as: UTF8.self)
    }

    @Test func tabsBecomeCommas() {
        #expect(record("a\t\tb") == "a,,b\r\n")
    }

    @Test func commasAndQuotesAreQuoted() {
        #expect(record("a,b\tc\"d\te") == "\"a,b\",\"c\"\"d\",e\r\n")
    }
}
