/// The octets as lower-case hexadecimal digits.
package func hexText(_ octets: some Collection<UInt8>) -> String {
    var text: [UInt8] = []
    text.append(hex: Array(octets).span)
    return String(decoding: text, as: UTF8.self)
}

/// The octets that pairs of hexadecimal digits stand for.
///
/// - Returns: nil for an odd number of digits or anything that is not a digit.
@inlinable
package func hexOctets(_ text: some Collection<UInt8>) -> [UInt8]? {
    var octets: [UInt8] = []
    octets.reserveCapacity(text.count / 2)
    var high: UInt8?
    for character in text {
        guard let digit = hexDigit(character) else { return nil }
        if let first = high { octets.append(first << 4 | digit) }
        high = high == nil ? digit : nil
    }
    return high == nil ? octets : nil
}

/// The value of one hexadecimal digit in ASCII, or nil.
@inlinable
package func hexDigit(_ character: UInt8) -> UInt8? {
    switch character {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): character - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): character - UInt8(ascii: "A") + 10
    default: nil
    }
}
