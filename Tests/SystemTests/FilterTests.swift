import DaemonHarness
import Testing

@Suite struct FilterTests {
    private func values(_ request: String, options: String = "") throws -> [String] {
        let daemon = try DaemonUnderTest()
        try daemon.replay(QueryData.recording, options: options)
        let reply = try daemon.request("samples \(request) format=tsv")
        try #require(reply.isOK, "\(reply.end)")
        return reply.column("value")
    }

    @Test func theDefaultsLeaveOutWhatIsNotRelied() throws {
        #expect(try values("spo2") == ["97", "96.2", "88"])
    }

    @Test(arguments: [
        ("ok", ["97", "96.2", "88"]), ("absent", [""]), ("outOfRange", ["101"]),
        ("ok,outOfRange", ["97", "96.2", "88", "101"]), ("questionable", []),
        ("all", ["97", "96.2", "88", "", "101"]),
    ])
    func qualitySelects(quality: String, expected: [String]) throws {
        #expect(try values("spo2 quality=\(quality)") == expected)
    }

    @Test(arguments: [
        ("fast", ["97"]), ("continuous", ["97", "96.2", "88"]), ("spot", []),
        ("all", ["97", "96.2", "88", "97"]),
    ])
    func modalitySelects(modality: String, expected: [String]) throws {
        #expect(try values("spo2 modality=\(modality)") == expected)
    }

    @Test func intermediateTemperaturesComeOnlyWhenAskedFor() throws {
        #expect(try values("temp") == ["36.97", "36.83", "37.5"])
        #expect(try values("temp modality=intermediate") == ["37.0"])
    }

    @Test(arguments: [
        ("value<90", ["88"]), ("value<=88.0", ["88"]), ("value>96.2", ["97"]),
        ("value>=96.20", ["97", "96.2"]), ("value=97", ["97"]), ("value!=97", ["96.2", "88"]),
        ("value<0", []),
    ])
    func whereComparesNumbersExactly(condition: String, expected: [String]) throws {
        #expect(try values("spo2 where=\(condition)") == expected)
    }

    @Test func unitsConvertWithOneDecimalMore() throws {
        #expect(try values("temp unit=[degF]") == ["98.546", "98.3", "99.50"])
        #expect(try values("temp unit=F") == ["98.546", "98.3", "99.50"])
        #expect(try values("temp unit=K") == ["310.120", "309.98", "310.65"])
        #expect(try values("spo2 unit=fraction") == ["0.97", "0.962", "0.88"])
    }

    @Test func aUnitIsPrintedBesideItsValue() throws {
        let daemon = try DaemonUnderTest()
        try daemon.replay(QueryData.recording)
        let reply = try daemon.request("samples spo2 temp unit=F format=tsv")
        #expect(reply.column("unit") == ["%", "%", "%", "[degF]", "[degF]", "[degF]"])
        #expect(reply.header?.contains(" unit=%,[degF] ") == true)
    }

    @Test(arguments: ["54:6C:0E:9B:22:F1", "54:6c:0e:9b:22:f1"])
    func deviceSelectsByItsAddress(address: String) throws {
        #expect(try values("temp spo2 device=\(address)") == ["36.97", "36.83", "37.5"])
        #expect(try values("spo2 device=\(address)") == [])
    }

    @Test(arguments: ["start", "overlap"])
    func aSampleWithoutLengthMatchesByItsInstant(match: String) throws {
        #expect(
            try values("spo2 match=\(match) start=2026-11-29T22:01:00Z end=2026-11-29T22:02:00Z")
                == ["96.2"])
    }

    @Test(arguments: ["asc", "desc"])
    func orderAndSortTurnTheAnswer(order: String) throws {
        let ascending = ["97", "96.2", "88"]
        let expected = order == "asc" ? ascending : ascending.reversed()
        for sort in ["start", "end"] {
            #expect(try values("spo2 sort=\(sort) order=\(order)") == expected)
        }
    }

    @Test func subjectSelectsByWhoseItIs() throws {
        #expect(try values("spo2 subject=ada", options: "subject=ada").count == 3)
        #expect(try values("spo2 subject=me", options: "subject=ada") == [])
        #expect(try values("spo2 subject=me").count == 3)
    }

    @Test func sourceSelectsByWhereItCameFrom() throws {
        #expect(try values("spo2 source=replay").count == 3)
        #expect(try values("spo2 source=ble") == [])
    }
}
