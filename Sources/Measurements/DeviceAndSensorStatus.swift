/// What a pulse oximeter says about itself and its probe: 24 bits, the highest eight reserved.
///
/// Source: Pulse Oximeter Service 1.0.1, Device and Sensor Status; the same in 2A5E, 2A5F and 2A60.
package struct DeviceAndSensorStatus: OptionSet, Hashable, Sendable {
    /// The bits as sent.
    package let rawValue: UInt32

    /// The set of these bits.
    package init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    /// The display lags behind the signal, because the averaging was extended.
    package static let extendedDisplayUpdateOngoing = DeviceAndSensorStatus(rawValue: 1 << 0)
    /// Something in the device is broken.
    package static let equipmentMalfunction = DeviceAndSensorStatus(rawValue: 1 << 1)
    /// The signal processing had a problem.
    package static let signalProcessingIrregularity = DeviceAndSensorStatus(rawValue: 1 << 2)
    /// The signal is too weak for a value.
    package static let inadequateSignal = DeviceAndSensorStatus(rawValue: 1 << 3)
    /// The signal is weak.
    package static let poorSignal = DeviceAndSensorStatus(rawValue: 1 << 4)
    /// Little blood pulses under the sensor.
    package static let lowPerfusion = DeviceAndSensorStatus(rawValue: 1 << 5)
    /// The signal jumps.
    package static let erraticSignal = DeviceAndSensorStatus(rawValue: 1 << 6)
    /// The signal does not pulse.
    package static let nonpulsatileSignal = DeviceAndSensorStatus(rawValue: 1 << 7)
    /// The pulse is doubtful.
    package static let questionablePulse = DeviceAndSensorStatus(rawValue: 1 << 8)
    /// The sensor still analyses the signal.
    package static let signalAnalysisOngoing = DeviceAndSensorStatus(rawValue: 1 << 9)
    /// Light or noise from elsewhere reaches the sensor.
    package static let sensorInterference = DeviceAndSensorStatus(rawValue: 1 << 10)
    /// Nobody wears the sensor: the finger is out.
    package static let sensorUnconnectedToUser = DeviceAndSensorStatus(rawValue: 1 << 11)
    /// The device does not know the kind of sensor.
    package static let unknownSensorConnected = DeviceAndSensorStatus(rawValue: 1 << 12)
    /// The sensor slipped.
    package static let sensorDisplaced = DeviceAndSensorStatus(rawValue: 1 << 13)
    /// Something in the sensor is broken.
    package static let sensorMalfunctioning = DeviceAndSensorStatus(rawValue: 1 << 14)
    /// The sensor is unplugged from the device.
    package static let sensorDisconnected = DeviceAndSensorStatus(rawValue: 1 << 15)

    /// The names of the flags that are set, lowest bit first; reserved bits have none.
    package var names: [String] { flagNames(UInt32(rawValue), from: 0, Self.bitNames) }

    /// The flag of this name; nil if there is none.
    package init?(name: String) {
        guard let bit = flagBit(named: name, from: 0, Self.bitNames) else { return nil }
        self.init(rawValue: bit)
    }

    private static let bitNames = [
        "extended_display_update_ongoing", "equipment_malfunction",
        "signal_processing_irregularity", "inadequate_signal", "poor_signal", "low_perfusion",
        "erratic_signal", "nonpulsatile_signal", "questionable_pulse", "signal_analysis_ongoing",
        "sensor_interference", "sensor_unconnected_to_user", "unknown_sensor_connected",
        "sensor_displaced", "sensor_malfunctioning", "sensor_disconnected",
    ]
}
