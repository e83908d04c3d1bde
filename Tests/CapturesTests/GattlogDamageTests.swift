import Captures
import Measurements
import Testing

@Suite struct GattlogDamageTests {
    private let good = """
        {"at":"2026-11-29T22:00:00Z","event":"notify","device":"00:1C:05:01:02:03",\
        "service":"1822","characteristic":"2a5f","value":"0061"}
        """

    private func item(_ octets: [UInt8]) -> GattlogItem? {
        var parser = GattlogParser(origin: .replay)
        let items = parser.feed(octets)
        return items.first ?? parser.finish()
    }

    private func why(_ octets: [UInt8]) -> String? {
        guard case .damaged(line: 1, let why) = item(octets) else { return nil }
        return why
    }

    @Test(arguments: [
        ("\"at\":\"2026-11-29T22:00:00Z\",", "", "at: missing"),
        ("\"2026-11-29T22:00:00Z\"", "null", "at: missing"),
        ("\"2026-11-29T22:00:00Z\"", "5", "at: expected a text"),
        ("2026-11-29", "2026-13-29", "at: expected a time such as 2026-11-29T22:00:00.123Z"),
        ("00:00Z", "00:00", "at: expected a time such as 2026-11-29T22:00:00.123Z"),
        ("\"event\":\"notify\",", "", "event: missing"),
        ("\"notify\"", "{}", "event: expected a text"),
        ("\"device\":\"00:1C:05:01:02:03\",", "", "device: missing"),
        ("\"00:1C:05:01:02:03\"", "[]", "device: expected a text"),
        (":02:03", ":02", "device: expected an address such as 00:1C:05:01:02:03"),
        ("00:1C", "00-1C", "device: expected an address such as 00:1C:05:01:02:03"),
        ("\"characteristic\":\"2a5f\",", "", "characteristic: missing"),
        ("2a5f", "2a5", "characteristic: expected a UUID of 4, 8 or 32 hexadecimal digits"),
        ("\"1822\"", "1822", "service: expected a text"),
        ("1822", "pulse", "service: expected a UUID of 4, 8 or 32 hexadecimal digits"),
        (",\"value\":\"0061\"", "", "value: missing"),
        ("\"0061\"", "61", "value: expected a text"),
        ("0061", "006", "value: expected pairs of hexadecimal digits"),
        ("0061", "00 61", "value: expected pairs of hexadecimal digits"),
        ("}", ",\"instance\":256}", "instance: expected 0 to 255"),
        ("}", ",\"instance\":-1}", "instance: expected 0 to 255"),
        ("}", ",\"instance\":1.0}", "instance: expected a whole number"),
        ("}", ",\"instance\":99999999999999999999}", "instance: expected 0 to 255"),
        ("}", ",\"rssi\":-128}", "rssi: expected -127 to 20"),
        ("}", ",\"rssi\":21}", "rssi: expected -127 to 20"),
        ("}", ",\"rssi\":NaN}", "rssi: expected a whole number"),
        ("}", ",\"guess\":1}", "guess: expected true or false"),
        ("}", ",\"name\":1}", "name: expected a text"),
        ("}", "", "not JSON: the text ends too early at offset 130"),
        ("}", "}}", "not JSON: unexpected character at offset 131"),
    ])
    func aDamagedLineSaysWhichKeyAndWhatWasExpected(part: String, other: String, why: String) {
        #expect(self.why(Array(good.replacing(part, with: other).utf8)) == why)
    }

    @Test(arguments: ["[1]", "5", "null", "\"at\""])
    func whatIsNoObjectIsDamaged(text: String) {
        #expect(why(Array(text.utf8)) == "not a JSON object")
    }

    @Test func foreignOctetsAreDamage() {
        #expect(why([0x7B, 0x00, 0x7D]) == "not JSON: control character at offset 1")
        #expect(why([0x7B, 0xFF, 0x7D]) == "not JSON: not UTF-8 at offset 1")
    }

    @Test(arguments: [("value", 512, "00"), ("name", 248, "x"), ("adapter", 64, "x")])
    func aTextMayBeAsLongAsItsLimit(key: String, limit: Int, unit: String) {
        func line(_ count: Int) -> [UInt8] {
            let text = String(repeating: unit, count: count)
            return Array(good.replacing("}", with: ",\"\(key)\":\"\(text)\"}").utf8)
        }
        #expect(why(line(limit)) == nil)
        #expect(why(line(limit + 1)) == "\(key): longer than \(limit) octets")
    }

    @Test(arguments: [-1, 0, 1, 5000])
    func aLineMayBeAsLongAsItsLimit(excess: Int) {
        let padding = String(
            repeating: " ", count: GattlogParser.longestLine + excess - good.utf8.count)
        let why = why(Array((good.replacing("}", with: padding + "}") + "\n").utf8))
        #expect(why == (excess > 0 ? "longer than 8192 octets" : nil))
    }

    @Test(arguments: [1, 1000, 8192, 65_536])
    func aLineOfAMegabyteIsOneDamagedLine(size: Int) {
        var parser = GattlogParser(origin: .replay)
        let piece = [UInt8](repeating: UInt8(ascii: "x"), count: size)
        var items: [GattlogItem] = []
        for _ in 0..<1_048_576 / size { items += parser.feed(piece) }
        #expect(items.isEmpty)
        items = parser.feed(Array("\n\(good)\n".utf8))
        #expect(items.first == .damaged(line: 1, why: "longer than 8192 octets"))
        guard case .event(_, line: 2)? = items.last else {
            Issue.record("the next line is lost")
            return
        }
    }

    @Test func aLineOfAMegabyteWithoutAnEndIsOneDamagedLine() {
        let item = item([UInt8](repeating: UInt8(ascii: "x"), count: 1_048_576))
        #expect(item == .damaged(line: 1, why: "longer than 8192 octets"))
    }

    @Test func linesThatTheCallerCutsAreCountedAlike() {
        var parser = GattlogParser(origin: .replay)
        #expect(parser.skipOverlongLine() == .damaged(line: 1, why: "longer than 8192 octets"))
        #expect(parser.parse(line: Array("# x".utf8).span) == .ignored(line: 2))
        let long = [UInt8](repeating: 0x20, count: 8193)
        #expect(parser.parse(line: long.span) == .damaged(line: 3, why: "longer than 8192 octets"))
    }

    @Test func everyOctetInPlaceOfAnotherIsReadOrRefused() {
        let octets = Array(good.utf8)
        var damaged = 0
        var others = 0
        for position in octets.indices {
            for octet in UInt8.min...UInt8.max where octet != UInt8(ascii: "\n") {
                var changed = octets
                changed[position] = octet
                if why(changed) == nil { others += 1 } else { damaged += 1 }
            }
        }
        #expect(damaged > others)
        #expect(damaged + others == octets.count * 255)
    }
}
