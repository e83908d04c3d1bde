/// A Body Sensor Location (0x2A38), 1 octet: where a heart rate sensor is worn.
///
/// Source: Heart Rate Service 1.0, Body Sensor Location; 7 to 255 are reserved.
package struct BodySensorLocation: Equatable, Sendable {
    /// The place as a number.
    package let rawValue: UInt8
    /// The number of octets behind the last field.
    package let trailing: Int

    /// The location that the octets hold.
    ///
    /// - Throws: `MalformedValue.empty` if there are none.
    package init(decoding value: [UInt8]) throws(MalformedValue) {
        var fields = try FieldReader(value)
        rawValue = try fields.uint8("Body Sensor Location")
        trailing = fields.remaining
    }

    /// The place's name; nil if the number is reserved.
    package var name: String? {
        Self.places.indices.contains(Int(rawValue)) ? Self.places[Int(rawValue)] : nil
    }

    private static let places = ["other", "chest", "wrist", "finger", "hand", "ear_lobe", "foot"]
}
