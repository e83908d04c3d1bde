/// A Battery Level (0x2A19), 1 octet.
///
/// Source: Battery Service 1.0, Battery Level; 101 to 255 are reserved.
package struct BatteryLevel: Equatable, Sendable {
    /// The octet as it was sent.
    package let raw: UInt8
    /// The number of octets behind the last field.
    package let trailing: Int

    /// The level that the octets hold.
    ///
    /// - Throws: `MalformedValue.empty` if there are none.
    package init(decoding value: [UInt8]) throws(MalformedValue) {
        var fields = try FieldReader(value)
        raw = try fields.uint8("Battery Level")
        trailing = fields.remaining
    }

    /// The charge, 0 to 100 percent; nil if the octet is reserved.
    package var level: UInt8? { raw <= 100 ? raw : nil }
}
