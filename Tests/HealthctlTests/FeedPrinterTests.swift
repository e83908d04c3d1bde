import JSON
import Testing

@testable import healthctl

@Suite struct FeedPrinterTests {
    private static let added =
        #"{"class":"add","id":"3.0","seq":3,"type":"oxygenSaturation","start":"2026-11-29T22:00:00.500+01:00","end":"2026-11-29T22:00:00.500+01:00","value":97.0,"unit":"%","device":"00:1C:05:01:02:03","subject":"me","modality":"continuous","quality":"ok","timeQuality":"received","source":"ble"}"#
    private static let deleted =
        #"{"class":"delete","id":"3.0","seq":9,"type":"oxygenSaturation","start":"2026-11-29T22:00:00.500+01:00"}"#

    private func line(_ text: String, _ format: OutputFormat) throws -> String {
        var parser = JSONParser()
        let octets = Array(text.utf8)[...]
        let printer = FeedPrinter(format: format, zone: "Europe/Berlin", isColored: false)
        return String(
            decoding: printer.line(octets, try parser.value(of: octets)), as: UTF8.self)
    }

    private func heading(_ format: OutputFormat) -> String {
        let printer = FeedPrinter(format: format, zone: "Europe/Berlin", isColored: false)
        return String(decoding: printer.heading, as: UTF8.self)
    }

    @Test func theTableHasTheNumbersBelowEachOther() throws {
        #expect(
            heading(.table)
                == "TIME (Europe/Berlin)  TYPE               VALUE  UNIT  DEVICE\n")
        #expect(
            try line(Self.added, .table)
                == "2026-11-29 22:00:00   oxygenSaturation   97.0   %     00:1C:05:01:02:03\n")
    }

    @Test func aDeletedSampleIsSaidToBe() throws {
        #expect(try line(Self.deleted, .table).hasSuffix(" deleted: 3.0\n"))
        #expect(
            try line(Self.deleted, .tsv)
                == "2026-11-29T22:00:00.500+01:00\t\toxygenSaturation\t\t\t\t\t\t\t\t\t\t3.0\t9\tdelete\n"
        )
    }

    @Test func anUpdatedSampleIsSaidToBe() throws {
        let text = Self.added.replacing("add", with: "update")
        #expect(try line(text, .table).hasSuffix("  updated\n"))
        #expect(try line(text, .csv).hasSuffix(",3.0,3,update\r\n"))
    }

    @Test func whatIsUnusualIsSaid() throws {
        let text = Self.added.replacing("\"ok\"", with: "\"outOfRange\"")
            .replacing("\"me\"", with: "\"anna\"")
        #expect(try line(text, .table).hasSuffix("  out of range  anna\n"))
    }

    @Test func jsonIsWhatTheDaemonSends() throws {
        #expect(try line(Self.added, .json) == Self.added + "\n")
        #expect(heading(.json) == "")
        #expect(heading(.tsv) == "")
    }

    @Test func csvHasTheFrozenColumnsAndTheClassBehindThem() throws {
        #expect(
            heading(.csv)
                == "start,end,type,value,unit,device,subject,site,modality,quality,timeQuality,"
                + "source,id,seq,class\r\n")
        #expect(try line(Self.added, .csv).split(separator: ",").count == 14)
    }
}

@Suite struct FeedStartTests {
    private func since(_ words: String...) throws -> String? {
        try FeedStart(Invocation(["watch"] + words)).position?.since
    }

    @Test func theOptionNamesThePlace() throws {
        #expect(try since() == nil)
        #expect(try since("--since", "now") == nil)
        #expect(try since("--since", "start") == "start")
        #expect(try since("--since", "e:12") == "e:12")
    }

    @Test func anotherTextIsAUsageFailure() throws {
        let failure = try #require(
            #expect(throws: Failure.self) { try since("--since", "yesterday") })
        #expect(failure.exitCode == ExitCode.usage)
    }

    @Test(arguments: ["0", "-1", "x", ""]) func aNumberOfLinesIsPositive(_ text: String) throws {
        let invocation = try Invocation(["watch", "-n", text])
        #expect(throws: Failure.self) { try invocation.number(.mostRecords) }
    }

    @Test func onlyAnAnchorFromAFileMakesTheFileWrong() {
        let failure = Failure("foreign", exitCode: ExitCode.anchor)
        #expect(failure.advising("f").message == "foreign; remove f first")
        #expect(failure.advising(nil) == failure)
        let other = Failure("gone", exitCode: ExitCode.unavailable)
        #expect(other.advising("f") == other)
    }
}
