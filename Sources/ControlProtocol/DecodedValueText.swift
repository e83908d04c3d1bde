internal import Measurements

extension DecodedRows {
    /// Adds the fields of any value.
    mutating func add(_ value: CharacteristicValue) {
        switch value {
        case .sfloat(let number, let trailing), .float(let number, let trailing):
            add(number, trailing)
        case .validRange(let value): add(value)
        case .dateTime(let value): add(value)
        case .batteryLevel(let value): add(value)
        case .temperatureMeasurement(let value): add(value)
        case .temperatureType(let value, let trailing): add(value, trailing)
        case .measurementInterval(let value): add(value)
        case .systemID(let value): add(value)
        case .deviceInformation(let value): add("text", value.text)
        case .regulatoryCertification(let value): add(value)
        case .currentTime(let value): add(value)
        case .heartRateMeasurement(let value): add(value)
        case .bodySensorLocation(let value): add(value)
        case .pnpID(let value): add(value)
        case .recordAccessControlPoint(let value): add(value)
        case .plxSpotCheckMeasurement(let value): add(value)
        case .plxContinuousMeasurement(let value): add(value)
        case .plxFeatures(let value): add(value)
        }
    }

    private mutating func add(_ number: MedicalFloat, _ trailing: Int) {
        add("value", number, "")
        add("mantissa", number.number?.mantissa)
        add("exponent", number.number?.exponent)
        ignored(flags: 0, trailing: trailing)
    }

    private mutating func add(_ value: ValidRange) {
        add("shortest", value.minimum, "s")
        add("longest", value.maximum, "s")
        ignored(flags: 0, trailing: value.trailing)
    }

    private mutating func add(_ value: MeasurementInterval) {
        add("interval", value.isPeriodic ? "\(value.seconds) s" : "no periodic measurement")
        ignored(flags: 0, trailing: value.trailing)
    }

    private mutating func add(_ value: BatteryLevel) {
        add("level", value.level.map { "\($0) %" } ?? "\(value.raw) (reserved)")
        ignored(flags: 0, trailing: value.trailing)
    }

    private mutating func add(_ value: TemperatureType, _ trailing: Int) {
        add("measured at", value.rawValue, named: value.name)
        ignored(flags: 0, trailing: trailing)
    }

    private mutating func add(_ value: BodySensorLocation) {
        add("worn at", value.rawValue, named: value.name)
        ignored(flags: 0, trailing: value.trailing)
    }

    private mutating func add(_ value: DateTime) {
        add("time", value.text)
        ignored(flags: 0, trailing: value.trailing)
    }

    private mutating func add(_ value: CurrentTime) {
        add("time", value.dateTime.text)
        add("day of week", value.dayOfWeek, named: value.dayName)
        add("fraction", value.fractions256, "/256 s")
        add("adjusted for", names: value.adjustReason.names)
        ignored(flags: 0, trailing: value.trailing)
    }

    private mutating func add(_ value: SystemID) {
        add("EUI-64", hexText(value.eui64))
        add("manufacturer's part", hexText(value.manufacturerIdentifier))
        add("organization's part", hexText(value.organizationallyUniqueIdentifier))
        ignored(flags: 0, trailing: value.trailing)
    }

    private mutating func add(_ value: PnPID) {
        add("vendor given by", value.vendorSource, named: value.vendorSourceName)
        add("vendor", value.vendorID)
        add("product", value.productID)
        add("version", value.versionText)
        ignored(flags: 0, trailing: value.trailing)
    }

    private mutating func add(_ value: RegulatoryCertificationDataList) {
        for entry in value.entries {
            add("authority \(entry.authBody), type \(entry.structType)", hexText(entry.data))
        }
        if value.entries.isEmpty { add("entries", "none") }
        ignored(flags: 0, trailing: value.trailing)
    }

    private mutating func add(_ value: RecordAccessControlPoint) {
        add("op code", value.opCode, named: value.opCodeName)
        add("operator", value.operatorCode, named: value.operatorName)
        switch value.operand {
        case .filter(let octets): if !octets.isEmpty { add("operand", hexText(octets)) }
        case .count(let count): add("records", count)
        case .response(let request, let code):
            add("request", request, named: RecordAccessControlPoint.opCodeName(request))
            add("response", code, named: RecordAccessControlPoint.responseName(code))
        }
        ignored(flags: 0, trailing: value.trailing)
    }
}

extension PnPID {
    /// The version as JJ.M.N.
    fileprivate var versionText: String {
        let major = String(productVersion >> 8, radix: 16)
        return "\(major).\(productVersion >> 4 & 0xF).\(productVersion & 0xF)"
    }
}
