internal import BlueZ
internal import Measurements
internal import Samples

extension Settings {
    /// What a configuration says of Bluetooth; sensors' clocks show the time of `zone`.
    init(_ configuration: Configuration, zone: Zone) {
        self.init(localTime: { LocalTime(in: zone, at: $0) })
        self.zone = zone.name
        powersOn = configuration.powersAdaptersOn
        deletesStoredRecords = configuration.deletesStoredRecords
        setsClocks = configuration.setsClocks
        sensors = configuration.sensors.mapValues { Sensor($0) }
    }
}

extension LocalTime {
    /// What the clocks of a zone show.
    fileprivate init(in zone: Zone, at instant: Instant) {
        self.init(
            zone.civilTime(at: instant), offset: zone.offset(at: instant),
            daylightSaving: zone.daylightSaving(at: instant))
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
