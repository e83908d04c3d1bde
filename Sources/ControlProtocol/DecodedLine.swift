package import JSON
package import Measurements

/// What a line `<characteristic> <hex>` comes to, such as `2a5f 00 61 00 48 00`.
///
/// The characteristic is anything that `DecodableName` knows, also with blanks in it. The octets are
/// pairs of digits, together or apart, with blanks, colons, dashes or commas between them, each
/// group with or without `0x`; none at all are zero octets.
package enum DecodedLine: Equatable, Sendable {
    /// The octets decode.
    case value(DecodableName, CharacteristicValue)
    /// The octets do not decode.
    case malformed(DecodableName, MalformedValue)
    /// What follows the characteristic is not hexadecimal.
    case badHex(DecodableName)
    /// There is no such characteristic, or the line is blank.
    case unknownCharacteristic

    /// Decodes a line of UTF-8, without its end.
    package init(_ line: ArraySlice<UInt8>) {
        guard let (name, hex) = splitName(line) else {
            self = .unknownCharacteristic
            return
        }
        guard let octets = looseHexOctets(hex) else {
            self = .badHex(name)
            return
        }
        do {
            self = .value(name, try CharacteristicValue(name, decoding: octets))
        } catch {
            self = .malformed(name, error)
        }
    }

    /// Writes the answer to the line as one object.
    package func write(to json: inout JSONWriter) {
        switch self {
        case .value(_, let value): json.value(value)
        case .malformed(_, let reason): json.malformed(reason)
        case .badHex: json.object { $0.member("error", "bad_hex") }
        case .unknownCharacteristic: json.object { $0.member("error", "unknown_characteristic") }
        }
    }
}

/// The longest name has 51 characters; beyond this many, nothing is looked up.
private let longestName = 80

/// Splits a line behind the words that are a name, as many as possible: `Model Number String 33`.
private func splitName(_ line: ArraySlice<UInt8>) -> (DecodableName, ArraySlice<UInt8>)? {
    let line = line.drop(while: isBlank)
    var found: (DecodableName, ArraySlice<UInt8>)?
    var end = line.startIndex
    while let word = wordEnd(line[end...]), word - line.startIndex <= longestName {
        if let name = DecodableName(line[..<word]) {
            found = (name, line[word...])
        } else if found != nil {
            break
        }
        end = word
    }
    return found
}

/// Where the first word ends; nil if there is none.
private func wordEnd(_ text: ArraySlice<UInt8>) -> Int? {
    let word = text.drop(while: isBlank).prefix { !isBlank($0) }
    return word.isEmpty ? nil : word.endIndex
}

/// The octets of groups of paired digits; nil if a group is odd or holds anything else.
private func looseHexOctets(_ text: ArraySlice<UInt8>) -> [UInt8]? {
    var octets: [UInt8] = []
    octets.reserveCapacity(text.count / 2)
    var position = text.startIndex
    while position < text.endIndex {
        guard !isSeparator(text[position]) else {
            position += 1
            continue
        }
        guard let end = appendGroup(text[position...], to: &octets) else { return nil }
        position = end
    }
    return octets
}

/// Appends the octets of one group and returns where it ends.
private func appendGroup(_ text: ArraySlice<UInt8>, to octets: inout [UInt8]) -> Int? {
    var position = text.startIndex + (hasPrefix0x(text) ? 2 : 0)
    let first = position
    while position < text.endIndex, !isSeparator(text[position]) {
        guard position + 1 < text.endIndex, let high = hexDigit(text[position]),
            let low = hexDigit(text[position + 1])
        else { return nil }
        octets.append(high << 4 | low)
        position += 2
    }
    return position > first ? position : nil
}

private func hasPrefix0x(_ text: ArraySlice<UInt8>) -> Bool {
    text.count >= 2 && text[text.startIndex] == UInt8(ascii: "0")
        && text[text.startIndex + 1] | 0x20 == UInt8(ascii: "x")
}

private func isSeparator(_ octet: UInt8) -> Bool {
    switch octet {
    case UInt8(ascii: ":"), UInt8(ascii: "-"), UInt8(ascii: ","): true
    default: isBlank(octet)
    }
}

private func isBlank(_ octet: UInt8) -> Bool {
    octet == UInt8(ascii: " ") || octet == UInt8(ascii: "\t") || octet == UInt8(ascii: "\r")
}
