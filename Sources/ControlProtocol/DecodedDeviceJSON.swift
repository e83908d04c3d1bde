internal import JSON
internal import Measurements

extension JSONWriter {
    /// Writes the members of a system identifier.
    mutating func members(of value: SystemID) {
        hex("manufacturer_id", value.manufacturerIdentifier)
        hex("oui", value.organizationallyUniqueIdentifier)
        hex("eui64", value.eui64)
        rest(trailing: value.trailing)
    }

    /// Writes the members of a product's numbers.
    mutating func members(of value: PnPID) {
        whole("vendor_source", Int(value.vendorSource))
        member("vendor_source_name", value.vendorSourceName)
        whole("vendor_id", Int(value.vendorID))
        whole("product_id", Int(value.productID))
        whole("product_version", Int(value.productVersion))
        rest(trailing: value.trailing)
    }

    /// Writes the members of a list of certifications.
    mutating func members(of value: RegulatoryCertificationDataList) {
        array("entries") { json in
            for entry in value.entries {
                json.object {
                    $0.whole("auth_body", Int(entry.authBody))
                    $0.whole("struct_type", Int(entry.structType))
                    $0.hex("data", entry.data)
                }
            }
        }
        rest(trailing: value.trailing)
    }

    /// Writes the members of a request for stored records, or of its answer.
    mutating func members(of value: RecordAccessControlPoint) {
        whole("op_code", Int(value.opCode))
        member("op", value.opCodeName)
        whole("operator_code", Int(value.operatorCode))
        member("operator", value.operatorName)
        operand(value.operand)
        rest(trailing: value.trailing)
    }

    private mutating func operand(_ operand: RecordAccessControlPoint.Operand) {
        switch operand {
        case .filter(let octets): if !octets.isEmpty { hex("operand", octets) }
        case .count(let count): whole("count", Int(count))
        case .response(let request, let code):
            named("request", request, RecordAccessControlPoint.opCodeName(request))
            named("response", code, RecordAccessControlPoint.responseName(code))
        }
    }

    private mutating func named(_ key: StaticString, _ code: UInt8, _ name: String?) {
        object(key) {
            $0.whole("code", Int(code))
            $0.member("name", name)
        }
    }
}
