internal import BlueZ
internal import Measurements
internal import Storage

/// How the sensors and the way to them fare at one moment, for answers.
struct RadioReport: Sendable {
    /// What the supervisor knows.
    let snapshot: RadioSnapshot
    /// What was counted on the way to the bus.
    let counters: BusCounters
    /// Calls on the bus that wait for an answer.
    let pendingCalls: Int

    /// The wanted sensor of an address; nil if it is none.
    func sensor(_ address: DeviceAddress) -> RadioSnapshot.Sensor? {
        snapshot.sensors.first { $0.address == address }
    }

    /// The wanted sensor that a device in the store is; nil if it is none.
    func sensor(of device: Device) -> RadioSnapshot.Sensor? {
        device.sensorAddress.flatMap { sensor($0) }
    }
}
