internal import JSON
internal import Measurements

extension JSONWriter {
    /// Writes the members of a spot-check measurement.
    mutating func members(of value: PLXSpotCheckMeasurement) {
        number("spo2", value.spo2)
        number("pr", value.pulseRate)
        timeStamp(value.timeStamp)
        statuses(value.measurementStatus, value.deviceAndSensorStatus)
        if let index = value.pulseAmplitudeIndex { number("pai", index) }
        member("clock_not_set", value.isClockNotSet)
        rest(reservedFlags: Int(value.reservedFlags), trailing: value.trailing)
    }

    /// Writes the members of a continuous measurement.
    mutating func members(of value: PLXContinuousMeasurement) {
        pair(value.normal)
        if let fast = value.fast { object("fast") { $0.pair(fast) } }
        if let slow = value.slow { object("slow") { $0.pair(slow) } }
        statuses(value.measurementStatus, value.deviceAndSensorStatus)
        if let index = value.pulseAmplitudeIndex { number("pai", index) }
        rest(reservedFlags: Int(value.reservedFlags), trailing: value.trailing)
    }

    /// Writes the members of a pulse oximeter's features.
    mutating func members(of value: PLXFeatures) {
        whole("features", Int(value.features.rawValue))
        member("features_names", value.features.names)
        if let support = value.measurementStatusSupport {
            whole("measurement_status_support", Int(support.rawValue))
            member("measurement_status_support_names", support.names)
        }
        if let support = value.deviceAndSensorStatusSupport {
            whole("device_sensor_status_support", Int(support.rawValue))
            member("device_sensor_status_support_names", support.names)
        }
        rest(reservedFlags: Int(value.reservedFlags), trailing: value.trailing)
    }

    /// Writes the members of a temperature measurement.
    mutating func members(of value: TemperatureMeasurement) {
        number("temperature", value.temperature)
        member("unit", value.unit == .celsius ? "C" : "F")
        timeStamp(value.timeStamp)
        if let type = value.type { temperatureType(type) }
        rest(reservedFlags: Int(value.reservedFlags), trailing: value.trailing)
    }

    /// Writes the members of a heart rate measurement.
    mutating func members(of value: HeartRateMeasurement) {
        whole("hr", Int(value.heartRate))
        whole("hr_bits", value.is16Bit ? 16 : 8)
        member("contact", value.contact.name)
        if let energy = value.energyExpended { whole("energy_kj", Int(energy)) }
        if let intervals = value.rrIntervals {
            array("rr_1024") { json in
                for interval in intervals { json.element(interval) }
            }
        }
        rest(reservedFlags: Int(value.reservedFlags), trailing: value.trailing)
    }

    private mutating func pair(_ pair: PLXContinuousMeasurement.SpO2PR) {
        number("spo2", pair.spo2)
        number("pr", pair.pulseRate)
    }

    private mutating func statuses(
        _ measurement: MeasurementStatus?, _ sensor: DeviceAndSensorStatus?
    ) {
        if let measurement {
            whole("measurement_status", Int(measurement.rawValue))
            member("measurement_status_names", measurement.names)
        }
        if let sensor {
            whole("device_sensor_status", Int(sensor.rawValue))
            member("device_sensor_status_names", sensor.names)
        }
    }

    /// An impossible time stamp is null, with its octets beside it.
    private mutating func timeStamp(_ stamp: TimeStamp?) {
        switch stamp {
        case nil: break
        case .known(let time): object("timestamp") { $0.dateTime(time) }
        case .impossible(let octets):
            null("timestamp")
            hex("timestamp_invalid", octets)
        }
    }
}

extension SensorContact {
    fileprivate var name: String {
        switch self {
        case .unsupported: "unsupported"
        case .notDetected: "not_detected"
        case .detected: "detected"
        }
    }
}
