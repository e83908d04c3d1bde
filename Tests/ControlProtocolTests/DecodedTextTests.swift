import ControlProtocol
import Measurements
import Testing

@Suite struct DecodedTextTests {
    @Test func aMeasurementIsReadableByAPerson() {
        #expect(
            text("2a5f 1fdef3caf3caf35af5d4f3b2f220010000007ae3") == """
                PLX Continuous Measurement (2a5f)
                SpO2                   99.0 %
                pulse rate             97.0 /min
                fast SpO2              97.0 %
                fast pulse rate        137.0 /min
                slow SpO2              98.0 %
                slow pulse rate        69.0 /min
                pulse amplitude index  8.90 %
                measurement status     measurement ongoing, fully qualified data
                sensor status          none

                """)
    }

    @Test func anUnsetClockAndASpecialValueSaySo() {
        #expect(
            text("2a5e 1f5f005800ea070b1e072d0900800080ffff07") == """
                PLX Spot-Check Measurement (2a5e)
                SpO2                   95 %
                pulse rate             88 /min
                pulse amplitude index  NaN (no valid result)
                time stamp             2026-11-30 07:45:09
                clock                  not set, the time stamp counts for nothing
                measurement status     invalid measurement
                sensor status          sensor disconnected

                """)
    }

    @Test func whatWasIgnoredIsShown() {
        let lines = text("2a1c f86d0100ffaa").split(separator: "\n")
        #expect(lines.suffix(2) == ["reserved flags  0xf8", "trailing        1 octet"])
    }

    @Test func anUnknownDateHasQuestionMarks() {
        #expect(text("2a08 ea070000000000").hasSuffix("time  2026-??-?? 00:00:00\n"))
        #expect(text("2a1c 026d0100ffea07021d000000").hasSuffix("impossible (ea07021d000000)\n"))
    }

    @Test(arguments: [
        ("2a5f 00ff07", "truncated: SpO2PR-Normal needs 2 octets at offset 3, the value has 3"),
        ("2a5f", "empty: no octets"), ("2a5f 0", "the octets are not pairs of hexadecimal digits"),
        ("2a35 00", "no characteristic of this name or number is decoded"),
    ])
    func anErrorIsExplained(line: String, reason: String) {
        #expect(text(line).hasSuffix("error  \(reason)\n"))
    }

    @Test func controlCharactersOfADeviceStayOffTheTerminal() {
        #expect(
            text("2a29 411b5b326a0742c29b") == "Manufacturer Name String (2a29)\ntext  A�[2j�B�\n")
    }

    @Test(arguments: DecodableName.allCases)
    func everyKindOfValueHasAHeadingAndFields(name: DecodableName) {
        let value = "\(name) 00 00 00 00 00 00 00 00 00 00"
        let lines = text(value).split(separator: "\n")
        #expect(lines.first?.hasPrefix(name.title) == true)
        #expect(lines.count >= 2 && !text(value).contains("error"))
    }

    private func text(_ line: String) -> String {
        DecodedLine(Array(line.utf8)[...]).text
    }
}
