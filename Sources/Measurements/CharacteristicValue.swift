/// A decoded value of anything that `DecodableName` names.
package enum CharacteristicValue: Equatable, Sendable {
    /// A bare SFLOAT, and the number of octets behind it.
    case sfloat(MedicalFloat, trailing: Int)
    /// A bare FLOAT, and the number of octets behind it.
    case float(MedicalFloat, trailing: Int)
    /// Valid Range descriptor of Measurement Interval.
    case validRange(ValidRange)
    /// Date Time.
    case dateTime(DateTime)
    /// Battery Level.
    case batteryLevel(BatteryLevel)
    /// Temperature Measurement or Intermediate Temperature.
    case temperatureMeasurement(TemperatureMeasurement)
    /// Temperature Type, and the number of octets behind it.
    case temperatureType(TemperatureType, trailing: Int)
    /// Measurement Interval.
    case measurementInterval(MeasurementInterval)
    /// System ID.
    case systemID(SystemID)
    /// A string of the Device Information Service.
    case deviceInformation(DeviceInformationString)
    /// IEEE 11073-20601 Regulatory Certification Data List.
    case regulatoryCertification(RegulatoryCertificationDataList)
    /// Current Time.
    case currentTime(CurrentTime)
    /// Heart Rate Measurement.
    case heartRateMeasurement(HeartRateMeasurement)
    /// Body Sensor Location.
    case bodySensorLocation(BodySensorLocation)
    /// PnP ID.
    case pnpID(PnPID)
    /// Record Access Control Point.
    case recordAccessControlPoint(RecordAccessControlPoint)
    /// PLX Spot-Check Measurement.
    case plxSpotCheckMeasurement(PLXSpotCheckMeasurement)
    /// PLX Continuous Measurement.
    case plxContinuousMeasurement(PLXContinuousMeasurement)
    /// PLX Features.
    case plxFeatures(PLXFeatures)

    /// The value that the octets hold, read as `name` says.
    ///
    /// - Throws: `MalformedValue` if they hold none.
    package init(_ name: DecodableName, decoding octets: [UInt8]) throws(MalformedValue) {
        self =
            switch name {
            case .sfloat: try .sfloat(decoding: octets)
            case .float: try .float(decoding: octets)
            case .validRange: .validRange(try ValidRange(decoding: octets))
            case .dateTime: .dateTime(try DateTime(decoding: octets))
            case .batteryLevel: .batteryLevel(try BatteryLevel(decoding: octets))
            case .temperatureMeasurement, .intermediateTemperature:
                .temperatureMeasurement(try TemperatureMeasurement(decoding: octets))
            case .temperatureType:
                .temperatureType(
                    try TemperatureType(decoding: octets), trailing: octets.count - 1)
            case .measurementInterval:
                .measurementInterval(try MeasurementInterval(decoding: octets))
            case .systemID: .systemID(try SystemID(decoding: octets))
            case .modelNumber, .serialNumber, .firmwareRevision, .hardwareRevision,
                .softwareRevision, .manufacturerName:
                .deviceInformation(try DeviceInformationString(decoding: octets))
            case .regulatoryCertification:
                .regulatoryCertification(try RegulatoryCertificationDataList(decoding: octets))
            case .currentTime: .currentTime(try CurrentTime(decoding: octets))
            case .heartRateMeasurement:
                .heartRateMeasurement(try HeartRateMeasurement(decoding: octets))
            case .bodySensorLocation: .bodySensorLocation(try BodySensorLocation(decoding: octets))
            case .pnpID: .pnpID(try PnPID(decoding: octets))
            case .recordAccessControlPoint:
                .recordAccessControlPoint(try RecordAccessControlPoint(decoding: octets))
            case .plxSpotCheckMeasurement:
                .plxSpotCheckMeasurement(try PLXSpotCheckMeasurement(decoding: octets))
            case .plxContinuousMeasurement:
                .plxContinuousMeasurement(try PLXContinuousMeasurement(decoding: octets))
            case .plxFeatures: .plxFeatures(try PLXFeatures(decoding: octets))
            }
    }

    private static func sfloat(decoding octets: [UInt8]) throws(MalformedValue) -> Self {
        var fields = try FieldReader(octets)
        let number = try fields.sfloat("SFLOAT")
        return .sfloat(number, trailing: fields.remaining)
    }

    private static func float(decoding octets: [UInt8]) throws(MalformedValue) -> Self {
        var fields = try FieldReader(octets)
        let number = try fields.float("FLOAT")
        return .float(number, trailing: fields.remaining)
    }
}
