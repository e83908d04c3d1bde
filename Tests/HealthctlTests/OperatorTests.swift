import ControlProtocol
import Foundation
import JSON
import Testing

@testable import healthctl

/// What is shown while a sensor is paired, and what is understood of what is typed.
@Suite struct OperatorPrinterTests {
    private var printer: OperatorPrinter

    init() throws {
        printer = OperatorPrinter(try Session(Invocation(["pair", "-q"])))
    }

    private mutating func show(_ json: String) throws {
        var output = StandardOutput()
        let line = Array(json.utf8)[...]
        try printer.print(try message(json), line, to: &output)
    }

    private mutating func showCandidates() throws {
        for address in ["00:1C:05:01:02:03", "AA:BB:CC:DD:EE:FF"] {
            try show(#"{"class":"candidate","device":"\#(address)","services":[]}"#)
        }
    }

    private func message(_ json: String) throws -> JSONValue {
        var parser = JSONParser()
        return try parser.value(of: Array(json.utf8))
    }

    @Test mutating func aSensorIsChosenByNumberOrAddress() throws {
        try showCandidates()
        try show(#"{"class":"ask","kind":"choose","text":"which"}"#)
        #expect(printer.answer(" 2 ") == "AA:BB:CC:DD:EE:FF")
        #expect(printer.answer("00:1c:05:01:02:03") == "00:1C:05:01:02:03")
        #expect(printer.answer("3") == nil)
        #expect(printer.answer("0") == nil)
        #expect(printer.answer("") == nil)
    }

    @Test mutating func aSensorThatIsHeardAgainKeepsItsNumber() throws {
        try showCandidates()
        try showCandidates()
        try show(#"{"class":"ask","kind":"choose","text":"which"}"#)
        #expect(printer.answer("1") == "00:1C:05:01:02:03")
        #expect(printer.answer("3") == nil)
    }

    @Test(arguments: [
        ("y", "yes"), ("Yes", "yes"), (" no ", "no"), ("N", "no"), ("maybe", nil), ("", nil),
    ])
    mutating func yesAndNoAreUnderstood(typed: String, answer: String?) throws {
        try show(#"{"class":"ask","kind":"confirm","text":"is it","number":"012345"}"#)
        #expect(printer.answer(typed) == answer)
    }

    @Test mutating func aNumberIsPassedOnAsItIs() throws {
        try show(#"{"class":"ask","kind":"passkey","text":"the number"}"#)
        #expect(printer.answer("012345") == "012345")
        #expect(printer.answer(" ") == nil)
    }

    @Test func onlyAQuestionWaits() throws {
        #expect(printer.needsAnswer(try message(#"{"class":"ask","kind":"pin"}"#)))
        #expect(!printer.needsAnswer(try message(#"{"class":"ask","kind":"display"}"#)))
        #expect(!printer.needsAnswer(try message(#"{"class":"progress","step":"pair"}"#)))
    }
}

/// `healthctl why`, `gaps` and the live parts of `devices` and `metrics` for people.
@Suite struct SensorTextTests {
    private func value(_ json: String) throws -> JSONValue {
        var parser = JSONParser()
        return try parser.value(of: Array(json.utf8))
    }

    @Test func aFindingIsAParagraph() throws {
        let finding = try value(
            #"{"device":"00:1C:05:01:02:03","level":"warn","text":"It sleeps.","evidence":"none","next":"Wake it."}"#
        )
        #expect(
            WhyCommand.text(finding, isColored: false) == """
                00:1C:05:01:02:03: It sleeps.
                  seen: none
                  next: Wake it.

                """)
        #expect(WhyCommand.text(finding, isColored: true).contains("\u{1B}[33m"))
    }

    @Test func aFindingOfAllSensorsWithoutANextStepIsShort() throws {
        let finding = try value(
            #"{"device":null,"level":"ok","text":"Well.","evidence":"","next":""}"#)
        #expect(WhyCommand.text(finding, isColored: false) == "Well.\n")
    }

    @Test func aGapThatGoesOnEndsNow() throws {
        let cells = GapsCommand.row(
            try value(
                """
                {"device":null,"type":null,"start":"2026-11-29T12:00:00.000+00:00","end":null,\
                "seconds":300,"cause":"adapter-off","text":"off"}
                """)
        ).map(\.text)
        #expect(cells == ["2026-11-29 12:00:00", "now", "5 min", "all", "", "adapter-off", "off"])
    }

    @Test func aLiveSensorShowsHowItFares() throws {
        let cells = DevicesCommand.row(
            try value(#"{"device":"00:1C:05:01:02:03","name":"N","state":"live","rssi":-61}"#)
        ).map(\.text)
        #expect(cells.prefix(4) == ["00:1C:05:01:02:03", "N", "live", "-61 dBm"])
    }

    @Test func countersInsideOthersHaveTwoNames() throws {
        let text = MetricsCommand.text(
            try value(#"{"class":"metrics","links":2,"bluez":{"signals":5}}"#), isColored: false)
        #expect(
            text == """
                METRIC         VALUE
                links              2
                bluez.signals      5

                """)
    }
}
