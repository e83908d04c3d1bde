import Testing

@testable import healthctl

@Suite struct InvocationTests {
    private func parse(_ words: String...) throws -> Invocation { try Invocation(words) }

    private func message(_ words: String...) -> String {
        do {
            _ = try Invocation(words)
            return ""
        } catch {
            #expect(error.exitCode == 2)
            return error.message
        }
    }

    @Test func aValueMayStandBehindABlankAnEqualsSignOrItsLetter() throws {
        for words in [["--limit", "20"], ["--limit=20"], ["-n", "20"], ["-n20"]] {
            #expect(try Invocation(["samples", "spo2"] + words)[.limit] == "20")
        }
    }

    @Test func aValueMayBeginWithADash() throws {
        #expect(try parse("samples", "spo2", "-S", "-1h")[.since] == "-1h")
        #expect(try parse("samples", "spo2", "--until", "-30m")[.until] == "-30m")
        #expect(try parse("samples", "spo2", "-S", "--")[.since] == "--")
    }

    @Test func lettersMayStandTogether() throws {
        let invocation = try parse("samples", "spo2", "-qrn20")
        #expect(invocation.has(.quiet) && invocation.has(.reverse))
        #expect(invocation[.limit] == "20")
    }

    @Test func optionsStandBeforeAndAfterArguments() throws {
        let invocation = try parse("-q", "--socket", "/s", "samples", "-r", "spo2", "--utc", "hr")
        #expect(invocation.arguments == ["spo2", "hr"])
        #expect(invocation[.socket] == "/s")
        #expect(invocation.has(.quiet) && invocation.has(.reverse) && invocation.has(.utc))
    }

    @Test func twoDashesEndTheOptions() throws {
        #expect(try parse("replay", "--", "-n", "--").arguments == ["-n", "--"])
        #expect(try parse("replay", "-").arguments == ["-"])
    }

    @Test func theLastOfTwoValuesCounts() throws {
        #expect(try parse("samples", "hr", "-n1", "-n2")[.limit] == "2")
    }

    @Test func anEmptyValueIsAValue() throws {
        #expect(try parse("samples", "hr", "--device=")[.device] == "")
    }

    @Test func helpStandsAnywhereAndNeedsNoArguments() throws {
        for words in [["--help", "samples"], ["samples", "-h"], ["samples", "--help", "spo2"]] {
            let invocation = try Invocation(words)
            #expect(invocation.has(.help))
            #expect(invocation.command?.verb == .samples)
        }
        #expect(try parse("-h").command == nil)
    }

    @Test func anUnknownCommandIsToldWithTheNearest() {
        #expect(message("sampels") == "unknown command `sampels`; did you mean samples?")
        #expect(message("xyzzy") == "unknown command `xyzzy`; `healthctl help` lists them")
    }

    @Test func anUnknownOptionIsToldWithTheNearest() {
        #expect(
            message("samples", "hr", "--sinse", "x")
                == "`samples` has no option --sinse; did you mean --since?")
        #expect(message("types", "-x") == "`types` has no option -x; see `healthctl help types`")
        #expect(
            message("--since", "x", "samples")
                == "no option --since before a command; it stands behind the command")
    }

    @Test func aMissingValueIsToldWithItsForm() {
        #expect(message("samples", "hr", "-S") == "--since needs a value: TIME")
        #expect(message("samples", "hr", "--utc=1") == "--utc takes no value")
    }

    @Test func theNumberOfArgumentsIsChecked() {
        #expect(message("samples").hasPrefix("`samples` needs a type of samples"))
        #expect(message("types", "spo2").hasPrefix("`types` takes no argument `spo2`"))
        #expect(message("help", "samples", "latest").contains("no argument `latest`"))
        #expect(message() == "what shall be done? `healthctl help` lists it")
    }

    @Test func eachCommandHasItsOwnForms() throws {
        #expect(try parse("samples", "hr").format == .table)
        #expect(try parse("samples", "hr", "-o", "csv").format == .csv)
        #expect(try parse("decode").format == .text)
        #expect(throws: Failure.self) { try parse("status", "-o", "csv").format }
        #expect(throws: Failure.usage("`latest` has no output `jsn`; did you mean json?")) {
            try parse("latest", "-o", "jsn").format
        }
    }
}
