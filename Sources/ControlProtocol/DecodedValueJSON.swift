package import JSON
package import Measurements

extension JSONWriter {
    /// Writes a decoded value as an object, its members in the order of the octets.
    package mutating func value(_ value: CharacteristicValue) {
        object { $0.members(of: value) }
    }

    /// Writes why octets do not decode, as an object.
    package mutating func malformed(_ reason: MalformedValue) {
        object { $0.member("error", reason.symbol) }
    }

    private mutating func members(of value: CharacteristicValue) {
        switch value {
        case .sfloat(let number, let trailing), .float(let number, let trailing):
            members(ofNumber: number, trailing)
        case .validRange(let value): members(of: value)
        case .dateTime(let value): members(of: value)
        case .batteryLevel(let value): members(of: value)
        case .temperatureMeasurement(let value): members(of: value)
        case .temperatureType(let value, let trailing): members(of: value, trailing)
        case .measurementInterval(let value): members(of: value)
        case .systemID(let value): members(of: value)
        case .deviceInformation(let value): member("text", value.text)
        case .regulatoryCertification(let value): members(of: value)
        case .currentTime(let value): members(of: value)
        case .heartRateMeasurement(let value): members(of: value)
        case .bodySensorLocation(let value): members(of: value)
        case .pnpID(let value): members(of: value)
        case .recordAccessControlPoint(let value): members(of: value)
        case .plxSpotCheckMeasurement(let value): members(of: value)
        case .plxContinuousMeasurement(let value): members(of: value)
        case .plxFeatures(let value): members(of: value)
        }
    }

    private mutating func members(ofNumber number: MedicalFloat, _ trailing: Int) {
        member("kind", number.specialName ?? "finite")
        if let decimal = number.number {
            whole("mantissa", Int(decimal.mantissa))
            whole("exponent", decimal.exponent)
            self.number("decimal", number)
        }
        rest(trailing: trailing)
    }

    private mutating func members(of value: ValidRange) {
        whole("min_s", Int(value.minimum))
        whole("max_s", Int(value.maximum))
        rest(trailing: value.trailing)
    }

    private mutating func members(of value: MeasurementInterval) {
        whole("interval_s", Int(value.seconds))
        member("periodic", value.isPeriodic)
        rest(trailing: value.trailing)
    }

    private mutating func members(of value: BatteryLevel) {
        if let level = value.level {
            whole("level", Int(level))
        } else {
            null("level")
            whole("raw", Int(value.raw))
            member("reserved", true)
        }
        rest(trailing: value.trailing)
    }

    private mutating func members(of value: BodySensorLocation) {
        whole("location", Int(value.rawValue))
        member("name", value.name)
        if value.name == nil { member("reserved", true) }
        rest(trailing: value.trailing)
    }

    private mutating func members(of value: TemperatureType, _ trailing: Int) {
        temperatureType(value)
        rest(trailing: trailing)
    }

    private mutating func members(of value: DateTime) {
        dateTime(value)
        rest(trailing: value.trailing)
    }

    private mutating func members(of value: CurrentTime) {
        dateTime(value.dateTime)
        member("day_of_week", value.dayName)
        whole("fractions256", Int(value.fractions256))
        whole("adjust_reason", Int(value.adjustReason.rawValue))
        member("adjust_reason_names", value.adjustReason.names)
        rest(trailing: value.trailing)
    }
}
