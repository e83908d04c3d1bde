import ControlProtocol
import JSON
import Measurements
import Testing

@Suite struct DecodedLineTests {
    @Test(arguments: [
        "2a5f 0062004800", "2A5F 00 62 00 48 00", "0x2A5F 0x00 0x62 0x00 0x48 0x00",
        "2a5f 0x0062004800", "2a5f 00:62:00:48:00", "2a5f 00-62-00-48-00", "2a5f 0062,0048,00",
        "  2a5f\t00 62 00 48 00\r", "PLX Continuous Measurement 0062004800",
        "plx continuous 00 62 00 48 00", "plxContinuousMeasurement 0062 0048 00",
        "plx-continuous-measurement 0X0062004800", "00002a5f 0062004800",
        "00002a5f-0000-1000-8000-00805f9b34fb 0062004800",
    ])
    func manySpellingsAreOneValue(line: String) {
        #expect(answer(line) == #"{"spo2":"98","pr":"72"}"#)
    }

    @Test(arguments: [
        ("", "unknown_characteristic"), ("   ", "unknown_characteristic"),
        ("\r", "unknown_characteristic"), ("2a35 00", "unknown_characteristic"),
        ("0000 2a5f", "unknown_characteristic"), ("nonsense zz", "unknown_characteristic"),
        ("2a5f", "empty"), ("2a5f  ", "empty"), ("2a5f 0", "bad_hex"), ("2a5f 0 1", "bad_hex"),
        ("2a5f 0x", "bad_hex"), ("2a5f zz", "bad_hex"), ("2a5f 00x62", "bad_hex"),
        ("2a5f 00 62 é", "bad_hex"), ("2a5f 00\0", "bad_hex"), ("2a5f 0062", "truncated"),
        ("2a08 ffffffffffffff", "invalid_datetime"),
    ])
    func aBadLineSaysWhy(line: String, symbol: String) {
        #expect(answer(line) == #"{"error":"\#(symbol)"}"#)
    }

    @Test func theLongerOfTwoNamesIsTheName() {
        #expect(answer("Model Number String 33323330") == #"{"text":"3230"}"#)
        #expect(answer("Model Number 33323330") == #"{"text":"3230"}"#)
    }

    @Test func lineOfAMegabyteIsAnswered() {
        let long = String(repeating: "ab ", count: 400_000)
        #expect(answer("2a5f 00 " + long).hasSuffix(#","trailing":399996}"#))
        #expect(answer(long) == #"{"error":"unknown_characteristic"}"#)
        let word = String(repeating: "a", count: 1_000_000)
        #expect(answer(word) == #"{"error":"unknown_characteristic"}"#)
        #expect(answer("2a5f " + word + "g") == #"{"error":"bad_hex"}"#)
    }

    @Test func octetsThatAreNoUTF8AreAnswered() {
        var json = JSONWriter()
        DecodedLine([0xFF, 0xFE, 0x20, 0x80][...]).write(to: &json)
        json.endLine()
        DecodedLine(Array("2a19 64".utf8)[...]).write(to: &json)
        #expect(json.text == "{\"error\":\"unknown_characteristic\"}\n{\"level\":100}")
    }

    @Test(arguments: ["ff07", "0008", "fe07", "0208", "0108"])
    func c06SpecialValuesAreNames(hex: String) {
        let name = MedicalFloat(sfloat: UInt16(hex.suffix(2) + hex.prefix(2), radix: 16) ?? 0)
            .specialName
        #expect(name != nil)
        #expect(answer("SFLOAT \(hex)") == #"{"kind":"\#(name ?? "")"}"#)
    }

    @Test func c38AnEmptyHeartRateIsEmptyAndAShortOneTruncated() {
        #expect(answer("2a37") == #"{"error":"empty"}"#)
        #expect(answer("2a37 44") == #"{"error":"truncated"}"#)
    }

    private func answer(_ line: String) -> String {
        var json = JSONWriter()
        DecodedLine(Array(line.utf8)[...]).write(to: &json)
        return json.text
    }
}
