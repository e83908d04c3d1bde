/// Whether messages of ours keep the rules; libdbus aborts the process at one that does not.
///
/// Source: D-Bus Specification, "Message Protocol", "Valid Names".
extension BusMessage {
    /// Whether the message can be sent.
    var isSendable: Bool {
        hasRequiredFields && hasValidFields && body.allSatisfy { $0.isSendable(in: 0) }
            && BusRule.signature.holds(for: body.map(\.signature).joined())
    }

    private var hasRequiredFields: Bool {
        switch kind {
        case .call: path != nil && member != nil
        case .signal: path != nil && interface != nil && member != nil
        case .reply: replySerial != 0
        case .error: replySerial != 0 && errorName != nil
        }
    }

    private var hasValidFields: Bool {
        Self.holds(.objectPath, for: path)
            && Self.holds(.interface, for: interface)
            && Self.holds(.member, for: member)
            && Self.holds(.errorName, for: errorName)
            && Self.holds(.busName, for: destination)
    }

    private static func holds(_ rule: BusRule, for field: String?) -> Bool {
        field.map { rule.holds(for: $0) } ?? true
    }
}

extension BusValue {
    /// Whether the value can be sent inside so many others.
    fileprivate func isSendable(in depth: Int) -> Bool {
        guard depth <= BusLimits.depth else { return false }
        switch self {
        case .byte, .boolean, .int16, .uint16, .int32, .uint32, .int64, .uint64, .double, .octets:
            return true
        case .string(let text): return BusRule.text.holds(for: text)
        case .objectPath(let text): return BusRule.objectPath.holds(for: text)
        case .signature(let text): return BusRule.signature.holds(for: text)
        case .variant(let value):
            return value.isSendable(in: depth + 1) && BusRule.singleType.holds(for: value.signature)
        case .structure(let fields):
            return !fields.isEmpty && fields.allSatisfy { $0.isSendable(in: depth + 1) }
        case .array(let element, let values):
            return BusRule.singleType.holds(for: "a" + element) && element.first != "{"
                && values.allSatisfy { $0.isSendable(of: element, in: depth + 1) }
        case .dictionary(let key, let value, let entries):
            return key.utf8.count == 1 && BusRule.singleType.holds(for: "a{\(key)\(value)}")
                && entries.allSatisfy { $0.isSendable(key, value, in: depth + 2) }
        }
    }

    /// Whether the value is of a type, and can be sent.
    fileprivate func isSendable(of type: String, in depth: Int) -> Bool {
        isSendable(in: depth) && signature == type
    }
}

extension BusValue.Entry {
    fileprivate func isSendable(_ keyType: String, _ valueType: String, in depth: Int) -> Bool {
        key.isSendable(of: keyType, in: depth) && value.isSendable(of: valueType, in: depth)
    }
}
