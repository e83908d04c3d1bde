import JSON
import Testing

@Suite struct JSONParserTests {
    private func value(_ text: String) throws -> JSONValue {
        var parser = JSONParser()
        return try parser.value(of: text.utf8)
    }

    @Test(arguments: [
        ("null", JSONValue.null), ("true", .bool(true)), ("false", .bool(false)),
        ("\"\"", .string("")), ("[]", .array([])), ("{}", .object([])), (" 7 ", .number("7")),
        ("[1,[2]]", .array([.number("1"), .array([.number("2")])])),
        ("\"\\ud83d\\ude00é\"", .string("😀é")), ("\"\\ud800\"", .string("\u{FFFD}")),
        ("{\"b\":1,\"a\":null}", .object([("b", .number("1")), ("a", .null)])),
    ])
    func eachKindOfValueIsRead(text: String, expected: JSONValue) throws {
        #expect(try value(text) == expected)
    }

    @Test(arguments: [
        "97.00", "-0", "-0.0", "1e5", "1E400", "18446744073709551615", "18446744073709551616",
        "-9223372036854775809", "1" + String(repeating: "0", count: 128),
        "0." + String(repeating: "0", count: 126) + "123",
    ])
    func numbersKeepTheirDigits(digits: String) throws {
        #expect(try value(digits) == .number(digits))
        #expect(try value("{\"x\":[\(digits)]}")["x"] == .array([.number(digits)]))
    }

    @Test func aLongNumberInsideATextIsLeftAlone() throws {
        let text = "a\\\"1234567890123456789012345"
        let expected = JSONValue.array([
            .string("a\"1234567890123456789012345"), .number("1234567890123456789012345"),
        ])
        #expect(try value("[\"\(text)\",1234567890123456789012345]") == expected)
    }

    @Test func anEscapedNULDoesNotEndAText() throws {
        #expect(try value("\"a\\u0000b\"") == .string("a\0b"))
        var parser = JSONParser()
        try parser.parse(Array("{\"x\":\"a\\u0000b\"}".utf8).span)
        #expect(try parser.string("x") == "a\0b")
        #expect(try parser.octets("x") == [0x61, 0, 0x62])
    }

    @Test func ofTwoMembersWithOneKeyTheLastCounts() throws {
        let object = try value("{\"a\":1,\"b\":2,\"a\":3}")
        #expect(object["a"]?.integer == 3)
        #expect(object.members?.count == 2)
    }

    @Test(arguments: [
        ("", "the text ends too early", 0), ("{\"a\":", "the text ends too early", 5),
        ("\"abc", "the text ends too early", 4), ("{\"a\":1}x", "unexpected character", 7),
        ("{}{}", "unexpected character", 2), ("[1,]", "unexpected character", 3),
        ("'a'", "unexpected character", 0), ("/**/1", "unexpected character", 0),
        ("{a:1}", "expected a key in quotes", 1), ("{\"a\" 1}", "expected :", 5),
        ("{\"a\":1 \"b\":2}", "expected , or }", 7), ("[1 2]", "expected , or ]", 3),
        ("tRue", "unknown word", 1), ("\"\\x\"", "unknown escape", 2),
        ("[[[[[[[[1]]]]]]]]", "nested too deep", 8), ("\"\u{1}\"", "control character", 1),
        ("\"a\0b\"", "control character", 2), ("NaN", "not a number", 0),
        ("[-Infinity]", "not a number", 2), ("[1.]", "not a number", 1),
    ])
    func anErrorSaysWhatAndWhere(text: String, reason: String, offset: Int) {
        #expect(throws: JSONError(reason: reason, offset: offset)) { try value(text) }
    }

    @Test(
        arguments: [
            [0x22, 0xFF, 0x22], [0x22, 0xC0, 0x80, 0x22], [0x22, 0xED, 0xA0, 0x80, 0x22],
            [0x22, 0xF8, 0x88, 0x80, 0x80, 0x80, 0x22], [0x22, 0xC3, 0x22],
        ] as [[UInt8]])
    func whatIsNotUTF8IsRefused(octets: [UInt8]) {
        #expect(throws: JSONError(reason: "not UTF-8", offset: 1)) {
            var parser = JSONParser()
            try parser.parse(octets.span)
        }
    }

    @Test func membersAreFetchedByKindWithoutATree() throws {
        var parser = JSONParser()
        let text =
            "{\"s\":\"x\",\"i\":-5,\"b\":true,\"n\":null,\"f\":1.0,\"h\":99999999999999999999}"
        try parser.parse(Array(text.utf8).span)
        #expect(parser.isObject == true)
        #expect(try parser.string("s") == "x")
        #expect(try parser.integer("i") == -5)
        #expect(try parser.bool("b") == true)
        #expect(try parser.integer("h") == .max)
        #expect(try parser.string("n") == nil)
        #expect(try parser.integer("missing") == nil)
    }

    @Test func aMemberOfAnotherKindIsNotFetched() throws {
        var parser = JSONParser()
        try parser.parse(Array("{\"s\":\"1\",\"f\":1.0,\"o\":{}}".utf8).span)
        for attempt in [
            { _ = try parser.integer("s") }, { _ = try parser.integer("f") },
            { _ = try parser.string("o") }, { _ = try parser.bool("s") },
        ] { #expect(throws: JSONTypeMismatch.self) { try attempt() } }
    }

    @Test func whatIsNoObjectHasNoMembers() throws {
        var parser = JSONParser()
        for text in ["[1]", "null", "\"at\""] {
            try parser.parse(Array(text.utf8).span)
            #expect(parser.isObject == false)
            #expect(try parser.string("at") == nil)
        }
    }

    @Test func aDamagedTextLeavesNothingBehindAndHarmsNoOther() throws {
        var parser = JSONParser()
        try parser.parse(Array("{\"a\":\"old\"}".utf8).span)
        #expect(throws: JSONError.self) { try parser.parse(Array("{\"a\":[1,".utf8).span) }
        #expect(try parser.string("a") == nil)
        try parser.parse(Array("{\"a\":\"new\"}".utf8).span)
        #expect(try parser.string("a") == "new")
    }

    @Test func everyPrefixOfATextIsReadOrRefused() {
        let text = Array("{\"a\":[1.50,-2e9,true,null,\"\\u00e9\\n\"],\"b\":{\"c\":\"é\"}}".utf8)
        var parser = JSONParser()
        let readable = (0...text.count).filter { (try? parser.value(of: text.prefix($0))) != nil }
        #expect(readable == [text.count])
    }

    @Test func everySingleOctetIsReadOrRefused() {
        var parser = JSONParser()
        let readable = (0...255).filter { (try? parser.value(of: [UInt8($0)])) != nil }
        #expect(readable == (0x30...0x39).map { Int($0) })
    }

    @Test func everyOctetInPlaceOfAnotherIsReadOrRefused() {
        let text = Array("{\"a\":[1.5,\"\\u00e9\"],\"b\":null}".utf8)
        var parser = JSONParser()
        var refused = 0
        for position in text.indices {
            for octet in UInt8.min...UInt8.max {
                var changed = text
                changed[position] = octet
                if (try? parser.value(of: changed)) == nil { refused += 1 }
            }
        }
        #expect(refused > text.count * 128)
        #expect((try? parser.value(of: text)) != nil)
    }
}
