/// Appends JSON text (RFC 8259) to octets, with the members in the order they are written.
///
/// Numbers are written as the digits they are given in, so `97.00` stays `97.00`.
package struct JSONWriter: Sendable {
    /// The text so far, in UTF-8.
    package var octets: [UInt8] = []
    private var needsComma = false

    /// A writer with no text.
    package init() {}

    /// The text so far.
    package var text: String { String(decoding: octets, as: UTF8.self) }

    /// Writes an object as a value or, with a key, as a member; `members` writes what is in it.
    package mutating func object(
        _ key: StaticString? = nil, _ members: (inout JSONWriter) -> Void
    ) {
        enclose(key, "{", "}", members)
    }

    /// Writes an array as a value or, with a key, as a member; `elements` writes what is in it.
    package mutating func array(
        _ key: StaticString? = nil, _ elements: (inout JSONWriter) -> Void
    ) {
        enclose(key, "[", "]", elements)
    }

    /// Writes a key; the next value that is written without one is its value.
    package mutating func key(_ key: StaticString) {
        begin(key)
        needsComma = false
    }

    /// Writes a member with a text, or null.
    package mutating func member(_ key: StaticString, _ value: String?) {
        begin(key)
        if let value { quote(value) } else { raw("null") }
    }

    /// Writes a member with a whole number, or null.
    package mutating func member(_ key: StaticString, _ value: (some BinaryInteger)?) {
        begin(key)
        if let value { octets.append(contentsOf: String(value).utf8) } else { raw("null") }
    }

    /// Writes a member with a whole number under a key that is known only at run time.
    package mutating func member(_ key: String, _ value: some BinaryInteger) {
        member(named: key) { $0.append(contentsOf: String(value).utf8) }
    }

    /// Writes a member under a key that is known only at run time; `write` appends its JSON text.
    package mutating func member(named key: String, writing write: (inout [UInt8]) -> Void) {
        begin(nil)
        quote(key)
        octets.append(UInt8(ascii: ":"))
        write(&octets)
    }

    /// Writes a member with true or false.
    package mutating func member(_ key: StaticString, _ value: Bool) {
        begin(key)
        raw(value ? "true" : "false")
    }

    /// Writes a member with an array of texts.
    package mutating func member(_ key: StaticString, _ values: [String]) {
        array(key) { json in
            for value in values { json.element(value) }
        }
    }

    /// Writes a member whose value `write` appends as JSON text of its own.
    package mutating func member(_ key: StaticString, writing write: (inout [UInt8]) -> Void) {
        begin(key)
        write(&octets)
    }

    /// Writes a text as an element of an array.
    package mutating func element(_ value: String) {
        begin(nil)
        quote(value)
    }

    /// Writes a whole number as an element of an array.
    package mutating func element(_ value: some BinaryInteger) {
        begin(nil)
        octets.append(contentsOf: String(value).utf8)
    }

    /// Ends a line of JSON lines, so that the next value stands alone.
    package mutating func endLine() {
        octets.append(UInt8(ascii: "\n"))
        needsComma = false
    }

    private mutating func enclose(
        _ key: StaticString?, _ open: StaticString, _ close: StaticString,
        _ contents: (inout JSONWriter) -> Void
    ) {
        begin(key)
        raw(open)
        needsComma = false
        contents(&self)
        raw(close)
        needsComma = true
    }

    private mutating func begin(_ key: StaticString?) {
        if needsComma { octets.append(UInt8(ascii: ",")) }
        needsComma = true
        guard let key else { return }
        octets.append(UInt8(ascii: "\""))
        raw(key)
        raw("\":")
    }

    private mutating func raw(_ text: StaticString) {
        text.withUTF8Buffer { unsafe octets.append(contentsOf: $0) }
    }

    private mutating func quote(_ text: String) {
        appendJSONString(text, to: &octets)
    }
}

/// Appends a text as a JSON string with its quotes.
package func appendJSONString(_ text: String, to octets: inout [UInt8]) {
    octets.append(UInt8(ascii: "\""))
    defer { octets.append(UInt8(ascii: "\"")) }
    guard !text.utf8.allSatisfy(isPlain) else { return octets.append(contentsOf: text.utf8) }
    for octet in text.utf8 {
        switch octet {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"):
            octets.append(UInt8(ascii: "\\"))
            octets.append(octet)
        case UInt8(ascii: "\n"): octets.append(contentsOf: "\\n".utf8)
        case 0..<0x20, 0x7F:
            octets.append(contentsOf: "\\u00".utf8)
            octets.append(hexDigits[Int(octet >> 4)])
            octets.append(hexDigits[Int(octet & 15)])
        default: octets.append(octet)
        }
    }
}

private func isPlain(_ octet: UInt8) -> Bool {
    octet >= 0x20 && octet != 0x7F && octet != UInt8(ascii: "\"") && octet != UInt8(ascii: "\\")
}

private let hexDigits = Array("0123456789abcdef".utf8)
