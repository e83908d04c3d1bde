/// A JSON value of any kind, with the members of objects in the order of the text.
package enum JSONValue: Equatable, Sendable {
    /// The literal null.
    case null
    /// The literal true or false.
    case bool(Bool)
    /// A number as the text writes it, so `97.00` stays `97.00`.
    case number(String)
    /// A text without its quotes and escapes.
    case string(String)
    /// A list of values.
    case array([JSONValue])
    /// Keys with their values; each key is there once.
    case object([(key: String, value: JSONValue)])

    /// The value of an object's member; nil if there is none, or if this is no object.
    package subscript(key: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.key == key }?.value
    }

    /// The text; nil if this is no string.
    package var string: String? {
        guard case .string(let text) = self else { return nil }
        return text
    }

    /// The whole number; nil if this is no number, has a fraction or does not fit.
    package var integer: Int? {
        guard case .number(let digits) = self else { return nil }
        return Int(digits)
    }

    /// The number's digits; nil if this is no number.
    package var digits: String? {
        guard case .number(let digits) = self else { return nil }
        return digits
    }

    /// The truth value; nil if this is neither true nor false.
    package var bool: Bool? {
        guard case .bool(let value) = self else { return nil }
        return value
    }

    /// The elements; nil if this is no array.
    package var array: [JSONValue]? {
        guard case .array(let elements) = self else { return nil }
        return elements
    }

    /// The members in the order of the text; nil if this is no object.
    package var members: [(key: String, value: JSONValue)]? {
        guard case .object(let members) = self else { return nil }
        return members
    }

    package static func == (left: JSONValue, right: JSONValue) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.bool(let left), .bool(let right)): left == right
        case (.number(let left), .number(let right)): left == right
        case (.string(let left), .string(let right)): left == right
        case (.array(let left), .array(let right)): left == right
        case (.object(let left), .object(let right)):
            left.elementsEqual(right) { $0.key == $1.key && $0.value == $1.value }
        default: false
        }
    }
}
