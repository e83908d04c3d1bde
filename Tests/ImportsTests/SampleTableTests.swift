import Imports
import Samples
import Testing

@Suite struct SampleTableTests {
    private let header = "type,start,value,unit,device\n"

    @Test func aLineOfTheTableIsALineOfTheImport() {
        let table = header + "hr,2026-10-24T12:00:00Z,71.0,bpm,Polar\n"
        #expect(
            Conversion(table).lines == [
                "",
                #"{"class":"sample","type":"hr","start":"2026-10-24T12:00:00.000+00:00","#
                    + #""value":71.0,"unit":"bpm","device":"Polar"}"#,
            ])
    }

    @Test(arguments: [
        ("2026-10-24T12:00:00+02:00", "2026-10-24T10:00:00.000+00:00"),
        ("2026-10-24 12:00:00 +0200", "2026-10-24T10:00:00.000+00:00"),
        ("2026-10-24 12:00", "2026-10-24T10:00:00.000+00:00"),
        ("2026-12-24 12:00:30.250", "2026-12-24T11:00:30.250+00:00"),
        ("2026-10-24", "2026-10-23T22:00:00.000+00:00"),
    ])
    func aTimeWithoutAnOffsetIsOfTheZone(text: String, start: String) throws {
        let zone = try #require(Zone(named: "Europe/Berlin"))
        let lines = Conversion(header + "hr,\(text),71,bpm,\n", zone: zone).lines
        #expect(lines.last?.contains(#""start":"\#(start)""#) == true)
    }

    @Test(arguments: ["never", "", "now", "yesterday", "12:00"])
    func aTimeThatIsNoDateStaysAsItIs(text: String) {
        let lines = Conversion(header + "hr,\(text),71,bpm,\n").lines
        #expect(lines.last?.contains("\"start\":\"2") == false)
    }

    @Test func fieldsMayBeQuotedAndLinesMayEndInsideThem() {
        let table =
            "device,type,start,value\r\n\"a, \"\"b\"\"\nc\",hr,2026-10-24T12:00:00Z,71\r\n"
            + "d,hr,2026-10-24T12:00:01Z,72"
        let lines = Conversion(table).lines
        #expect(lines.count == 4)
        #expect(lines[1].contains(#""device":"a, \"b\"\nc""#))
        #expect(lines[2].isEmpty)
        #expect(lines[3].contains(#""device":"d""#))
    }

    @Test(arguments: [",", ";", "\t"])
    func theHeaderDecidesWhatStandsBetweenColumns(delimiter: String) {
        let rows = [["start", "type", "value"], ["2026-10-24T12:00:00Z", "hr", "71"]]
        let table = rows.map { $0.joined(separator: delimiter) }.joined(separator: "\n")
        #expect(Conversion("\u{FEFF}" + table).lines.last?.contains(#""value":71"#) == true)
    }

    @Test func aMissingColumnIsSaid() {
        let conversion = Conversion("time,heart rate\n12:00,71\n")
        #expect(conversion.damage?.contains("no column `start`, `type`, `value`") == true)
        #expect(conversion.lines.filter { !$0.isEmpty } == [])
    }

    @Test func aRowWithoutAValueIsCounted() {
        let conversion = Conversion(header + "hr,2026-10-24T12:00:00Z,,bpm,\n")
        #expect(conversion.others == ["without a value": 1])
        #expect(conversion.taken == 0)
    }

    @Test func aRowOfAnotherWidthIsSaidWithItsLine() {
        let conversion = Conversion(header + "\nhr,1\n")
        #expect(conversion.remarks == ["line 3: it has 2 columns, the header has 5"])
        #expect(conversion.others == ["unusable": 1])
    }

    @Test func aRowThatIsTooLongCostsNothingButItself() {
        let long = String(repeating: "x", count: 10_000)
        let table = header + "hr,\"\(long)\n" + "hr,2026-10-24T12:00:00Z,71,bpm,\n"
        let conversion = Conversion(table)
        #expect(conversion.others == ["unusable": 1])
        #expect(conversion.taken == 1)
        #expect(conversion.lines.count == 3)
    }

    @Test func theTableMayComeInPiecesOfAnySize() {
        let rows = (0..<20).map { "hr,2026-10-24T12:00:\(10 + $0)Z,7\($0),bpm,\"P, \($0)\"\r\n" }
        let octets = Array((header + rows.joined()).utf8)
        let whole = Conversion(octets).lines
        #expect(whole.count == 21)
        for size in [1, 3, 50] { #expect(Conversion(octets, pieces: size).lines == whole) }
    }

    @Test func linesOfJSONPassAsTheyAre() {
        let text = "# remark\n{\"class\":\"sample\"}\n{}\n"
        let conversion = Conversion(text)
        #expect(conversion.format == .lines)
        #expect(conversion.lines == ["# remark", #"{"class":"sample"}"#, "{}"])
    }

    @Test func aFileWithoutAnythingIsSaid() {
        #expect(Conversion("").damage == "it is empty")
        #expect(Conversion(" \n").damage == "it is empty")
    }
}
