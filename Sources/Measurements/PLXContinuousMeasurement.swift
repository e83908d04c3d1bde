/// A PLX Continuous Measurement (0x2A5F), 5 to 20 octets: what an oximeter shows right now.
///
/// It has no time stamp; its time is the time of reception.
/// Source: Pulse Oximeter Service 1.0.1, PLX Continuous Measurement.
package struct PLXContinuousMeasurement: Equatable, Sendable {
    /// Saturation and pulse rate, averaged over the same time.
    package struct SpO2PR: Equatable, Sendable {
        /// Oxygen saturation of the blood, in percent.
        package let spo2: MedicalFloat
        /// Pulse rate, in beats per minute.
        package let pulseRate: MedicalFloat
    }

    /// The pair over the sensor's usual time.
    package let normal: SpO2PR
    /// The pair over a short time.
    package let fast: SpO2PR?
    /// The pair over a long time.
    package let slow: SpO2PR?
    /// What the sensor says about the measurement.
    package let measurementStatus: MeasurementStatus?
    /// What the sensor says about itself and its probe.
    package let deviceAndSensorStatus: DeviceAndSensorStatus?
    /// How much of the light pulses, in percent.
    package let pulseAmplitudeIndex: MedicalFloat?
    /// The reserved flag bits that were set.
    package let reservedFlags: UInt8
    /// The number of octets behind the last field.
    package let trailing: Int

    /// The measurement that the octets hold.
    ///
    /// - Throws: `MalformedValue` if the flags promise more than there is.
    package init(decoding value: [UInt8]) throws(MalformedValue) {
        var fields = try FieldReader(value)
        let flags = Flags(rawValue: try fields.uint8("Flags"))
        normal = try fields.spo2PR("SpO2PR-Normal")
        fast = flags.contains(.fast) ? try fields.spo2PR("SpO2PR-Fast") : nil
        slow = flags.contains(.slow) ? try fields.spo2PR("SpO2PR-Slow") : nil
        measurementStatus = flags.contains(.status) ? try fields.measurementStatus() : nil
        deviceAndSensorStatus = flags.contains(.sensor) ? try fields.deviceAndSensorStatus() : nil
        pulseAmplitudeIndex =
            flags.contains(.amplitude) ? try fields.sfloat("Pulse Amplitude Index") : nil
        reservedFlags = flags.rawValue & 0xE0
        trailing = fields.remaining
    }

    private struct Flags: OptionSet {
        let rawValue: UInt8

        static let fast = Flags(rawValue: 1 << 0)
        static let slow = Flags(rawValue: 1 << 1)
        static let status = Flags(rawValue: 1 << 2)
        static let sensor = Flags(rawValue: 1 << 3)
        static let amplitude = Flags(rawValue: 1 << 4)
    }
}

extension FieldReader {
    fileprivate mutating func spo2PR(
        _ field: StaticString
    ) throws(MalformedValue) -> PLXContinuousMeasurement.SpO2PR {
        let spo2 = try sfloat(field)
        return PLXContinuousMeasurement.SpO2PR(spo2: spo2, pulseRate: try sfloat(field))
    }

    /// Reads the two octets of a Measurement Status.
    mutating func measurementStatus() throws(MalformedValue) -> MeasurementStatus {
        MeasurementStatus(rawValue: try uint16("Measurement Status"))
    }

    /// Reads the three octets of a Device and Sensor Status.
    mutating func deviceAndSensorStatus() throws(MalformedValue) -> DeviceAndSensorStatus {
        DeviceAndSensorStatus(rawValue: try uint24("Device and Sensor Status"))
    }
}
