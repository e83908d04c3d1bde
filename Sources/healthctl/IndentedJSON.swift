import JSON

/// The value with a member or element a line, and a line end.
func indented(_ value: JSONValue) -> [UInt8] {
    var text: [UInt8] = []
    append(value, depth: 0, to: &text)
    text.append(UInt8(ascii: "\n"))
    return text
}

private func append(_ value: JSONValue, depth: Int, to text: inout [UInt8]) {
    switch value {
    case .null: text.append(contentsOf: "null".utf8)
    case .bool(let value): text.append(contentsOf: "\(value)".utf8)
    case .number(let digits): text.append(contentsOf: digits.utf8)
    case .string(let string): appendJSONString(string, to: &text)
    case .array(let elements):
        enclose("[", "]", elements.count, depth, &text) { index, text in
            append(elements[index], depth: depth + 1, to: &text)
        }
    case .object(let members):
        enclose("{", "}", members.count, depth, &text) { index, text in
            appendJSONString(members[index].key, to: &text)
            text.append(contentsOf: ": ".utf8)
            append(members[index].value, depth: depth + 1, to: &text)
        }
    }
}

private func enclose(
    _ open: String, _ close: String, _ count: Int, _ depth: Int, _ text: inout [UInt8],
    _ part: (Int, inout [UInt8]) -> Void
) {
    text.append(contentsOf: open.utf8)
    for index in 0..<count {
        text.append(contentsOf: (index == 0 ? "\n" : ",\n").utf8)
        text.append(contentsOf: repeatElement(UInt8(ascii: " "), count: 2 * depth + 2))
        part(index, &text)
    }
    if count > 0 {
        text.append(UInt8(ascii: "\n"))
        text.append(contentsOf: repeatElement(UInt8(ascii: " "), count: 2 * depth))
    }
    text.append(contentsOf: close.utf8)
}
