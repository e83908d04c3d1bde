import Imports
import Testing

@Suite struct HealthExportTests {
    private let nine = "2020-12-01 09:00:00 +0900"

    /// The members of a line that follow its class.
    private func sample(_ members: String) -> String { #"{"class":"sample",\#(members)}"# }

    @Test(arguments: [
        ("OxygenSaturation", "0.97", "%", #""type":"oxygenSaturation""#, #""value":97,"unit":"%""#),
        ("OxygenSaturation", "0.29", "%", #""type":"oxygenSaturation""#, #""value":29,"unit":"%""#),
        ("OxygenSaturation", "0.57", "%", #""type":"oxygenSaturation""#, #""value":57,"unit":"%""#),
        ("OxygenSaturation", "0.58", "%", #""type":"oxygenSaturation""#, #""value":58,"unit":"%""#),
        ("OxygenSaturation", "1", "%", #""type":"oxygenSaturation""#, #""value":100,"unit":"%""#),
        (
            "BodyTemperature", "98.60", "degF", #""type":"bodyTemperature""#,
            #""value":98.60,"unit":"[degF]""#
        ),
        (
            "BodyTemperature", "36.7", "degC", #""type":"bodyTemperature""#,
            #""value":36.7,"unit":"Cel""#
        ),
        ("HeartRate", "72.5", "count/min", #""type":"heartRate""#, #""value":72.5,"unit":"/min""#),
        ("StepCount", "812", "count", #""type":"stepCount""#, #""value":812,"unit":"{count}""#),
    ])
    func aNumberIsWhatTheFileHas(
        type: String, value: String, unit: String, line: String, number: String
    ) {
        let file = HealthFile.document([HealthFile.record(type, value, unit, from: nine)])
        let start = #""start":"2020-12-01T00:00:00.000+00:00""#
        #expect(
            Conversion(file).lines == [sample(#"\#(line),\#(start),\#(number),"device":"Watch""#)])
    }

    @Test func aSampleThatLastsHasAnEnd() {
        let record = HealthFile.record(
            "StepCount", "8", "count", from: nine, to: "2020-12-01 09:10:00 +0900")
        let lines = Conversion(HealthFile.document([record])).lines
        #expect(lines.first?.contains(#""end":"2020-12-01T00:10:00.000+00:00""#) == true)
    }

    @Test func aDeviceIsToldOnceWhereverItsObjectWasInMemory() {
        let watch = "name:Apple Watch, manufacturer:Apple Inc., hardware:Watch4,4, software:6.1"
        let records = (1...3).map {
            HealthFile.record(
                "HeartRate", "7\($0)", "count/min", from: nine, device: watch, pointer: $0)
        }
        let lines = Conversion(HealthFile.document(records)).lines
        #expect(lines.count == 4)
        #expect(
            lines.first == #"{"class":"device","device":"Watch","name":"Apple Watch","#
                + #""manufacturer":"Apple Inc.","hardware":"Watch4,4","software":"6.1"}"#)
    }

    @Test func aSourceIsCalledAsPeopleTypeIt() {
        let record = HealthFile.record(
            "HeartRate", "72", "count/min", from: nine, source: "Anna’s Apple\u{A0}Watch &amp; Co")
        let lines = Conversion(HealthFile.document([record])).lines
        #expect(lines.first?.hasSuffix(#""device":"Anna’s Apple Watch & Co"}"#) == true)
    }

    @Test func whatIsNotTakenIsCountedByType() {
        let records =
            ["BodyMass", "BodyMass", "Height"].map { HealthFile.record($0, "1", "kg", from: nine) }
            + [HealthFile.record("HeartRate", "72", "count/min", from: nine)]
        let conversion = Conversion(HealthFile.document(records))
        #expect(
            conversion.others == [HealthFile.type("BodyMass"): 2, HealthFile.type("Height"): 1])
        #expect(conversion.taken == 1)
        #expect(conversion.damage == nil)
    }

    @Test func whatACorrelationRepeatsIsNotTakenTwice() {
        let record = HealthFile.record("HeartRate", "72", "count/min", from: nine)
        let nested = "<Correlation type=\"x\">\(record)</Correlation>"
        #expect(Conversion(HealthFile.document([record, nested])).lines.count == 1)
    }

    @Test(arguments: [
        ("HeartRate", "72", "count/s", "2020-12-01 09:00:00 +0900", "unit:"),
        ("HeartRate", "7e1", "count/min", "2020-12-01 09:00:00 +0900", "value:"),
        ("HeartRate", "72", "count/min", "yesterday", "startDate:"),
    ])
    func aRecordThatCannotBeUsedIsSaidWithItsLine(
        type: String, value: String, unit: String, start: String, why: String
    ) {
        let records = [
            HealthFile.record("HeartRate", "72", "count/min", from: nine),
            HealthFile.record(type, value, unit, from: start, to: nine),
        ]
        let conversion = Conversion(HealthFile.document(records))
        #expect(conversion.lines.count == 1)
        #expect(conversion.others == ["unusable": 1])
        // Two lines of head, nine of the document type, its two own, and the record before.
        #expect(conversion.remarks.first?.hasPrefix("line 15: \(why)") == true)
    }

    @Test func anEndBeforeTheStartCannotBeUsed() {
        let record = HealthFile.record(
            "HeartRate", "72", "count/min", from: nine, to: "2020-12-01 08:59:59 +0900")
        #expect(Conversion(HealthFile.document([record])).others == ["unusable": 1])
    }

    @Test func theFileMayComeInPiecesOfAnySize() {
        let records = (0..<5).map {
            HealthFile.record("HeartRate", "7\($0)", "count/min", from: nine, device: "name:W")
        }
        let octets = Array(HealthFile.document(records).utf8)
        let whole = Conversion(octets).lines
        #expect(whole.count == 6)
        for size in [1, 2, 3, 7, 64, 1000] {
            #expect(Conversion(octets, pieces: size).lines == whole)
        }
    }

    @Test func aFileThatIsCutGivesWhatCameBefore() {
        let records = (0..<5).map {
            HealthFile.record("HeartRate", "7\($0)", "count/min", from: nine)
        }
        let octets = Array(HealthFile.document(records).utf8)
        var counts: Set<Int> = []
        for count in stride(from: 700, to: octets.count - 2, by: 10) {
            let conversion = Conversion(Array(octets.prefix(count)))
            #expect(conversion.damage?.contains("too early") == true)
            counts.insert(conversion.lines.count)
        }
        #expect(counts.max() == 5)
        #expect(counts.count >= 4)
    }

    @Test func damageInTheMiddleIsSaidWithItsLine() {
        let records = [
            HealthFile.record("HeartRate", "72", "count/min", from: nine), "<Record <>",
            HealthFile.record("HeartRate", "73", "count/min", from: nine),
        ]
        let conversion = Conversion(HealthFile.document(records))
        #expect(conversion.lines.count == 1)
        #expect(conversion.damage?.hasPrefix("line 15 is no XML") == true)
    }

    /// Whether expat calls it junk or no token depends on where the pieces end.
    @Test(arguments: ["<a/>", "PK\u{1}\u{2}\0\0", "x", "\u{FFFD}"])
    func whatStandsBehindTheDocumentIsCalledTheSameInPiecesOfAnySize(junk: String) {
        let record = HealthFile.record("HeartRate", "72", "count/min", from: nine)
        let octets = Array((HealthFile.document([record]) + junk).utf8)
        for size in [octets.count, 1, 2, 3, 7, 64] {
            let conversion = Conversion(octets, pieces: size)
            #expect(conversion.lines.count == 1)
            #expect(
                conversion.damage
                    == "line 16 is behind the end of the document, and no part of it")
        }
    }

    @Test func anotherDocumentIsNoExport() {
        let conversion = Conversion(
            "<?xml version=\"1.0\"?><ClinicalDocument><a/></ClinicalDocument>")
        #expect(conversion.damage == "it is no export of Apple Health")
    }

    @Test func aDocumentTypeThatIsAllThereIsGivesNothing() {
        for text in ["<!DOCTYPE HealthData [", "<!DOCTYPE HealthData [ ]", "<?xml", "<!-- <a/> "] {
            #expect(Conversion(text).damage != nil)
        }
    }

    @Test func entitiesOfTheDocumentTypeAreNotReplaced() {
        let bomb = "<!DOCTYPE HealthData [<!ENTITY a \"aaaaaaaaaa\"><!ENTITY b \"&a;&a;&a;\">]>\n"
        let record = HealthFile.record("HeartRate", "72", "count/min", from: nine, source: "&b;")
        #expect(Conversion(HealthFile.document([record], type: bomb)).damage != nil)
    }
}
