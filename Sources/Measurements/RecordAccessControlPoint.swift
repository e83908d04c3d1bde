/// A Record Access Control Point value (0x2A52), 2 octets or more: a request or its answer.
///
/// Source: Record Access Control Point, GATT Specification Supplement; Pulse Oximeter Service 1.0.1.
package struct RecordAccessControlPoint: Equatable, Sendable {
    /// What stands behind op code and operator.
    package enum Operand: Equatable, Sendable {
        /// The filter of a request, as it is; often nothing.
        case filter([UInt8])
        /// The number of stored records.
        case count(UInt16)
        /// How the request with this op code ended.
        case response(request: UInt8, code: UInt8)
    }

    /// What to do, or what kind of answer this is.
    package let opCode: UInt8
    /// Which records to do it to.
    package let operatorCode: UInt8
    /// What stands behind the two.
    package let operand: Operand
    /// The number of octets behind the last field.
    package let trailing: Int

    /// The request or answer that the octets hold.
    ///
    /// - Throws: `MalformedValue` if an answer is not whole.
    package init(decoding value: [UInt8]) throws(MalformedValue) {
        var fields = try FieldReader(value)
        opCode = try fields.uint8("Op Code")
        operatorCode = try fields.uint8("Operator")
        operand = try fields.operand(opCode: opCode)
        trailing = fields.remaining
    }

    /// The op code's name; nil if reserved.
    package var opCodeName: String? { Self.opCodeName(opCode) }

    /// The operator's name; nil if reserved.
    package var operatorName: String? { name(Int(operatorCode), in: operatorNames) }

    /// The name of an op code; nil if reserved.
    package static func opCodeName(_ code: UInt8) -> String? {
        name(Int(code) - 1, in: opCodeNames)
    }

    /// The name of a response code; nil if reserved, which is to be taken for a failure.
    package static func responseName(_ code: UInt8) -> String? {
        name(Int(code) - 1, in: responseNames)
    }
}

extension FieldReader {
    fileprivate mutating func operand(
        opCode: UInt8
    ) throws(MalformedValue) -> RecordAccessControlPoint.Operand {
        switch opCode {
        case 5: return .count(try uint16("Number of Records"))
        case 6:
            let request = try uint8("Request Op Code")
            return .response(request: request, code: try uint8("Response Code Value"))
        default: return .filter(rest())
        }
    }
}

private func name(_ index: Int, in names: [String]) -> String? {
    names.indices.contains(index) ? names[index] : nil
}

/// From 1 on.
private let opCodeNames = [
    "report_stored_records", "delete_stored_records", "abort_operation",
    "report_number_of_stored_records", "number_of_stored_records_response", "response_code",
]

/// From 0 on.
private let operatorNames = [
    "null", "all_records", "less_or_equal", "greater_or_equal", "within_range", "first_record",
    "last_record",
]

/// From 1 on.
private let responseNames = [
    "success", "op_code_not_supported", "invalid_operator", "operator_not_supported",
    "invalid_operand", "no_records_found", "abort_unsuccessful", "procedure_not_completed",
    "operand_not_supported",
]
