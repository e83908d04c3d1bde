/// The Valid Range descriptor (0x2906) of a Measurement Interval, 4 octets, both bounds included.
///
/// Source: GATT Specification Supplement, Valid Range; Health Thermometer Service 1.0.
package struct ValidRange: Equatable, Sendable {
    /// The shortest interval that may be written, in seconds.
    package let minimum: UInt16
    /// The longest interval that may be written, in seconds.
    package let maximum: UInt16
    /// The number of octets behind the last field.
    package let trailing: Int

    /// The range that the octets hold.
    ///
    /// - Throws: `MalformedValue` if there are fewer than four.
    package init(decoding value: [UInt8]) throws(MalformedValue) {
        var fields = try FieldReader(value)
        minimum = try fields.uint16("Minimum")
        maximum = try fields.uint16("Maximum")
        trailing = fields.remaining
    }
}
