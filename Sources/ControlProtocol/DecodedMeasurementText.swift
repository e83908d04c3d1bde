internal import Measurements

extension DecodedRows {
    /// Adds the fields of a spot-check measurement.
    mutating func add(_ value: PLXSpotCheckMeasurement) {
        add("SpO2", value.spo2, "%")
        add("pulse rate", value.pulseRate, "/min")
        add("pulse amplitude index", value.pulseAmplitudeIndex, "%")
        add(value.timeStamp)
        if value.isClockNotSet { add("clock", "not set, the time stamp counts for nothing") }
        add("measurement status", names: value.measurementStatus?.names)
        add("sensor status", names: value.deviceAndSensorStatus?.names)
        ignored(flags: value.reservedFlags, trailing: value.trailing)
    }

    /// Adds the fields of a continuous measurement.
    mutating func add(_ value: PLXContinuousMeasurement) {
        add("SpO2", value.normal.spo2, "%")
        add("pulse rate", value.normal.pulseRate, "/min")
        add("fast SpO2", value.fast?.spo2, "%")
        add("fast pulse rate", value.fast?.pulseRate, "/min")
        add("slow SpO2", value.slow?.spo2, "%")
        add("slow pulse rate", value.slow?.pulseRate, "/min")
        add("pulse amplitude index", value.pulseAmplitudeIndex, "%")
        add("measurement status", names: value.measurementStatus?.names)
        add("sensor status", names: value.deviceAndSensorStatus?.names)
        ignored(flags: value.reservedFlags, trailing: value.trailing)
    }

    /// Adds the fields of a pulse oximeter's features.
    mutating func add(_ value: PLXFeatures) {
        add("features", names: value.features.names)
        add("measurement status bits", names: value.measurementStatusSupport?.names)
        add("sensor status bits", names: value.deviceAndSensorStatusSupport?.names)
        ignored(flags: value.reservedFlags, trailing: value.trailing)
    }

    /// Adds the fields of a temperature measurement.
    mutating func add(_ value: TemperatureMeasurement) {
        add("temperature", value.temperature, value.unit == .celsius ? "°C" : "°F")
        add(value.timeStamp)
        if let type = value.type { add("measured at", type.rawValue, named: type.name) }
        ignored(flags: value.reservedFlags, trailing: value.trailing)
    }

    /// Adds the fields of a heart rate measurement.
    mutating func add(_ value: HeartRateMeasurement) {
        add("heart rate", value.heartRate, value.is16Bit ? "/min (16 bits)" : "/min")
        add("contact", value.contact.words)
        add("energy expended", value.energyExpended, "kJ")
        if let intervals = value.rrIntervals {
            let list = intervals.map { "\($0)" }.joined(separator: ", ")
            add("RR intervals", list.isEmpty ? "none" : list + " /1024 s")
        }
        ignored(flags: value.reservedFlags, trailing: value.trailing)
    }

    private mutating func add(_ stamp: TimeStamp?) {
        switch stamp {
        case nil: break
        case .known(let time): add("time stamp", time.text)
        case .impossible(let octets): add("time stamp", "impossible (\(hexText(octets)))")
        }
    }
}

extension DateTime {
    /// The date and time of day, with a question mark for each digit of an unknown part.
    var text: String {
        let date = [(year, 4), (month, 2), (day, 2)].map(digits).joined(separator: "-")
        let time = [(hour, 2), (minute, 2), (second, 2)].map(digits).joined(separator: ":")
        return date + " " + time
    }

    private func digits(_ value: Int?, _ count: Int) -> String {
        guard let value else { return String(repeating: "?", count: count) }
        var text: [UInt8] = []
        text.append(value, digits: count)
        return String(decoding: text, as: UTF8.self)
    }
}

extension SensorContact {
    fileprivate var words: String {
        switch self {
        case .unsupported: "unknown to the sensor"
        case .notDetected: "none"
        case .detected: "yes"
        }
    }
}
