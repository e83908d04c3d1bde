import JSON
import Testing

@testable import healthctl

@Suite struct LatestCommandTests {
    private func line(_ type: String, age: String) throws -> LatestCommand.Line {
        var parser = JSONParser()
        let text = Array(#"{"type":"\#(type)","age":\#(age)}"#.utf8)
        return LatestCommand.Line(text: text, sample: try parser.value(of: text))
    }

    @Test func aValueAtTheLimitIsFreshEnough() throws {
        let lines = [try line("heartRate", age: "10"), try line("oxygenSaturation", age: "0.5")]
        #expect(LatestCommand.staleness(lines, ["hr", "spo2"], 10_000) == nil)
        #expect(LatestCommand.staleness(lines, ["hr"], 9999) == "heartRate is 10 s old")
    }

    @Test func aMissingValueIsNotFresh() throws {
        let lines = [try line("heartRate", age: "1")]
        #expect(
            LatestCommand.staleness(lines, ["hr", "temp"], 5000) == "there is no sample of temp")
        #expect(LatestCommand.staleness([], [], 5000) == "there is no sample at all")
        #expect(LatestCommand.staleness(lines, [], 5000) == nil)
    }

    @Test func aValueOfTheFutureIsNotFresh() throws {
        #expect(
            LatestCommand.staleness([try line("heartRate", age: "-2")], [], 5000)
                == "heartRate is of the future: our clock is behind")
    }

    @Test func anUnknownAgeIsNotFresh() throws {
        #expect(LatestCommand.staleness([try line("heartRate", age: "null")], [], 5000) != nil)
    }
}

@Suite struct LatestTableTests {
    private func table(_ json: String) throws -> [String] {
        var parser = JSONParser()
        let text = LatestTable.text([try parser.value(of: Array(json.utf8))], false)
        return text.split(separator: "\n").map { String($0) }
    }

    @Test func ageBatteryAndDeviceAreShown() throws {
        let lines = try table(
            """
            {"type":"oxygenSaturation","value":97.00,"unit":"%","start":"2026-11-29T22:00:00.123+01:00",\
            "age":4,"stale":false,"device":"00:1C:05:01:02:03","deviceName":"Nonin","battery":97,\
            "quality":"ok"}
            """)
        #expect(
            lines[1]
                == "oxygenSaturation  97.00  %     2026-11-29 22:00:00  4 s ago  Nonin   "
                + "00:1C:05:01:02:03     97 %")
    }

    @Test func aStaleValueIsSaidToBe() throws {
        let lines = try table(
            #"{"type":"heartRate","value":null,"absent":"NaN","age":10000,"stale":true,"quality":"absent"}"#
        )
        #expect(
            lines == [
                "TYPE       VALUE  AGE             QUALITY",
                "heartRate    NaN  2 h ago, stale  absent",
            ])
    }

    @Test func withoutSamplesThereIsNoTable() {
        #expect(LatestTable.text([], false) == "")
    }
}

@Suite struct StatusCommandTests {
    private func status(_ json: String) throws -> String {
        var parser = JSONParser()
        return StatusCommand.text(try parser.value(of: Array(json.utf8)), false)
    }

    @Test func everyFactHasALine() throws {
        let text = try status(
            """
            {"class":"status","state":"running","server":"healthd/0.1.0","source":"none",\
            "uptime":7300,"started":"2026-11-29T22:00:00.000+01:00","devices":1,\
            "lastReading":"2026-11-29T23:00:00.000+01:00","age":4,"unknown":[1],\
            "store":{"path":"/s/health.db","size":1234567,"state":"ok"},\
            "counters":{"stored":1198,"duplicate":2}}
            """)
        #expect(
            text == """
                healthd       running
                version       healthd/0.1.0
                started       2026-11-29 22:00:00 (up 2 h)
                source        none
                store         /s/health.db, 1.2 MB, ok
                readings      1,198 stored, 2 duplicate
                devices       1
                last reading  2026-11-29 23:00:00 (4 s ago)

                """)
    }

    @Test func theReasonOfSilenceIsTold() throws {
        let text = try status(
            #"{"state":"running","reasons":[{"text":"No source.","evidence":"none","next":"start one"}]}"#
        )
        #expect(
            text == """
                healthd       running
                last reading  none

                No source.
                  seen: none
                  next: start one

                """)
    }
}

@Suite struct ListingTests {
    private func value(_ json: String) throws -> JSONValue {
        var parser = JSONParser()
        return try parser.value(of: Array(json.utf8))
    }

    @Test func aTypeHasItsRangeAndCodes() throws {
        let type = try value(
            #"{"id":"stepCount","aliases":["steps"],"unit":"{count}","units":["{count}"],"minimum":0,"maximum":null,"loinc":["55423-8"],"mdc":null}"#
        )
        #expect(
            TypesCommand.row(type).map(\.text) == [
                "stepCount", "steps", "{count}", "", "from 0", "55423-8", "",
            ])
    }

    @Test func aDeviceWithoutReadingsHasOnlyItsAddress() throws {
        let cells = DevicesCommand.row(try value(#"{"device":"00:1C:05:01:02:03","battery":null}"#))
        #expect(cells.map(\.text).filter { !$0.isEmpty } == ["00:1C:05:01:02:03"])
    }
}

@Suite struct DecodeBatchTests {
    private func answers(_ pieces: [[UInt8]]) throws -> (lines: [String], failures: Int) {
        var batch = DecodeBatch(format: .text)
        var octets: [UInt8] = []
        for piece in pieces where !piece.isEmpty { octets += try batch.decode(piece) }
        octets += try batch.decode([])
        let lines = String(decoding: octets, as: UTF8.self).split(separator: "\n")
        return (lines.map { String($0) }, batch.failures)
    }

    @Test func everyLineHasAnAnswerInWhateverPieces() throws {
        let text = Array("2a19 61\n\nfoo\n2a5f\n2a19 zz\nx\0\n2a19 0x62".utf8)
        for place in text.indices {
            let (lines, failures) = try answers([Array(text[..<place]), Array(text[place...])])
            #expect(lines.first == #"{"level":97}"#)
            #expect(lines.last == #"{"level":98}"#)
            #expect(lines.count == 7)
            #expect(failures == 5)
        }
    }

    @Test func aLineOfAMegabyteIsBadHex() throws {
        let long = Array("2a19 ".utf8) + Array(repeating: UInt8(ascii: "0"), count: 1 << 20)
        let (lines, _) = try answers([long, Array("\n2a19 61\n".utf8)])
        #expect(lines == [#"{"error":"bad_hex"}"#, #"{"level":97}"#])
    }
}
