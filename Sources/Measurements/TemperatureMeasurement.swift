/// The unit of a temperature.
package enum TemperatureUnit: Equatable, Sendable {
    /// Degrees Celsius.
    case celsius
    /// Degrees Fahrenheit.
    case fahrenheit
}

/// A Temperature Measurement (0x2A1C) or Intermediate Temperature (0x2A1E), 5 to 13 octets.
///
/// Source: Health Thermometer Service 1.0, Temperature Measurement; both have one structure.
package struct TemperatureMeasurement: Equatable, Sendable {
    /// The temperature, in `unit`.
    package let temperature: MedicalFloat
    /// The unit that the sensor uses.
    package let unit: TemperatureUnit
    /// When the sensor measured, by its own clock.
    package let timeStamp: TimeStamp?
    /// Where on the body it measured.
    package let type: TemperatureType?
    /// The reserved flag bits that were set.
    package let reservedFlags: UInt8
    /// The number of octets behind the last field.
    package let trailing: Int

    /// The measurement that the octets hold; an impossible time stamp does not cost it.
    ///
    /// - Throws: `MalformedValue` if the flags promise more than there is.
    package init(decoding value: [UInt8]) throws(MalformedValue) {
        var fields = try FieldReader(value)
        let flags = Flags(rawValue: try fields.uint8("Flags"))
        temperature = try fields.float("Temperature")
        unit = flags.contains(.fahrenheit) ? .fahrenheit : .celsius
        timeStamp = flags.contains(.timeStamp) ? try fields.timeStamp() : nil
        type =
            flags.contains(.type)
            ? TemperatureType(rawValue: try fields.uint8("Temperature Type")) : nil
        reservedFlags = flags.rawValue & 0xF8
        trailing = fields.remaining
    }

    private struct Flags: OptionSet {
        let rawValue: UInt8

        static let fahrenheit = Flags(rawValue: 1 << 0)
        static let timeStamp = Flags(rawValue: 1 << 1)
        static let type = Flags(rawValue: 1 << 2)
    }
}
