import Measurements
import Samples
import Testing

/// A sensor that a test lets speak to an assembler.
struct SensorScript {
    var assembler: ReadingAssembler
    var device = RemoteDevice(DeviceAddress(bits: 1))
    /// The zone that events name.
    var zone: String?
    /// When the next event happens.
    var now: Instant

    init(hostZone: String = "Europe/Berlin", now: String = "2026-06-01T12:00:00Z") throws {
        assembler = ReadingAssembler(hostZone: try #require(Zone(named: hostZone)))
        self.now = try utc(now)
    }

    /// Lets one event happen.
    @discardableResult mutating func send(
        _ kind: GATTEvent.Kind, _ characteristic: BluetoothUUID? = nil, _ value: [UInt8] = [],
        instance: Int = 0
    ) -> Intake.Content {
        assembler.handle(
            GATTEvent(
                kind, origin: .replay, device: device, characteristic: characteristic,
                instance: instance, value: value, at: now, zone: zone)
        ).content
    }

    /// Lets a measurement arrive.
    mutating func reading(
        _ characteristic: BluetoothUUID, _ value: [UInt8], instance: Int = 0,
        _ kind: GATTEvent.Kind = .notify
    ) throws -> NewReading {
        let content = send(kind, characteristic, value, instance: instance)
        guard case .reading(let reading) = content else {
            Issue.record("\(content) is no reading")
            throw NoReading()
        }
        return reading
    }

    /// Lets a temperature with a stamp arrive.
    mutating func temperature(stamp: [UInt8]) throws -> NewReading {
        try reading(
            .temperatureMeasurement, thermometer(366, -1, stamp: stamp), .indicate)
    }

    private struct NoReading: Error {}
}

/// The instant that RFC 3339 text names.
func utc(_ text: String) throws -> Instant {
    try #require(Instant(rfc3339: text.utf8))
}
