internal import BlueZ
internal import Measurements
internal import Samples

extension Settings {
    /// What a configuration says of Bluetooth; sensors' clocks show the time of `zone`.
    init(_ configuration: Configuration, zone: Zone) {
        self.init(localTime: { (zone.civilTime(at: $0), zone.offset(at: $0)) })
        self.zone = zone.name
        powersOn = configuration.powersAdaptersOn
        deletesStoredRecords = configuration.deletesStoredRecords
        setsClocks = configuration.setsClocks
        sensors = configuration.sensors.mapValues { Sensor($0) }
    }
}

extension Settings.Sensor {
    /// What a section of the configuration says of a sensor.
    fileprivate init(_ configuration: SensorConfiguration) {
        self.init()
        name = configuration.name
        isEnabled = configuration.isEnabled
        adapter = configuration.adapter
    }
}
