/// A string of the Device Information Service (0x2A24 to 0x2A29), such as the serial number.
///
/// Source: Device Information Service 1.1; UTF-8 without a terminator.
package struct DeviceInformationString: Equatable, Sendable {
    /// The text, without the padding that some devices send; invalid UTF-8 is repaired.
    package let text: String

    /// The text that the octets hold, up to the first NUL and without blanks around it.
    ///
    /// - Throws: `MalformedValue.empty` if there are none.
    package init(decoding value: [UInt8]) throws(MalformedValue) {
        guard !value.isEmpty else { throw .empty }
        var octets = value.prefix { $0 != 0 }.drop(while: isBlank)
        while let last = octets.last, isBlank(last) { octets.removeLast() }
        text = String(decoding: octets, as: UTF8.self)
    }
}

private func isBlank(_ octet: UInt8) -> Bool {
    octet == UInt8(ascii: " ") || (UInt8(ascii: "\t")...UInt8(ascii: "\r")).contains(octet)
}
