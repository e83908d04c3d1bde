package import Measurements

/// What the configuration says of Bluetooth.
package struct Settings: Sendable {
    /// What the configuration says of one sensor.
    package struct Sensor: Equatable, Sendable {
        /// What people call it; nil means its own name.
        package var name: String?
        /// Whether its readings are wanted.
        package var isEnabled = true
        /// The address of the adapter that it is to be reached by; nil means any.
        package var adapter: DeviceAddress?

        /// A wanted sensor with its own name, on any adapter.
        package init() {}
    }

    /// The sensors that are configured; if there are none, all are wanted that are paired or trusted
    /// and offer a health service.
    package var sensors: [DeviceAddress: Sensor] = [:]
    /// Whether an adapter that is off may be switched on, once each time that it appears.
    package var powersOn = false
    /// Whether stored records are deleted on the sensor once they are on the disk here.
    package var deletesStoredRecords = false
    /// Whether sensors' clocks are set, while the host's own is synchronised.
    package var setsClocks = true
    /// Whether the daemon before this one had left the sensors so that they keep their readings.
    package var wasStoppedInOrder = true
    /// The zone that sensors' clocks show.
    package var zone: String?
    /// The local time in that zone.
    package var localTime: @Sendable (Instant) -> LocalTime

    /// Settings with all defaults.
    package init(localTime: @escaping @Sendable (Instant) -> LocalTime) {
        self.localTime = localTime
    }
}
