internal import CJSON

/// Reads JSON texts (RFC 8259) one after another; each stays until the next is read.
///
/// Of two members with one key the last counts. Members can be fetched one by one without building
/// the tree of values, which keeps reading a recording fast.
@safe
package struct JSONParser: ~Copyable {
    private let tokener: UnsafeMutablePointer<json_tokener>
    private var root: OpaquePointer?

    /// A parser that has read nothing and refuses arrays and objects nested `depth` levels deep.
    package init(depth: Int = 8) {
        guard let tokener = unsafe json_tokener_new_ex(Int32(depth)) else {
            preconditionFailure("out of memory")
        }
        unsafe json_tokener_set_flags(tokener, JSON_TOKENER_STRICT)
        unsafe self.tokener = unsafe tokener
        unsafe root = nil
    }

    deinit {
        unsafe json_object_put(root)
        unsafe json_tokener_free(tokener)
    }

    /// Reads a text that holds one value and lets go of the one before.
    ///
    /// - Throws: `JSONError` where the text is not JSON in UTF-8; the parser then holds null.
    package mutating func parse(_ text: Span<UInt8>) throws(JSONError) {
        unsafe json_object_put(root)
        unsafe root = nil
        try refuseForeignOctets(text)
        unsafe json_tokener_reset(tokener)
        unsafe root = text.withUnsafeBufferPointer { unsafe value(in: $0) }
        let code = unsafe json_tokener_get_error(tokener)
        guard code == json_tokener_success else {
            let end = unsafe Int(json_tokener_get_parse_end(tokener))
            let isCut = [json_tokener_continue, json_tokener_error_parse_eof].contains(code)
            throw JSONError(reason: reason(code), offset: isCut ? text.count : min(end, text.count))
        }
    }

    /// Reads a text that holds one value, and gives the whole of it.
    ///
    /// json-c keeps the digits of fractions only, and of whole numbers what fits in 64 bits; a text
    /// with others is read a second time, with a point behind them.
    ///
    /// - Throws: `JSONError` where the text is not JSON in UTF-8.
    package mutating func value(of text: some Collection<UInt8>) throws(JSONError) -> JSONValue {
        try parseKeepingDigits(Array(text))
        return unsafe tree(root)
    }

    /// Reads a text that holds one value, so that all its numbers keep their digits.
    ///
    /// - Throws: `JSONError` where the text is not JSON in UTF-8.
    package mutating func parseKeepingDigits(_ text: [UInt8]) throws(JSONError) {
        try parse(text.span)
        let pointed = try pointingWholeNumbers(text)
        if pointed.count > text.count { try parse(pointed.span) }
    }

    /// True if what was read is an object.
    package var isObject: Bool { unsafe json_object_is_type(root, json_type_object) != 0 }

    /// The text of an object's member; nil if it is missing or null.
    ///
    /// - Throws: `JSONTypeMismatch` if it is something else.
    package func string(_ key: StaticString) throws(JSONTypeMismatch) -> String? {
        try unsafe member(key, json_type_string, "a text").map { unsafe text($0) }
    }

    /// The text of an object's member in UTF-8; nil if it is missing or null.
    ///
    /// - Throws: `JSONTypeMismatch` if it is something else.
    package func octets(_ key: StaticString) throws(JSONTypeMismatch) -> [UInt8]? {
        try unsafe member(key, json_type_string, "a text").map { unsafe Array(JSON.octets(of: $0)) }
    }

    /// The whole number of an object's member; nil if it is missing or null.
    ///
    /// One that does not fit is the end of the range on its side.
    ///
    /// - Throws: `JSONTypeMismatch` if it is something else.
    package func integer(_ key: StaticString) throws(JSONTypeMismatch) -> Int? {
        try unsafe member(key, json_type_int, "a whole number").map {
            unsafe Int(json_object_get_int64($0))
        }
    }

    /// An object's member of any kind; nil if it is missing or null.
    package func value(_ key: StaticString) -> JSONValue? {
        unsafe member(key).map { unsafe tree($0) }
    }

    /// The truth value of an object's member; nil if it is missing or null.
    ///
    /// - Throws: `JSONTypeMismatch` if it is something else.
    package func bool(_ key: StaticString) throws(JSONTypeMismatch) -> Bool? {
        try unsafe member(key, json_type_boolean, "true or false").map {
            unsafe json_object_get_boolean($0) != 0
        }
    }
}

extension JSONParser {
    /// json-c takes control characters in texts, and ends a text at NUL.
    private func refuseForeignOctets(_ text: Span<UInt8>) throws(JSONError) {
        for index in text.indices where text[index] < 0x20 {
            guard [0x09, 0x0A, 0x0D].contains(text[index]) else {
                throw JSONError(reason: "control character", offset: index)
            }
        }
        do {
            _ = try UTF8Span(validating: text)
        } catch {
            throw JSONError(reason: "not UTF-8", offset: error.byteOffsets.lowerBound)
        }
    }

    /// A number ends where json-c sees that something else follows: a NUL.
    private func value(in text: UnsafeBufferPointer<UInt8>) -> OpaquePointer? {
        if let start = text.baseAddress {
            let object = unsafe start.withMemoryRebound(to: CChar.self, capacity: text.count) {
                unsafe json_tokener_parse_ex(tokener, $0, Int32(text.count))
            }
            guard unsafe json_tokener_get_error(tokener) == json_tokener_continue else {
                return unsafe object
            }
        }
        return unsafe json_tokener_parse_ex(tokener, "", 1)
    }

    private func member(
        _ key: StaticString, _ type: json_type, _ name: StaticString
    ) throws(JSONTypeMismatch) -> OpaquePointer? {
        guard let value = unsafe member(key) else { return nil }
        guard unsafe json_object_is_type(value, type) != 0 else {
            throw JSONTypeMismatch(expected: name)
        }
        return unsafe value
    }

    private func member(_ key: StaticString) -> OpaquePointer? {
        var value: OpaquePointer?
        _ = unsafe key.utf8Start.withMemoryRebound(to: CChar.self, capacity: key.utf8CodeUnitCount)
        {
            unsafe json_object_object_get_ex(root, $0, &value)
        }
        return unsafe value
    }
}

/// A string's octets by their number, so that an escaped NUL does not end them.
private func octets(of string: OpaquePointer) -> UnsafeRawBufferPointer {
    let count = unsafe Int(json_object_get_string_len(string))
    return unsafe UnsafeRawBufferPointer(start: json_object_get_string(string), count: count)
}

private func text(_ string: OpaquePointer) -> String {
    unsafe String(decoding: octets(of: string), as: UTF8.self)
}

private func tree(_ object: OpaquePointer?) -> JSONValue {
    switch unsafe json_object_get_type(object) {
    case json_type_boolean: unsafe .bool(json_object_get_boolean(object) != 0)
    case json_type_double, json_type_int: unsafe .number(digits(object))
    case json_type_string: unsafe object.map { unsafe .string(text($0)) } ?? .null
    case json_type_array: unsafe .array(elements(object))
    case json_type_object: unsafe .object(members(object))
    default: .null
    }
}

/// The digits as the text has them, without the point that keeps them so.
private func digits(_ object: OpaquePointer?) -> String {
    let digits = unsafe String(cString: json_object_get_string(object))
    return digits.hasSuffix(".") ? String(digits.dropLast()) : digits
}

private func elements(_ object: OpaquePointer?) -> [JSONValue] {
    unsafe (0..<json_object_array_length(object)).map {
        unsafe tree(json_object_array_get_idx(object, $0))
    }
}

private func members(_ object: OpaquePointer?) -> [(key: String, value: JSONValue)] {
    var members: [(key: String, value: JSONValue)] = []
    var iterator = unsafe json_object_iter_begin(object)
    var end = unsafe json_object_iter_end(object)
    while unsafe json_object_iter_equal(&iterator, &end) == 0 {
        let key = unsafe String(cString: json_object_iter_peek_name(&iterator))
        members.append((key, unsafe tree(json_object_iter_peek_value(&iterator))))
        unsafe json_object_iter_next(&iterator)
    }
    return members
}

private func reason(_ code: json_tokener_error) -> String {
    switch code {
    case json_tokener_continue, json_tokener_error_parse_eof: "the text ends too early"
    case json_tokener_error_depth: "nested too deep"
    case json_tokener_error_parse_unexpected: "unexpected character"
    case json_tokener_error_parse_null, json_tokener_error_parse_boolean: "unknown word"
    case json_tokener_error_parse_number: "not a number that fits"
    case json_tokener_error_parse_array: "expected , or ]"
    case json_tokener_error_parse_object_key_name: "expected a key in quotes"
    case json_tokener_error_parse_object_key_sep: "expected :"
    case json_tokener_error_parse_object_value_sep: "expected , or }"
    case json_tokener_error_parse_string: "unknown escape"
    default: unsafe String(cString: json_tokener_error_desc(code))
    }
}
