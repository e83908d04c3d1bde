/// The octets that a text in Base64 stands for (RFC 4648, section 4).
///
/// - Returns: nil for a text with anything else in it, or of a wrong length.
func base64Octets(_ text: [UInt8]) -> [UInt8]? {
    guard text.count.isMultiple(of: 4) else { return nil }
    let padding = text.suffix(2).count { $0 == UInt8(ascii: "=") }
    var octets: [UInt8] = []
    octets.reserveCapacity(text.count / 4 * 3)
    var bits: UInt32 = 0
    for (place, letter) in text.dropLast(padding).enumerated() {
        guard let value = value(ofLetter: letter) else { return nil }
        bits = bits << 6 | value
        guard place % 4 == 3 else { continue }
        appendTriple(bits, to: &octets)
    }
    guard padding > 0 else { return octets }
    appendTriple(bits << UInt32(6 * padding), to: &octets)
    return octets.dropLast(padding)
}

private func appendTriple(_ bits: UInt32, to octets: inout [UInt8]) {
    octets.append(UInt8(truncatingIfNeeded: bits >> 16))
    octets.append(UInt8(truncatingIfNeeded: bits >> 8))
    octets.append(UInt8(truncatingIfNeeded: bits))
}

private func value(ofLetter letter: UInt8) -> UInt32? {
    switch letter {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(letter - UInt8(ascii: "A"))
    case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(letter - UInt8(ascii: "a") + 26)
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(letter - UInt8(ascii: "0") + 52)
    case UInt8(ascii: "+"): 62
    case UInt8(ascii: "/"): 63
    default: nil
    }
}
