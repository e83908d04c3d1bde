internal import Measurements
internal import Samples
internal import Storage

/// What a device has said of itself, as the reads that said it.
struct DeviceIntroduction {
    private let device: Device
    private let address: DeviceAddress
    private let at: Instant
    private let zone: String?

    /// An introduction of a device as the store knows it, in front of an event of its.
    init(_ device: Device, before event: GATTEvent) {
        self.device = device
        address = event.device.address
        at = event.at
        zone = event.zone
    }

    /// The reads, in the order in which healthd does them.
    var reads: [GATTEvent] {
        Self.strings.compactMap { column, uuid in
            device.texts[column].map { read(uuid, Array($0.utf8)) }
        }
            + Self.opaque.compactMap { column, uuid in
                device.texts[column].flatMap { hexOctets($0.utf8) }.map { read(uuid, $0) }
            }
            + Self.numbers.compactMap { column, uuid, size in
                device.numbers[column].map { read(uuid, Self.octets($0, size)) }
            }
    }

    private func read(_ uuid: BluetoothUUID, _ value: [UInt8]) -> GATTEvent {
        GATTEvent(
            .read, origin: .replay, device: RemoteDevice(address),
            service: .deviceInformationService, characteristic: uuid, value: value, at: at,
            zone: zone)
    }

    private static func octets(_ number: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
    }

    private static let strings: [(DeviceColumn, BluetoothUUID)] = [
        (.manufacturer, .manufacturerName), (.model, .modelNumber), (.serial, .serialNumber),
        (.firmware, .firmwareRevision), (.hardware, .hardwareRevision),
        (.software, .softwareRevision),
    ]

    private static let opaque: [(DeviceColumn, BluetoothUUID)] = [
        (.systemID, .systemID), (.pnpID, .pnpID), (.regulatory, .regulatoryCertification),
        (.plxFeatures, .plxFeatures),
    ]

    private static let numbers: [(DeviceColumn, BluetoothUUID, Int)] = [
        (.temperatureType, .temperatureType, 1), (.bodyLocation, .bodySensorLocation, 1),
        (.measurementInterval, .measurementInterval, 2),
    ]
}
