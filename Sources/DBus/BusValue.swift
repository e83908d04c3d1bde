/// A value of the D-Bus type system.
///
/// Source: D-Bus Specification, "Type System". File descriptors are left out: nothing here passes any.
package indirect enum BusValue: Equatable, Sendable {
    case byte(UInt8)
    case boolean(Bool)
    case int16(Int16)
    case uint16(UInt16)
    case int32(Int32)
    case uint32(UInt32)
    case int64(Int64)
    case uint64(UInt64)
    case double(Double)
    case string(String)
    case objectPath(String)
    case signature(String)
    /// An array of bytes, `ay`.
    case octets([UInt8])
    /// An array of anything but bytes and dictionary entries; `of` is the signature of an element.
    case array(of: String, [BusValue])
    /// An array of dictionary entries; `key` and `value` are their signatures.
    case dictionary(key: String, value: String, [Entry])
    case structure([BusValue])
    case variant(BusValue)

    /// One entry of a dictionary.
    package struct Entry: Equatable, Sendable {
        package let key: BusValue
        package let value: BusValue

        /// An entry of this key and value.
        package init(_ key: BusValue, _ value: BusValue) {
            self.key = key
            self.value = value
        }
    }
}

extension BusValue {
    /// The type's signature, such as `a{sv}`.
    package var signature: String {
        switch self {
        case .byte: "y"
        case .boolean: "b"
        case .int16: "n"
        case .uint16: "q"
        case .int32: "i"
        case .uint32: "u"
        case .int64: "x"
        case .uint64: "t"
        case .double: "d"
        case .string: "s"
        case .objectPath: "o"
        case .signature: "g"
        case .octets: "ay"
        case .array(let element, _): "a" + element
        case .dictionary(let key, let value, _): "a{" + key + value + "}"
        case .structure(let fields): "(" + fields.map(\.signature).joined() + ")"
        case .variant: "v"
        }
    }

    /// A dictionary of names and variants, `a{sv}`, in the order given.
    package static func properties(_ entries: [(String, BusValue)]) -> BusValue {
        .dictionary(
            key: "s", value: "v", entries.map { Entry(.string($0.0), .variant($0.1)) })
    }

    /// What is inside, where the value is a variant; else the value.
    package var unwrapped: BusValue {
        if case .variant(let value) = self { value.unwrapped } else { self }
    }

    /// The text of a string, an object path or a signature, also inside a variant; else nil.
    package var text: String? {
        switch unwrapped {
        case .string(let text), .objectPath(let text), .signature(let text): text
        default: nil
        }
    }

    /// The boolean, also inside a variant; else nil.
    package var bool: Bool? {
        if case .boolean(let value) = unwrapped { value } else { nil }
    }

    /// Any whole number as Int, also inside a variant; nil for others and for those beyond Int.
    package var integer: Int? {
        switch unwrapped {
        case .byte(let value): Int(value)
        case .int16(let value): Int(value)
        case .uint16(let value): Int(value)
        case .int32(let value): Int(value)
        case .uint32(let value): Int(value)
        case .int64(let value): Int(exactly: value)
        case .uint64(let value): Int(exactly: value)
        default: nil
        }
    }

    /// The octets of `ay`, also inside a variant; else nil.
    package var bytes: [UInt8]? {
        if case .octets(let value) = unwrapped { value } else { nil }
    }

    /// The elements of an array, also inside a variant; else nil.
    package var elements: [BusValue]? {
        if case .array(_, let values) = unwrapped { values } else { nil }
    }

    /// The entries of a dictionary, also inside a variant; else nil.
    package var entries: [Entry]? {
        if case .dictionary(_, _, let entries) = unwrapped { entries } else { nil }
    }
}
