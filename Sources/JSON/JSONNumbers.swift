/// The text with a point behind each whole number that json-c would not keep: -0 and long ones.
///
/// - Parameter text: What json-c takes for JSON.
/// - Returns: What json-c takes for the same, except that whole numbers are fractions.
/// - Throws: `JSONError` for NaN, Infinity and a point that no digit follows.
func pointingWholeNumbers(_ text: [UInt8]) throws(JSONError) -> [UInt8] {
    var scanner = NumberScanner(text)
    while try scanner.advance() {}
    return scanner.result
}

/// Tells the numbers of a text from everything else in it.
private struct NumberScanner {
    private let text: [UInt8]
    private var position = 0
    private(set) var result: [UInt8] = []

    init(_ text: [UInt8]) {
        self.text = text
    }

    /// Takes a text in quotes, a number, or one other octet.
    mutating func advance() throws(JSONError) -> Bool {
        guard position < text.count else { return false }
        switch text[position] {
        case UInt8(ascii: "\""): take(through: endOfString())
        case UInt8(ascii: "N"), UInt8(ascii: "I"): throw refusal
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): try takeNumber()
        default: take(through: position)
        }
        return true
    }

    private var refusal: JSONError { JSONError(reason: "not a number", offset: position) }

    private mutating func takeNumber() throws(JSONError) {
        let number = text[position...].prefix { isNumeric($0) }
        guard number.last != UInt8(ascii: ".") else { throw refusal }
        take(through: position + max(number.count, 1) - 1)
        let isWhole = number.dropFirst().allSatisfy { $0 < 0x3A && $0 > 0x2F }
        let isKept = number.count <= 18 && !number.elementsEqual("-0".utf8)
        if isWhole, !isKept { result.append(UInt8(ascii: ".")) }
    }

    private func isNumeric(_ octet: UInt8) -> Bool {
        switch octet {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"),
            UInt8(ascii: "+"), UInt8(ascii: "e"), UInt8(ascii: "E"):
            true
        default: false
        }
    }

    private func endOfString() -> Int {
        var end = position + 1
        while end < text.count, text[end] != UInt8(ascii: "\"") {
            end += text[end] == UInt8(ascii: "\\") ? 2 : 1
        }
        return min(end, text.count - 1)
    }

    private mutating func take(through last: Int) {
        result.append(contentsOf: text[position...last])
        position = last + 1
    }
}
