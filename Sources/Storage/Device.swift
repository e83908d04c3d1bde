package import Measurements
package import Samples

/// A device as the store knows it.
package final class Device: Sendable {
    /// The store's number of it.
    package let id: Int64
    /// Its Bluetooth address, or what an imported source is called.
    package let address: String
    /// What kind of device it is.
    package let kind: SourceDevice.Kind
    /// The texts that it says of itself, by attribute.
    package let texts: [DeviceColumn: String]
    /// The numbers that it says of itself, by attribute.
    package let numbers: [DeviceColumn: Int]
    /// Whose readings these are, in spans; later ones go first.
    private let assignments: [Assignment]

    /// A span of time whose readings are somebody's.
    struct Assignment: Sendable {
        let start: Int64
        let end: Int64
        let subject: String
    }

    init(
        id: Int64, address: String, kind: SourceDevice.Kind, texts: [DeviceColumn: String],
        numbers: [DeviceColumn: Int], assignments: [Assignment]
    ) {
        self.id = id
        self.address = address
        self.kind = kind
        self.texts = texts
        self.numbers = numbers
        self.assignments = assignments
    }

    /// The subject of readings that are nobody else's.
    package static let defaultSubject = "me"

    /// The name that it advertises.
    package var name: String? { texts[.name] }

    /// The address of a sensor; nil for an imported source.
    package var sensorAddress: DeviceAddress? { kind == .ble ? DeviceAddress(address) : nil }

    /// The device as something that samples come from.
    package var source: SourceDevice {
        sensorAddress.map { .sensor(RemoteDevice($0)) } ?? .imported(address)
    }

    /// The site that it measures at, where it says so.
    package var temperatureType: TemperatureType? {
        numbers[.temperatureType].flatMap { UInt8(exactly: $0) }
            .map { TemperatureType(rawValue: $0) }
    }

    /// Whose reading it is that was measured at an instant; of two spans the later assigned one wins.
    package func subject(at instant: Instant) -> String {
        let time = instant.milliseconds
        let span = assignments.last { $0.start <= time && time < $0.end }
        return span?.subject ?? Self.defaultSubject
    }

    /// Whether all of its readings of an interval are somebody's.
    func hasOneSubject(in interval: DateInterval) -> Bool {
        let inside = interval.start.milliseconds + 1..<interval.end.milliseconds
        return !assignments.contains { inside.contains($0.start) || inside.contains($0.end) }
    }

    /// Whose all of its readings of a quarter are; nil where they are not one subject's.
    func subject(ofAll quarter: Quarter) -> String? {
        let interval = DateInterval(start: quarter.start, end: quarter.end)
        return hasOneSubject(in: interval) ? subject(at: quarter.start) : nil
    }

    /// All subjects that some of its readings may belong to.
    package var subjects: Set<String> {
        Set(assignments.map(\.subject)).union([Self.defaultSubject])
    }
}

/// A stream as the store knows it.
package struct Stream: Sendable {
    /// The store's number of it.
    package let id: Int64
    /// The device that it comes from.
    package let device: Device
    /// The characteristic that sends it.
    package let characteristic: MeasurementCharacteristic
    /// The rank by handle among the device's characteristics of the same UUID.
    package let instance: Int
    /// A bit for each type that its packets have held, by `SampleType.place`.
    let typeBits: Int64

    /// Whether one of its packets has held a type.
    func hasHeld(_ type: SampleType) -> Bool { typeBits >> Int64(type.place) & 1 != 0 }

    /// The modalities that its samples can have.
    var modalities: Set<Modality> { characteristic.modalities }
}

extension MeasurementCharacteristic {
    /// The modalities that its samples can have.
    var modalities: Set<Modality> {
        switch self {
        case .plxSpotCheck, .batteryLevel: [.spot]
        case .plxContinuous: [.continuous, .fast, .slow]
        case .temperature: [.final]
        case .intermediateTemperature: [.intermediate]
        case .heartRate: [.strap]
        case .sample: Set(Modality.allCases)
        }
    }
}
