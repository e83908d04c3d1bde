import Measurements
import Testing

@Suite struct RecordAccessControlPointTests {
    @Test func aRequestKeepsItsFilter() throws {
        let value = try RecordAccessControlPoint(decoding: octets("01 03 010c00"))
        #expect(value.opCodeName == "report_stored_records")
        #expect(value.operatorName == "greater_or_equal")
        #expect(value.operand == .filter([1, 12, 0]) && value.trailing == 0)
    }

    @Test func aCountIsLittleEndian() throws {
        let value = try RecordAccessControlPoint(decoding: octets("05 00 d204 ff"))
        #expect(value.operand == .count(1234) && value.trailing == 1)
    }

    @Test func aResponseNamesItsRequest() throws {
        let value = try RecordAccessControlPoint(decoding: octets("06 00 01 06"))
        #expect(value.operand == .response(request: 1, code: 6))
        #expect(RecordAccessControlPoint.responseName(6) == "no_records_found")
    }

    @Test func onlyTheStandardsNumbersHaveNames() throws {
        let all = UInt8.min...UInt8.max
        #expect(all.filter { RecordAccessControlPoint.opCodeName($0) != nil } == Array(1...6))
        #expect(all.filter { RecordAccessControlPoint.responseName($0) != nil } == Array(1...9))
        let operators = try all.filter {
            try RecordAccessControlPoint(decoding: [1, $0]).operatorName != nil
        }
        #expect(operators == Array(0...6))
    }

    @Test(arguments: ["06", "0600", "060001", "0500", "050005"])
    func anAnswerThatIsNotWholeIsTruncated(hex: String) {
        let reason = reason { () throws(MalformedValue) in
            _ = try RecordAccessControlPoint(decoding: octets(hex))
        }
        #expect(reason?.symbol == "truncated")
    }
}
