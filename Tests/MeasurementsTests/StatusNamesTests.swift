import Measurements
import Testing

@Suite struct MeasurementStatusTests {
    @Test func everyWordHasTheNamesOfItsBits() {
        for word in UInt16.min...UInt16.max {
            let named = (5..<16).filter { word >> UInt16($0) & 1 == 1 }
            if MeasurementStatus(rawValue: word).names.count != named.count {
                Issue.record("\(word)")
            }
        }
    }

    @Test func namesComeLowestBitFirst() {
        let status: MeasurementStatus = [.invalidMeasurement, .measurementOngoing, .testingData]
        #expect(status.names == ["measurement_ongoing", "testing_data", "invalid_measurement"])
        #expect(MeasurementStatus(rawValue: 0x1F).names == [])
    }

    @Test(arguments: [
        (MeasurementStatus.measurementOngoing, 5, "measurement_ongoing"),
        (.earlyEstimatedData, 6, "early_estimated_data"), (.validatedData, 7, "validated_data"),
        (.fullyQualifiedData, 8, "fully_qualified_data"),
        (.fromMeasurementStorage, 9, "from_measurement_storage"),
        (.demonstrationData, 10, "demonstration_data"), (.testingData, 11, "testing_data"),
        (.calibrationOngoing, 12, "calibration_ongoing"),
        (.measurementUnavailable, 13, "measurement_unavailable"),
        (.questionableMeasurement, 14, "questionable_measurement"),
        (.invalidMeasurement, 15, "invalid_measurement"),
    ])
    func aFlagHasItsBitAndName(flag: MeasurementStatus, bit: UInt16, name: String) {
        #expect(flag.rawValue == 1 << bit)
        #expect(flag.names == [name])
    }
}

@Suite struct DeviceAndSensorStatusTests {
    @Test(arguments: [
        (DeviceAndSensorStatus.extendedDisplayUpdateOngoing, 0, "extended_display_update_ongoing"),
        (.equipmentMalfunction, 1, "equipment_malfunction"),
        (.signalProcessingIrregularity, 2, "signal_processing_irregularity"),
        (.inadequateSignal, 3, "inadequate_signal"), (.poorSignal, 4, "poor_signal"),
        (.lowPerfusion, 5, "low_perfusion"), (.erraticSignal, 6, "erratic_signal"),
        (.nonpulsatileSignal, 7, "nonpulsatile_signal"),
        (.questionablePulse, 8, "questionable_pulse"),
        (.signalAnalysisOngoing, 9, "signal_analysis_ongoing"),
        (.sensorInterference, 10, "sensor_interference"),
        (.sensorUnconnectedToUser, 11, "sensor_unconnected_to_user"),
        (.unknownSensorConnected, 12, "unknown_sensor_connected"),
        (.sensorDisplaced, 13, "sensor_displaced"),
        (.sensorMalfunctioning, 14, "sensor_malfunctioning"),
        (.sensorDisconnected, 15, "sensor_disconnected"),
    ])
    func aFlagHasItsBitAndName(flag: DeviceAndSensorStatus, bit: UInt32, name: String) {
        #expect(flag.rawValue == 1 << bit)
        #expect(flag.names == [name])
    }

    @Test func reservedBitsHaveNoNames() {
        for bit in 16..<32 { #expect(DeviceAndSensorStatus(rawValue: 1 << bit).names == []) }
        #expect(DeviceAndSensorStatus(rawValue: .max).names.count == 16)
    }
}
