import DaemonHarness
import Foundation
import Testing

/// Long output on a terminal.
@Suite struct ClientPagerTests {
    private let daemon: DaemonUnderTest

    init() throws {
        daemon = try DaemonUnderTest()
        try daemon.replay(RecordingText.oximeter(seconds: 50))
    }

    private func terminal(_ words: String, _ environment: String = "") throws -> Terminal {
        let program = "\(environment) \(BuiltProgram.healthctl.path) --socket \(daemon.socket)"
        return try Terminal("clear; \(program) \(words); echo ended $?")
    }

    private func lastLine(_ terminal: Terminal) throws -> Substring? {
        try terminal.picture.split(separator: "\n").last
    }

    @Test func isShownPageByPageUntilItWasReadEnough() throws {
        let terminal = try terminal("samples spo2")
        try waitUntil { try lastLine(terminal) == ":" }
        #expect(try terminal.picture.hasPrefix("TIME"))
        try terminal.type("q")
        try waitUntil { try terminal.picture.contains("ended 0") }
    }

    @Test(arguments: [
        ("samples spo2 -n 3", ""), ("samples spo2 --no-pager", ""),
        ("samples spo2", "HEALTHCTL_PAGER="), ("samples spo2", "PAGER=cat"),
        ("samples spo2", "TERM=dumb"), ("samples spo2 | cat", ""),
    ])
    func isPrintedWhereItIsShortOrNoPagerIsWanted(words: String, environment: String) throws {
        let terminal = try terminal(words, environment)
        try waitUntil { try terminal.picture.contains("ended 0") }
    }

    @Test func aPagerOfOnesOwnIsUsed() throws {
        let terminal = try terminal("samples spo2 -n 3", "PAGER='sed s/TIME/MINE/'")
        try waitUntil { try terminal.picture.contains("ended 0") }
        #expect(try terminal.picture.contains("MINE"))
    }

    @Test func aFailureIsToldBehindWhatWasPrinted() throws {
        let terminal = try terminal("samples nothing")
        try waitUntil { try terminal.picture.contains("ended 66") }
        #expect(try terminal.picture.contains("healthctl: unknown type"))
    }
}
