/// One request line, taken apart: `@tag verb argument key=value`.
package struct Request: Equatable, Sendable {
    /// What the reply's last line repeats.
    package let tag: String?
    /// What to do.
    package let verb: String
    /// The words without a key, in their order.
    package let arguments: [String]
    /// The words with a key, in their order; each key once.
    package let options: [Option]

    /// One `key=value`.
    package struct Option: Equatable, Sendable {
        /// The key.
        package let key: String
        /// The value, without quotes.
        package let value: String

        /// An option with the given parts.
        package init(key: String, value: String) {
            self.key = key
            self.value = value
        }
    }

    /// The most octets a request line may have: the longest useful one is far shorter.
    package static let longestLine = 8192

    /// A request with the given parts.
    package init(verb: String, arguments: [String] = [], options: [Option] = [], tag: String? = nil)
    {
        self.tag = tag
        self.verb = verb
        self.arguments = arguments
        self.options = options
    }

    /// The value of an option, or nil.
    package subscript(key: String) -> String? {
        options.first { $0.key == key }?.value
    }

    /// Whether a line asks for nothing: blank, or a remark.
    package static func isIgnored(_ line: some Collection<UInt8>) -> Bool {
        let first = line.first { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\r") }
        return first == nil || first == UInt8(ascii: "#")
    }

    /// Takes a line apart that does not hold its LF.
    ///
    /// - Throws: `syntax` or `bad-value`, with what was wrong.
    package init(_ line: some Collection<UInt8>) throws(ProtocolError) {
        var words = try RequestWords(line)
        tag = try words.tag()
        guard let verb = try words.next() else {
            throw ProtocolError(.syntax, "a request begins with a verb; try `help`")
        }
        guard verb.key == nil else {
            throw ProtocolError(.syntax, "«\(verb.text)» stands where a verb belongs; try `help`")
        }
        self.verb = verb.text
        (arguments, options) = try words.rest()
    }

    /// The tag of a line, also where the rest of it is wrong; nil if it has none.
    package static func tag(of line: some Collection<UInt8>) -> String? {
        do throws(ProtocolError) {
            var words = try RequestWords(line)
            return try words.tag()
        } catch {
            return nil
        }
    }

    /// The line that asks for this, without its LF.
    package var line: String {
        let words =
            ([verb] + arguments).map(quotedWord)
            + options.map { "\($0.key)=\(quoted($0.value))" }
        return ((tag.map { ["@\($0)"] } ?? []) + words).joined(separator: " ")
    }
}

/// A verb or an argument as it stands in a request: also in quotes where it would be taken for an
/// option, a tag or a remark.
private func quotedWord(_ word: String) -> String {
    let isTaken = word.contains("=") || word.hasPrefix("@") || word.hasPrefix("#")
    return isTaken ? inQuotes(word) : quoted(word)
}

/// A value as it stands in a request or a reply: in quotes where it needs them.
package func quoted(_ value: String) -> String {
    let plain = value.utf8.allSatisfy { octet in
        octet > 0x20 && octet != UInt8(ascii: "\"") && octet != UInt8(ascii: "\\")
            && octet != 0x7F
    }
    return plain && !value.isEmpty ? value : inQuotes(value)
}

private func inQuotes(_ value: String) -> String {
    var text = "\""
    for character in value.unicodeScalars {
        switch character {
        case "\"", "\\": text += "\\\(character)"
        case "\n": text += "\\n"
        default: text.unicodeScalars.append(character)
        }
    }
    return text + "\""
}

/// The words of a request line, one after another.
private struct RequestWords {
    private let octets: [UInt8]
    private var position = 0

    struct Word {
        let key: String?
        let text: String
    }

    init(_ line: some Collection<UInt8>) throws(ProtocolError) {
        var octets = Array(line)
        if octets.last == UInt8(ascii: "\r") { octets.removeLast() }
        guard !octets.contains(where: { $0 < 0x20 || $0 == 0x7F }) else {
            throw ProtocolError(.syntax, "a request holds no control characters")
        }
        guard String(validating: octets, as: UTF8.self) != nil else {
            throw ProtocolError(.syntax, "a request is UTF-8")
        }
        self.octets = octets
    }

    mutating func tag() throws(ProtocolError) -> String? {
        skipBlanks()
        guard position < octets.count, octets[position] == UInt8(ascii: "@") else { return nil }
        guard let word = try next(), word.key == nil, (2...65).contains(word.text.utf8.count)
        else {
            throw ProtocolError(.syntax, "a tag is @ and 1 to 64 octets without =")
        }
        return String(word.text.dropFirst())
    }

    mutating func rest() throws(ProtocolError) -> ([String], [Request.Option]) {
        var arguments: [String] = []
        var options: [Request.Option] = []
        while let word = try next() {
            guard let key = word.key else {
                arguments.append(word.text)
                continue
            }
            guard !options.contains(where: { $0.key == key }) else {
                throw ProtocolError(.badValue, "`\(key)=` is given twice").with("key", key)
            }
            options.append(Request.Option(key: key, value: word.text))
        }
        return (arguments, options)
    }

    mutating func next() throws(ProtocolError) -> Word? {
        skipBlanks()
        guard position < octets.count else { return nil }
        let key = self.key()
        let text = octetAtPosition == UInt8(ascii: "\"") ? try quotedText() : bareText()
        guard position == octets.count || octets[position] == UInt8(ascii: " ") else {
            throw ProtocolError(.syntax, "a quoted value ends with its quote and a blank")
        }
        return Word(key: key, text: text)
    }

    private var octetAtPosition: UInt8? { position < octets.count ? octets[position] : nil }

    private mutating func skipBlanks() {
        while octetAtPosition == UInt8(ascii: " ") { position += 1 }
    }

    /// A key is lower-case letters and dashes before an equals sign.
    private mutating func key() -> String? {
        let end = octets[position...].firstIndex { octet in
            !(UInt8(ascii: "a")...UInt8(ascii: "z")).contains(octet)
                && octet != UInt8(ascii: "-")
        }
        guard let end, end > position, octets[end] == UInt8(ascii: "=") else { return nil }
        defer { position = end + 1 }
        return String(decoding: octets[position..<end], as: UTF8.self)
    }

    private mutating func bareText() -> String {
        let end = octets[position...].firstIndex(of: UInt8(ascii: " ")) ?? octets.count
        defer { position = end }
        return String(decoding: octets[position..<end], as: UTF8.self)
    }

    private mutating func quotedText() throws(ProtocolError) -> String {
        var text: [UInt8] = []
        position += 1
        while let octet = octetAtPosition {
            position += 1
            switch octet {
            case UInt8(ascii: "\""): return String(decoding: text, as: UTF8.self)
            case UInt8(ascii: "\\"): text.append(try escaped())
            default: text.append(octet)
            }
        }
        throw ProtocolError(.syntax, "a quoted value has no closing quote")
    }

    private mutating func escaped() throws(ProtocolError) -> UInt8 {
        defer { position += 1 }
        switch octetAtPosition {
        case UInt8(ascii: "n"): return UInt8(ascii: "\n")
        case UInt8(ascii: "\""): return UInt8(ascii: "\"")
        case UInt8(ascii: "\\"): return UInt8(ascii: "\\")
        default:
            throw ProtocolError(.syntax, "in quotes, \\ stands only before \\, \" and n")
        }
    }
}
