import DaemonHarness
import Foundation
import Testing

/// The verb `import`.
@Suite struct ImportTests {
    /// A line of an import with the members that are given.
    private func sample(_ members: String) -> String { #"{"class":"sample",\#(members)}"# }

    private func take(
        _ lines: [String], _ options: String = "", in daemon: DaemonUnderTest
    ) throws -> LineReply {
        let client = try daemon.connect()
        try client.send("import \(options)\n")
        #expect(try client.line() == "# send")
        try client.send(lines.joined(separator: "\n") + "\n.\n")
        return try client.reply()
    }

    private let pulse = #""type":"hr","start":"2020-12-01T09:00:00+09:00","value":72.50"#

    @Test func aSampleIsAsItWasGiven() throws {
        let daemon = try DaemonUnderTest()
        let reply = try take([sample(pulse)], in: daemon)
        #expect(
            reply.data.last == #"{"class":"import","lines":1,"readings":1,"stored":1,"#
                + #""duplicate":0,"skipped":0,"samples":1}"#)
        #expect(reply["seq"] == "1")
        #expect(
            try daemon.request("samples hr tz=UTC").data == [
                #"{"class":"sample","id":"1.0","seq":1,"type":"heartRate","#
                    + #""start":"2020-12-01T00:00:00.000+00:00","#
                    + #""end":"2020-12-01T00:00:00.000+00:00","value":72.50,"unit":"/min","#
                    + #""device":"import","subject":"me","modality":"imported","quality":"ok","#
                    + #""timeQuality":"manual","source":"import"}"#
            ])
    }

    @Test func theSameLinesAgainAddNothing() throws {
        let daemon = try DaemonUnderTest()
        let lines = [sample(pulse), sample(pulse), sample(pulse + #","device":"Polar""#)]
        #expect(try take(lines, in: daemon).count("stored") == 3)
        let again = try take(lines, in: daemon)
        #expect(again.count("stored") == 0)
        #expect(again.count("duplicate") == 3)
        #expect(try take(Array(lines.prefix(1)), in: daemon).count("duplicate") == 1)
    }

    @Test func samplesOfOneStartAndOtherEndsAreOthers() throws {
        let daemon = try DaemonUnderTest()
        let steps = #""type":"steps","start":"2020-12-01T09:00:00Z","value":8"#
        let lines = ["09:10:00Z", "09:20:00Z"].map {
            sample(#"\#(steps),"end":"2020-12-01T\#($0)""#)
        }
        #expect(try take(lines + lines, in: daemon).count("stored") == 4)
        #expect(try take(lines, in: daemon).count("duplicate") == 2)
        let ends = try daemon.request("samples steps format=tsv sort=end tz=UTC").column("end")
        #expect(Set(ends.map { $0.prefix(16) }) == ["2020-12-01T09:10", "2020-12-01T09:20"])
        let inside = "samples steps start=2020-12-01T09:15:00Z end=2020-12-01T09:16:00Z"
        #expect(try daemon.request("\(inside) match=overlap")["n"] == "2")
        #expect(try daemon.request(inside)["n"] == "0")
    }

    @Test(arguments: [
        (#""start":"2020-12-01T09:00:00Z","value":1"#, "type: missing"),
        (#""type":"pulsations","start":"2020-12-01T09:00:00Z","value":1"#, "type: there is none"),
        (#""type":"hr","value":1"#, "start: missing"),
        (#""type":"hr","start":"2020-12-01 09:00","value":1"#, "start: expected a time"),
        (#""type":"hr","start":"2020-12-01T09:00:00Z""#, "value: expected a number"),
        (#""type":"hr","start":"2020-12-01T09:00:00Z","value":"72""#, "value: expected a number"),
        (#""type":"hr","start":"2020-12-01T09:00:00Z","value":null"#, "value: expected a number"),
        (#""type":"hr","start":"2020-12-01T09:00:00Z","value":1234567890123456789"#, "value: "),
        (#""type":"hr","start":"2020-12-01T09:00:00Z","value":null,"absent":"x""#, "absent: "),
        (#""type":"hr","start":"2020-12-01T09:00:00Z","value":1,"unit":"Cel""#, "unit: heartRate"),
        (
            #""type":"hr","start":"2020-12-01T09:00:00Z","end":"2020-12-01T08:00:00Z","value":1"#,
            "end: before the start"
        ),
        (#""type":"hr","start":"2020-12-01T09:00:00Z","value":1,"modality":"x""#, "modality: "),
        (#""type":"hr","start":"2020-12-01T09:00:00Z","value":1,"quality":"x""#, "quality: "),
        (#""type":"hr","start":"2020-12-01T09:00:00Z","value":1,"site":"x""#, "site: "),
        (#""type":"hr","start":"2020-12-01T09:00:00Z","value":1,"status":["x"]"#, "status: "),
        (#""type":"hr","start":"2020-12-01T09:00:00Z","value":1,"device":"a\nb""#, "device: "),
        (#""type":"hr","start":"2020-12-01T09:00:00Z","value":1,"device":"""#, "device: "),
        (#""type":"hr","start":"2020-12-01T09:00:00Z","value":1,"subject":"""#, "subject: "),
    ])
    func aLineThatCannotBeUsedIsNamedAndSkipped(members: String, why: String) throws {
        let daemon = try DaemonUnderTest()
        let reply = try take(["# remark", sample(members), sample(pulse)], in: daemon)
        let damaged = try #require(reply.data.first)
        #expect(damaged.hasPrefix(#"{"class":"damaged","line":2,"why":"\#(why)"#), "\(damaged)")
        #expect(reply.count("stored") == 1)
        #expect(reply.count("skipped") == 1)
    }

    @Test func aLineThatIsNoJSONOrTooLongCostsNothingButItself() throws {
        let daemon = try DaemonUnderTest()
        let long = sample(pulse + #","device":"\#(String(repeating: "x", count: 9000))""#)
        let reply = try take(["hr,72", long, #"{"class":"gap"}"#, sample(pulse)], in: daemon)
        #expect(reply.count("stored") == 1)
        #expect(reply.data.joined().contains(#""skippedBecause":{"damaged":2,"otherClass":1}"#))
    }

    @Test func sharesOfOneAndSecondsOnlyMoveThePoint() throws {
        let daemon = try DaemonUnderTest()
        let start = #""start":"2020-12-01T09:00:00Z""#
        let lines = [
            sample(#""type":"spo2",\#(start),"value":0.29,"unit":"fraction""#),
            sample(#""type":"rr",\#(start),"value":0.8125,"unit":"s""#),
            sample(#""type":"temp",\#(start),"value":98.3,"unit":"degF""#),
            sample(#""type":"temp",\#(start),"value":310.15,"unit":"K""#),
        ]
        #expect(try take(lines, in: daemon).count("stored") == 4)
        #expect(try daemon.request("samples spo2 format=tsv").column("value") == ["29"])
        #expect(try daemon.request("samples rr format=tsv").column("value") == ["812.5"])
        #expect(
            try daemon.request("samples temp format=tsv").column("value") == ["36.83", "37.000"])
        let sent = try daemon.request("samples temp format=tsv unit=sent")
        #expect(sent.column("value") == ["98.3", "310.15"])
        #expect(sent.column("unit") == ["[degF]", "K"])
        #expect(sent.header?.contains(" unit=sent ") == true)
    }

    @Test func aSourceCanBeNamedAndTold() throws {
        let daemon = try DaemonUnderTest()
        let device = #"{"class":"device","device":"Polar","name":"H10","manufacturer":"Polar Oy"}"#
        #expect(try take([device, sample(pulse)], "device=Polar", in: daemon).isOK)
        let devices = try daemon.request("devices").data
        #expect(devices.count == 1)
        #expect(
            devices.first?.hasPrefix(
                #"{"class":"device","device":"Polar","kind":"import","name":"H10","#
                    + #""manufacturer":"Polar Oy","subject":"me","#) == true)
        #expect(try daemon.request("samples hr device=H10")["n"] == "1")
        #expect(try daemon.request("samples hr source=import")["n"] == "1")
        #expect(try daemon.request("samples hr source=ble")["n"] == "0")
    }

    @Test func subjectsAreAsTheLinesSayIt() throws {
        let daemon = try DaemonUnderTest()
        let owners = ["me", "anna", "anna", "me", "ben", "anna"]
        let lines = owners.enumerated().map { second, owner in
            sample(
                #""type":"hr","start":"2020-12-01T09:00:0\#(second)Z","value":7\#(second),"#
                    + #""subject":"\#(owner)""#)
        }
        #expect(try take(lines, in: daemon).isOK)
        #expect(try daemon.request("samples hr format=tsv").column("subject") == owners)
        #expect(try take(lines, in: daemon)["seq"] == take(lines, in: daemon)["seq"])
    }

    @Test func allOfAnImportCanBeSomebodys() throws {
        let daemon = try DaemonUnderTest()
        #expect(try take([sample(pulse)], "subject=anna", in: daemon).isOK)
        #expect(try daemon.request("samples hr format=tsv").column("subject") == ["anna"])
        #expect(try daemon.request("assign device=import subject=ben").isOK)
        #expect(try daemon.request("samples hr format=tsv").column("subject") == ["ben"])
    }

    @Test func aDryRunKeepsNothing() throws {
        let daemon = try DaemonUnderTest()
        let reply = try take([sample(pulse), sample(pulse)], "dry-run=yes", in: daemon)
        #expect(reply.count("stored") == 2)
        #expect(try daemon.request("samples hr")["n"] == "0")
        #expect(try daemon.request("devices")["n"] == "0")
    }

    @Test func whatIsDeletedDoesNotComeBack() throws {
        let daemon = try DaemonUnderTest()
        #expect(try take([sample(pulse)], in: daemon).isOK)
        #expect(try daemon.request("delete 1.0").isOK)
        let reply = try take([sample(pulse)], in: daemon)
        #expect(reply.data.joined().contains(#""skippedBecause":{"deleted":1}"#))
    }

    @Test func aSourceIsListedSelectedAndRemoved() throws {
        let daemon = try DaemonUnderTest()
        try daemon.replay(QueryData.recording)
        #expect(try take([sample(pulse)], #"device="Anna's iPhone""#, in: daemon).isOK)
        let sources = try daemon.request("sources tz=UTC").data
        #expect(
            sources.last == #"{"class":"source","device":"Anna's iPhone","kind":"import","#
                + #""types":["heartRate"],"first":"2020-12-01T00:00:00.000+00:00","#
                + #""last":"2020-12-01T00:00:00.000+00:00"}"#)
        #expect(sources.count == 3)
        let others = try daemon.request("samples hr spo2 temp")["n"]
        let deleted = try daemon.request(#"delete device="Anna's iPhone""#)
        #expect(deleted["n"] == "1")
        #expect(try daemon.request("sources").data.count == 2)
        #expect(try daemon.request("devices")["n"] == "2")
        #expect(
            try daemon.request("samples hr spo2 temp")["n"] == "\((Int(others ?? "") ?? 0) - 1)")
        #expect(try daemon.request("delete").failure == "400 syntax")
    }

    @Test func aDeviceThatIsRemovedGoesWithAllOfItsReadings() throws {
        let daemon = try DaemonUnderTest()
        try daemon.replay(ShippedRecording.text("nonin3230-continuous"))
        let left = "changes since=start modality=all quality=all"
        #expect(try daemon.request(left)["n"] != "0")
        #expect(try daemon.request("delete device=00:1C:05:01:02:03").isOK)
        #expect(
            try daemon.request("samples spo2 hr pi battery modality=all quality=all")["n"] == "0")
    }

    @Test func anImportedSampleIsExplained() throws {
        let daemon = try DaemonUnderTest()
        #expect(try take([sample(pulse)], in: daemon).isOK)
        let text = try daemon.request("explain 1.0").data.first ?? ""
        #expect(text.contains(#""characteristic":"sample""#))
        #expect(text.contains(#""why":["The time is as it was imported."#))
        let client = try daemon.healthctl(["explain", "1.0"])
        #expect(try client.wait() == .exit(0))
        #expect(!client.output.contains("The octets say"))
    }

    @Test func whatCameBeforeAnImportWasCutIsKept() throws {
        let daemon = try DaemonUnderTest()
        let client = try daemon.connect()
        try client.send("import\n\(sample(pulse))\n")
        client.endInput()
        #expect(try client.reply().failure == "400 incomplete")
        #expect(try daemon.request("samples hr")["n"] == "1")
    }

    @Test(arguments: ["device=\"\"", "subject=\"\"", "dry-run=maybe"])
    func aBadOptionIsRefused(option: String) throws {
        #expect(try DaemonUnderTest().request("import \(option)").failure == "400 bad-value")
    }

    @Test(arguments: [
        ("98.60000000000001", "degF", "37.0000000000"),
        ("310.15000000000003", "K", "37.0000000000"), ("98.6", "degF", "37.00"),
    ])
    func numbersOfManyDecimalsAreConvertedAndCounted(
        value: String, unit: String, celsius: String
    ) throws {
        let daemon = try DaemonUnderTest()
        let time = #""start":"2020-12-01T09:00:00Z""#
        let line = sample(#""type":"temp",\#(time),"value":\#(value),"unit":"\#(unit)""#)
        #expect(try take([line], in: daemon).count("stored") == 1)
        #expect(try daemon.request("samples temp format=tsv").rows.map { $0[3] } == [celsius])
        #expect(
            try daemon.request("samples temp unit=sent format=tsv").rows.map { $0[3] } == [value])
        let statistics = try daemon.request("stats temp fn=min format=tsv").rows
        #expect(statistics.map { [$0[2], $0[3]] } == [["1", "0"]])
        #expect(Double(statistics[0][4]) == 37)
    }

    @Test func stepsOfTheSameTimeCountOnceByTheOrderOfTheConfiguration() throws {
        let directory = try ScratchDirectory()
        let path = try directory.write(
            "[sources]\npriority = Anna's iPhone, Watch\n", to: "healthd.conf")
        let daemon = try DaemonUnderTest(in: directory, arguments: ["--config", path])
        let time = #""start":"2020-12-01T09:00:00Z","end":"2020-12-01T09:10:00Z""#
        let steps = [("Watch", 120), ("Anna's iPhone", 100)].map { source, count in
            sample(#""type":"steps",\#(time),"value":\#(count),"device":"\#(source)""#)
        }
        #expect(try take(steps, in: daemon).count("stored") == 2)
        let all = try daemon.request("stats steps format=tsv").rows
        #expect(all.map { Array($0[2...]) } == [["2", "0", "100"]])
        let each = try daemon.request("stats steps by=device format=tsv").rows
        #expect(each.map { [$0[2], $0[5]] } == [["Watch", "120"], ["Anna's iPhone", "100"]])
    }

    @Test func whyDoesNotTellToPairASource() throws {
        let daemon = try DaemonUnderTest()
        _ = try take([sample(pulse + #","device":"Polar""#)], in: daemon)
        let findings = try daemon.request("why Polar").data.filter { $0.contains("Polar") }
        #expect(findings.count == 1)
        #expect(findings.first?.contains(#""code":"imported""#) == true)
        #expect(findings.first?.contains("pair") == false)
        #expect(try !daemon.request("why").lines.joined().contains("Polar"))
    }
}
