/// A PLX Spot-Check Measurement (0x2A5E), 5 to 19 octets: one finished or stored measurement.
///
/// Source: Pulse Oximeter Service 1.0.1, PLX Spot-Check Measurement.
package struct PLXSpotCheckMeasurement: Equatable, Sendable {
    /// Oxygen saturation of the blood, in percent.
    package let spo2: MedicalFloat
    /// Pulse rate, in beats per minute.
    package let pulseRate: MedicalFloat
    /// When the sensor measured, by its own clock.
    package let timeStamp: TimeStamp?
    /// What the sensor says about the measurement.
    package let measurementStatus: MeasurementStatus?
    /// What the sensor says about itself and its probe.
    package let deviceAndSensorStatus: DeviceAndSensorStatus?
    /// How much of the light pulses, in percent.
    package let pulseAmplitudeIndex: MedicalFloat?
    /// True if nobody has set the clock behind the time stamp.
    package let isClockNotSet: Bool
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
        spo2 = try fields.sfloat("SpO2")
        pulseRate = try fields.sfloat("PR")
        timeStamp = flags.contains(.timeStamp) ? try fields.timeStamp() : nil
        measurementStatus = flags.contains(.status) ? try fields.measurementStatus() : nil
        deviceAndSensorStatus = flags.contains(.sensor) ? try fields.deviceAndSensorStatus() : nil
        pulseAmplitudeIndex =
            flags.contains(.amplitude) ? try fields.sfloat("Pulse Amplitude Index") : nil
        isClockNotSet = flags.contains(.clockNotSet)
        reservedFlags = flags.rawValue & 0xE0
        trailing = fields.remaining
    }

    /// The same octets with the bit "data from measurement storage" cleared.
    ///
    /// A record sent when it was measured and sent again from memory differs in this bit alone.
    /// Octets without a status field, and octets that do not decode, come back unchanged.
    package static func maskingStorageBit(_ octets: [UInt8]) -> [UInt8] {
        guard let first = octets.first else { return octets }
        let flags = Flags(rawValue: first)
        guard flags.contains(.status), octets.count >= flags.leastLength else { return octets }
        let status = 5 + (flags.contains(.timeStamp) ? 7 : 0)
        var masked = octets
        masked[status + 1] &= ~UInt8(MeasurementStatus.fromMeasurementStorage.rawValue >> 8)
        return masked
    }

    private struct Flags: OptionSet {
        let rawValue: UInt8

        static let timeStamp = Flags(rawValue: 1 << 0)
        static let status = Flags(rawValue: 1 << 1)
        static let sensor = Flags(rawValue: 1 << 2)
        static let amplitude = Flags(rawValue: 1 << 3)
        static let clockNotSet = Flags(rawValue: 1 << 4)

        /// The number of octets that the flags promise.
        var leastLength: Int {
            5 + (contains(.timeStamp) ? 7 : 0) + (contains(.status) ? 2 : 0)
                + (contains(.sensor) ? 3 : 0) + (contains(.amplitude) ? 2 : 0)
        }
    }
}
