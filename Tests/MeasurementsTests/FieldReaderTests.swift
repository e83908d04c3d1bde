import Measurements
import Testing

@Suite struct FieldReaderTests {
    @Test func fieldsAreLittleEndian() throws {
        var fields = try FieldReader(octets("01 0203 040506 0708090a 0b0c0d"))
        #expect(try fields.uint8("a") == 1)
        #expect(try fields.uint16("b") == 0x0302)
        #expect(try fields.uint24("c") == 0x060504)
        #expect(try fields.uint32("d") == 0x0A09_0807)
        #expect(try fields.octets(2, "e") == [11, 12])
        #expect(fields.rest() == [13])
        #expect(fields.remaining == 0 && fields.rest() == [])
    }

    @Test func aFieldThatDoesNotFitNamesItself() throws {
        var fields = try FieldReader([1, 2])
        _ = try fields.uint8("Flags")
        let reason = reason { () throws(MalformedValue) in _ = try fields.uint16("SpO2") }
        #expect(reason == .truncated(field: "SpO2", offset: 1, needed: 2, have: 2))
        #expect(fields.remaining == 1)
    }

    @Test func aReasonIsWorthReading() {
        let reason = MalformedValue.truncated(field: "SpO2", offset: 1, needed: 2, have: 2)
        #expect(reason.explanation == "SpO2 needs 2 octets at offset 1, the value has 2")
        #expect(MalformedValue.invalidDateTime.symbol == "invalid_datetime")
        #expect(MalformedValue.empty.symbol == "empty")
    }
}
