internal import Measurements
internal import Samples
internal import Storage

extension Server {
    /// Has the writer note whose the readings of configured sensors are from an instant on.
    func claimSensors(from start: Instant) {
        let claims = configuration.sensors.compactMap { address, sensor in
            sensor.subject.map {
                SensorClaim(device: RemoteDevice(address), subject: $0, start: start)
            }
        }
        guard !claims.isEmpty else { return }
        writer.mailbox.post(
            .claim(claims.sorted { $0.device.address.bits < $1.device.address.bits }))
    }
}

/// Whose the readings of a sensor are, as the configuration says.
struct SensorClaim: Equatable, Sendable {
    /// The sensor.
    let device: RemoteDevice
    /// The person.
    let subject: String
    /// Since when: readings may be in before the writer comes to it.
    let start: Instant
}

extension WriterLoop {
    /// Notes whose the readings of sensors are, where that is news.
    mutating func storeClaims() {
        guard retry == nil, !claims.isEmpty else { return }
        attempt { (loop) throws(StorageError) in
            for claim in loop.claims {
                try loop.store.assign(.sensor(claim.device), from: claim.start, to: claim.subject)
            }
            try loop.store.commit()
            loop.claims = []
        }
    }
}
