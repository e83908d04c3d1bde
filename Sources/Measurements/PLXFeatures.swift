/// A PLX Features value (0x2A60), 2, 4, 5 or 7 octets: what a pulse oximeter can do.
///
/// A status bit that is clear in a measurement means "no" only if its support bit is set here.
/// Source: Pulse Oximeter Service 1.0.1, PLX Features.
package struct PLXFeatures: Equatable, Sendable {
    /// The features; bits 8 to 15 are reserved.
    package struct Features: OptionSet, Hashable, Sendable {
        /// The bits as sent.
        package let rawValue: UInt16

        /// The set of these bits.
        package init(rawValue: UInt16) {
            self.rawValue = rawValue
        }

        /// The supported bits of the Measurement Status are listed.
        package static let measurementStatus = Features(rawValue: 1 << 0)
        /// The supported bits of the Device and Sensor Status are listed.
        package static let deviceAndSensorStatus = Features(rawValue: 1 << 1)
        /// The sensor stores spot-check measurements.
        package static let measurementStorage = Features(rawValue: 1 << 2)
        /// Spot-check measurements can have a time stamp.
        package static let timeStamp = Features(rawValue: 1 << 3)
        /// Continuous measurements can have a fast pair.
        package static let spo2PRFast = Features(rawValue: 1 << 4)
        /// Continuous measurements can have a slow pair.
        package static let spo2PRSlow = Features(rawValue: 1 << 5)
        /// Measurements can have a pulse amplitude index.
        package static let pulseAmplitudeIndex = Features(rawValue: 1 << 6)
        /// The sensor bonds with several hosts.
        package static let multipleBonds = Features(rawValue: 1 << 7)

        /// The names of the flags that are set, lowest bit first; reserved bits have none.
        package var names: [String] { flagNames(UInt32(rawValue), from: 0, Self.bitNames) }

        private static let bitNames = [
            "measurement_status", "device_sensor_status", "measurement_storage", "timestamp",
            "spo2pr_fast", "spo2pr_slow", "pulse_amplitude_index", "multiple_bonds",
        ]
    }

    /// What the sensor can do.
    package let features: Features
    /// The bits of the Measurement Status that mean something, where the sensor lists them.
    package let measurementStatusSupport: MeasurementStatus?
    /// The bits of the Device and Sensor Status that mean something, where the sensor lists them.
    package let deviceAndSensorStatusSupport: DeviceAndSensorStatus?
    /// The reserved feature bits that were set.
    package let reservedFlags: UInt16
    /// The number of octets behind the last field.
    package let trailing: Int

    /// The features that the octets hold.
    ///
    /// - Throws: `MalformedValue` if the features promise more than there is.
    package init(decoding value: [UInt8]) throws(MalformedValue) {
        var fields = try FieldReader(value)
        features = Features(rawValue: try fields.uint16("Features"))
        measurementStatusSupport =
            features.contains(.measurementStatus) ? try fields.measurementStatus() : nil
        deviceAndSensorStatusSupport =
            features.contains(.deviceAndSensorStatus) ? try fields.deviceAndSensorStatus() : nil
        reservedFlags = features.rawValue & 0xFF00
        trailing = fields.remaining
    }
}
