/// A Measurement Interval (0x2A21), 2 octets: the time between a thermometer's measurements.
///
/// Source: Health Thermometer Service 1.0, Measurement Interval.
package struct MeasurementInterval: Equatable, Sendable {
    /// The interval, in seconds; 0 if the sensor does not measure periodically.
    package let seconds: UInt16
    /// The number of octets behind the last field.
    package let trailing: Int

    /// The interval that the octets hold.
    ///
    /// - Throws: `MalformedValue` if there are fewer than two.
    package init(decoding value: [UInt8]) throws(MalformedValue) {
        var fields = try FieldReader(value)
        seconds = try fields.uint16("Measurement Interval")
        trailing = fields.remaining
    }

    /// True if the sensor measures by itself, again and again.
    package var isPeriodic: Bool { seconds != 0 }
}
