internal import Measurements
internal import Storage

/// What people call sensors: by the configuration, else as the sensors say it themselves.
struct SensorNames: Equatable, Sendable {
    private let configured: [DeviceAddress: String]

    /// The names that a configuration gives.
    init(_ configuration: Configuration) {
        configured = configuration.sensors.compactMapValues(\.name)
    }

    /// The name of the sensor at an address, if the configuration gives one.
    subscript(address: DeviceAddress) -> String? { configured[address] }

    /// What a device in the store is called; nil if it has no name.
    func name(of device: Device) -> String? {
        device.sensorAddress.flatMap { configured[$0] } ?? device.name
    }
}
