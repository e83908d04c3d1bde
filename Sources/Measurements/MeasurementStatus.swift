/// What a pulse oximeter says about one measurement: 16 bits, the lowest five reserved.
///
/// Source: Pulse Oximeter Service 1.0.1, Measurement Status field; the same in 2A5E, 2A5F and 2A60.
package struct MeasurementStatus: OptionSet, Hashable, Sendable {
    /// The bits as sent.
    package let rawValue: UInt16

    /// The set of these bits.
    package init(rawValue: UInt16) {
        self.rawValue = rawValue
    }

    /// The measurement still runs: the value is not final.
    package static let measurementOngoing = MeasurementStatus(rawValue: 1 << 5)
    /// The value is an early estimate.
    package static let earlyEstimatedData = MeasurementStatus(rawValue: 1 << 6)
    /// The sensor has validated the value.
    package static let validatedData = MeasurementStatus(rawValue: 1 << 7)
    /// The value is as good as this sensor's values get.
    package static let fullyQualifiedData = MeasurementStatus(rawValue: 1 << 8)
    /// The value comes from the sensor's memory; its own time stamp says when it was measured.
    package static let fromMeasurementStorage = MeasurementStatus(rawValue: 1 << 9)
    /// The value is made up for a demonstration.
    package static let demonstrationData = MeasurementStatus(rawValue: 1 << 10)
    /// The value is made up for a test.
    package static let testingData = MeasurementStatus(rawValue: 1 << 11)
    /// The sensor calibrates itself: the value does not count.
    package static let calibrationOngoing = MeasurementStatus(rawValue: 1 << 12)
    /// There is no value, whatever the number says.
    package static let measurementUnavailable = MeasurementStatus(rawValue: 1 << 13)
    /// The sensor doubts the value.
    package static let questionableMeasurement = MeasurementStatus(rawValue: 1 << 14)
    /// The sensor rejects the value.
    package static let invalidMeasurement = MeasurementStatus(rawValue: 1 << 15)

    /// The names of the flags that are set, lowest bit first; reserved bits have none.
    package var names: [String] { flagNames(UInt32(rawValue), from: 5, Self.bitNames) }

    /// The flag of this name; nil if there is none.
    package init?(name: String) {
        guard let bit = flagBit(named: name, from: 5, Self.bitNames) else { return nil }
        self.init(rawValue: UInt16(bit))
    }

    private static let bitNames = [
        "measurement_ongoing", "early_estimated_data", "validated_data", "fully_qualified_data",
        "from_measurement_storage", "demonstration_data", "testing_data", "calibration_ongoing",
        "measurement_unavailable", "questionable_measurement", "invalid_measurement",
    ]
}
