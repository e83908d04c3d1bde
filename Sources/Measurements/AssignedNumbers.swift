extension BluetoothUUID {
    /// Health Thermometer service.
    package static let healthThermometerService = BluetoothUUID(0x1809)
    /// Pulse Oximeter service.
    package static let pulseOximeterService = BluetoothUUID(0x1822)
    /// Heart Rate service.
    package static let heartRateService = BluetoothUUID(0x180D)
    /// Battery service.
    package static let batteryService = BluetoothUUID(0x180F)
    /// Device Information service.
    package static let deviceInformationService = BluetoothUUID(0x180A)

    /// Date Time.
    package static let dateTime = BluetoothUUID(0x2A08)
    /// Battery Level.
    package static let batteryLevel = BluetoothUUID(0x2A19)
    /// Temperature Measurement.
    package static let temperatureMeasurement = BluetoothUUID(0x2A1C)
    /// Temperature Type.
    package static let temperatureType = BluetoothUUID(0x2A1D)
    /// Intermediate Temperature.
    package static let intermediateTemperature = BluetoothUUID(0x2A1E)
    /// Measurement Interval.
    package static let measurementInterval = BluetoothUUID(0x2A21)
    /// System ID.
    package static let systemID = BluetoothUUID(0x2A23)
    /// Model Number String.
    package static let modelNumber = BluetoothUUID(0x2A24)
    /// Serial Number String.
    package static let serialNumber = BluetoothUUID(0x2A25)
    /// Firmware Revision String.
    package static let firmwareRevision = BluetoothUUID(0x2A26)
    /// Hardware Revision String.
    package static let hardwareRevision = BluetoothUUID(0x2A27)
    /// Software Revision String.
    package static let softwareRevision = BluetoothUUID(0x2A28)
    /// Manufacturer Name String.
    package static let manufacturerName = BluetoothUUID(0x2A29)
    /// IEEE 11073-20601 Regulatory Certification Data List.
    package static let regulatoryCertification = BluetoothUUID(0x2A2A)
    /// Current Time.
    package static let currentTime = BluetoothUUID(0x2A2B)
    /// Heart Rate Measurement.
    package static let heartRateMeasurement = BluetoothUUID(0x2A37)
    /// Body Sensor Location.
    package static let bodySensorLocation = BluetoothUUID(0x2A38)
    /// PnP ID.
    package static let pnpID = BluetoothUUID(0x2A50)
    /// Record Access Control Point.
    package static let recordAccessControlPoint = BluetoothUUID(0x2A52)
    /// PLX Spot-Check Measurement.
    package static let plxSpotCheckMeasurement = BluetoothUUID(0x2A5E)
    /// PLX Continuous Measurement.
    package static let plxContinuousMeasurement = BluetoothUUID(0x2A5F)
    /// PLX Features.
    package static let plxFeatures = BluetoothUUID(0x2A60)
}
