/// What can be decoded by name: the characteristics, one descriptor and the two bare numbers.
package enum DecodableName: CaseIterable, Hashable, Sendable {
    /// A bare SFLOAT.
    case sfloat
    /// A bare FLOAT.
    case float
    /// Valid Range descriptor of Measurement Interval.
    case validRange
    /// Date Time.
    case dateTime
    /// Battery Level.
    case batteryLevel
    /// Temperature Measurement.
    case temperatureMeasurement
    /// Temperature Type.
    case temperatureType
    /// Intermediate Temperature.
    case intermediateTemperature
    /// Measurement Interval.
    case measurementInterval
    /// System ID.
    case systemID
    /// Model Number String.
    case modelNumber
    /// Serial Number String.
    case serialNumber
    /// Firmware Revision String.
    case firmwareRevision
    /// Hardware Revision String.
    case hardwareRevision
    /// Software Revision String.
    case softwareRevision
    /// Manufacturer Name String.
    case manufacturerName
    /// IEEE 11073-20601 Regulatory Certification Data List.
    case regulatoryCertification
    /// Current Time.
    case currentTime
    /// Heart Rate Measurement.
    case heartRateMeasurement
    /// Body Sensor Location.
    case bodySensorLocation
    /// PnP ID.
    case pnpID
    /// Record Access Control Point.
    case recordAccessControlPoint
    /// PLX Spot-Check Measurement.
    case plxSpotCheckMeasurement
    /// PLX Continuous Measurement.
    case plxContinuousMeasurement
    /// PLX Features.
    case plxFeatures

    /// The name that the standard gives it.
    package var title: String {
        switch self {
        case .sfloat: "SFLOAT"
        case .float: "FLOAT"
        case .validRange: "Valid Range"
        case .dateTime: "Date Time"
        case .batteryLevel: "Battery Level"
        case .temperatureMeasurement: "Temperature Measurement"
        case .temperatureType: "Temperature Type"
        case .intermediateTemperature: "Intermediate Temperature"
        case .measurementInterval: "Measurement Interval"
        case .systemID: "System ID"
        case .modelNumber: "Model Number String"
        case .serialNumber: "Serial Number String"
        case .firmwareRevision: "Firmware Revision String"
        case .hardwareRevision: "Hardware Revision String"
        case .softwareRevision: "Software Revision String"
        case .manufacturerName: "Manufacturer Name String"
        case .regulatoryCertification:
            "IEEE 11073-20601 Regulatory Certification Data List"
        case .currentTime: "Current Time"
        case .heartRateMeasurement: "Heart Rate Measurement"
        case .bodySensorLocation: "Body Sensor Location"
        case .pnpID: "PnP ID"
        case .recordAccessControlPoint: "Record Access Control Point"
        case .plxSpotCheckMeasurement: "PLX Spot-Check Measurement"
        case .plxContinuousMeasurement: "PLX Continuous Measurement"
        case .plxFeatures: "PLX Features"
        }
    }

    /// The characteristic's number; nil for the descriptor and the bare numbers.
    package var uuid: BluetoothUUID? {
        switch self {
        case .sfloat, .float, .validRange: nil
        case .dateTime: .dateTime
        case .batteryLevel: .batteryLevel
        case .temperatureMeasurement: .temperatureMeasurement
        case .temperatureType: .temperatureType
        case .intermediateTemperature: .intermediateTemperature
        case .measurementInterval: .measurementInterval
        case .systemID: .systemID
        case .modelNumber: .modelNumber
        case .serialNumber: .serialNumber
        case .firmwareRevision: .firmwareRevision
        case .hardwareRevision: .hardwareRevision
        case .softwareRevision: .softwareRevision
        case .manufacturerName: .manufacturerName
        case .regulatoryCertification: .regulatoryCertification
        case .currentTime: .currentTime
        case .heartRateMeasurement: .heartRateMeasurement
        case .bodySensorLocation: .bodySensorLocation
        case .pnpID: .pnpID
        case .recordAccessControlPoint: .recordAccessControlPoint
        case .plxSpotCheckMeasurement: .plxSpotCheckMeasurement
        case .plxContinuousMeasurement: .plxContinuousMeasurement
        case .plxFeatures: .plxFeatures
        }
    }
}
