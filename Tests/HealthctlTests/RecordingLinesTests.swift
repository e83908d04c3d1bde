import JSON
import Testing

@testable import healthctl

@Suite struct RecordingLinesTests {
    private func octets(_ text: String) -> ArraySlice<UInt8> { Array(text.utf8)[...] }

    @Test func aRecordingHasOneTitle() {
        var lines = RecordingLines()
        #expect(lines.isNew(remark: octets("# gattlog 1")) == true)
        #expect(lines.isNew(remark: octets("# gattlog 1")) == false)
        var continued = RecordingLines(isContinued: true)
        #expect(continued.isNew(remark: octets("# gattlog 1")) == false)
    }

    @Test func aZoneIsWrittenWhereItChanges() {
        var lines = RecordingLines()
        let zones = ["# Zone: UTC", "# Zone: UTC", "# Zone: Asia/Tokyo", "# Zone: UTC"]
        #expect(zones.map { lines.isNew(remark: octets($0)) } == [true, false, true, true])
    }

    @Test func theProtocolsOwnRemarksStayOut() {
        var lines = RecordingLines()
        #expect(lines.isNew(remark: octets("# working")) == false)
    }
}

@Suite struct Base64Tests {
    @Test(arguments: [
        ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="),
        ("fooba", "Zm9vYmE="), ("foobar", "Zm9vYmFy"),
    ])
    func theVectorsOfTheStandardDecode(_ text: String, _ encoded: String) {
        #expect(base64Octets(Array(encoded.utf8)) == Array(text.utf8))
    }

    @Test func everyLetterIsKnown() {
        let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
        let octets = base64Octets(Array(letters.utf8)) ?? []
        let bits = octets.map { String($0 + 0, radix: 2) }
            .map { String(repeating: "0", count: 8 - $0.count) + $0 }.joined()
        let values = (0..<64).map { place in
            Int(bits.dropFirst(place * 6).prefix(6), radix: 2)
        }
        #expect(values == (0..<64).map { $0 })
    }

    @Test(arguments: ["A", "AA", "AAA", "A===", "AA=A", "====", "AA A", "AA-_", "AAA\n", "=AAA"])
    func otherTextsAreRefused(_ text: String) {
        #expect(base64Octets(Array(text.utf8)) == nil)
    }
}

@Suite struct BackupCommandTests {
    private func chunk(_ line: String, at position: Int) throws -> [UInt8] {
        var parser = JSONParser()
        return try BackupCommand.chunk(Array(line.utf8)[...], at: position, &parser)
    }

    @Test func aPieceMustBeTheNextOne() throws {
        let line = #"{"class":"chunk","offset":3,"data":"Zm9v"}"#
        #expect(try chunk(line, at: 3) == Array("foo".utf8))
        #expect(throws: Failure.self) { try chunk(line, at: 0) }
    }

    @Test(arguments: [
        #"{"offset":0,"data":"Zm9"}"#, #"{"offset":0}"#, #"{"data":"Zm9v"}"#, #"{"offset":0,"#,
        #"{"offset":"0","data":"Zm9v"}"#,
    ])
    func aDamagedPieceIsRefused(_ line: String) {
        #expect(throws: Failure.self) { try chunk(line, at: 0) }
    }
}
