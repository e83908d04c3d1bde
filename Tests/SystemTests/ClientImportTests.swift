import DaemonHarness
import Foundation
import Testing

/// `healthctl import` with files of other programs.
@Suite struct ClientImportTests {
    private static let export = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("HealthKit/export.xml").path
    private static let text = String(
        decoding: FileManager.default.contents(atPath: export) ?? Data(), as: UTF8.self)

    @Test func theSameFileTwiceAddsNothing() throws {
        let daemon = try DaemonUnderTest()
        let first = try daemon.healthctl(["import", Self.export])
        #expect(try first.wait() == .exit(0), "\(first.errors)")
        #expect(first.output.hasSuffix("11 samples: 11 stored; 1 not taken (1 BodyMass)\n"))
        let again = try daemon.healthctl(["import", Self.export])
        #expect(again.output.contains("0 stored, 11 duplicate"))
        let pointer = Self.text.replacing(/0x2821f5[0-9a-f]+/, with: "0x123456789")
        let path = try daemon.directory.write(pointer, to: "later.xml")
        #expect(
            try daemon.healthctl(["import", path]).output.contains("0 stored, 11 duplicate"))
    }

    @Test func aFileThatIsCutIsSaidAndTheRestComesWithTheWholeOne() throws {
        let daemon = try DaemonUnderTest()
        let part = String(Self.text.prefix(Self.text.count * 2 / 3))
        let cut = try daemon.directory.write(part, to: "cut.xml")
        let first = try daemon.healthctl(["import", cut])
        #expect(try first.wait() == .exit(65))
        #expect(first.errors.contains("it ends too early"))
        let stored = try daemon.request("changes since=start").data.count
        #expect((1...10).contains(stored))
        let second = try daemon.healthctl(["import", Self.export])
        #expect(try second.wait() == .exit(0))
        #expect(second.output.contains("\(11 - stored) stored, \(stored) duplicate"))
    }

    @Test func whatCannotBeUsedIsNamed() throws {
        let daemon = try DaemonUnderTest()
        let broken = Self.text.replacing("value=\"63.5\"", with: "value=\"many\"")
        let path = try daemon.directory.write(broken, to: "broken.xml")
        let take = try daemon.healthctl(["import", "--strict", path])
        #expect(try take.wait() == .exit(65))
        #expect(take.errors.contains("line 36: value: expected a number"), "\(take.errors)")
        #expect(take.output.contains("10 stored; 2 not taken (1 BodyMass, 1 unusable)"))
        #expect(try daemon.healthctl(["import", path]).wait() == .exit(0))
    }

    @Test func aLineThatTheDaemonRefusesIsNamed() throws {
        let daemon = try DaemonUnderTest()
        let path = try daemon.directory.write(
            "type,start,value\nhr,2020-12-01T00:00:00Z,72\nhr,never,72\n", to: "t.csv")
        let take = try daemon.healthctl(["import", "--strict", path])
        #expect(try take.wait() == .exit(65))
        #expect(take.errors.contains("t.csv:3: start: expected a time"), "\(take.errors)")
        #expect(take.output.contains("1 sample: 1 stored; 1 skipped (1 damaged)"))
    }

    @Test func theAccountIsForProgramsToo() throws {
        let daemon = try DaemonUnderTest()
        let take = try daemon.healthctl(["import", Self.export, "-o", "json", "--dry-run"])
        let lines = take.output.split(separator: "\n")
        #expect(
            lines.first?.hasPrefix(#"{"class":"import","lines":14,"readings":11,"stored":11,"#)
                == true)
        #expect(lines.first?.hasSuffix(#","dryRun":true}"#) == true)
        #expect(
            lines.last
                == #"{"class":"notTaken","types":{"HKQuantityTypeIdentifierBodyMass":1}}"#)
        #expect(try daemon.request("samples hr")["n"] == "0")
    }

    @Test func theSubjectAndTheSourceCanBeNamed() throws {
        let daemon = try DaemonUnderTest()
        let path = try daemon.directory.write(
            "type,start,value\nhr,2020-12-01 09:00,72\n", to: "t.csv")
        let take = try daemon.healthctl(
            ["import", path, "--subject", "anna", "--device", "Polar", "--tz", "Asia/Tokyo"])
        #expect(try take.wait() == .exit(0), "\(take.errors)")
        let rows = try daemon.request("samples hr format=tsv tz=UTC")
        #expect(rows.column("subject") == ["anna"])
        #expect(rows.column("device") == ["Polar"])
        #expect(rows.column("start") == ["2020-12-01T00:00:00.000+00:00"])
    }

    @Test(arguments: [
        ("", "it is empty"), ("<a/>", "it is no export of Apple Health"),
        ("a,b\n1,2\n", "no column `start`, `type`, `value`"),
    ])
    func aFileOfAnotherKindIsSaid(text: String, why: String) throws {
        let daemon = try DaemonUnderTest()
        let path = try daemon.directory.write(text, to: "x")
        let take = try daemon.healthctl(["import", path])
        #expect(try take.wait() == .exit(65))
        #expect(take.errors.contains(why), "\(take.errors)")
    }

    @Test func aSourceIsRemovedByItsName() throws {
        let daemon = try DaemonUnderTest()
        try daemon.healthctl(["import", Self.export]).wait()
        let sources = try daemon.healthctl(["sources"])
        #expect(sources.output.contains("Apple Watch"))
        #expect(sources.output.contains("oxygenSaturation, heartRate"))
        let delete = try daemon.healthctl(["delete", "--yes", "--device", "Apple Watch"])
        #expect(
            delete.output
                == "deleted 8 readings with 8 samples (oxygenSaturation 5, heartRate 3)\n")
        #expect(try !daemon.healthctl(["sources"]).output.contains("Apple Watch"))
        #expect(try daemon.healthctl(["delete"]).wait() == .exit(2))
    }

    @Test(arguments: [
        (["--columns", "value,unit"], "98.3\t[degF]\n"),
        (
            ["--columns", "start", "--time-format", "%d.%m.%Y %H:%M:%S,%L%%"],
            "30.11.2020 22:00:00,000%\n"
        ),
        (["--columns", "value", "--decimals", "0"], "98\n"),
        (["--columns", "value", "--decimals", "3"], "98.300\n"),
    ])
    func rowsComeInTheFormAskedFor(options: [String], row: String) throws {
        let daemon = try DaemonUnderTest()
        try daemon.healthctl(["import", Self.export]).wait()
        let samples = try daemon.healthctl(
            ["samples", "temp", "-n", "+1", "--unit", "F", "-o", "tsv"] + options)
        #expect(samples.output == row)
    }

    @Test(arguments: [
        ["--columns", "value"], ["-o", "json", "--decimals", "0"],
        ["-o", "csv", "--columns", "values"], ["-o", "csv", "--time-format", "%Q"],
        ["-o", "csv", "--decimals", "-1"],
    ])
    func aFormThatThereIsNotIsAUsageError(options: [String]) throws {
        let daemon = try DaemonUnderTest()
        #expect(try daemon.healthctl(["samples", "temp"] + options).wait() == .exit(2))
    }
}
