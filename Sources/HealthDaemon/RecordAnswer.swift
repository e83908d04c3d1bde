internal import Captures
internal import ControlProtocol
internal import Measurements
internal import Samples
internal import Storage

/// The answer to `record`: readings as they come, as lines of a recording that can be replayed.
///
/// The store is the queue, as for `follow`. Before the first reading of a device come its connect and
/// what it says of itself.
struct RecordAnswer: WaitingAnswer {
    private let start: FeedStart
    private let epoch: String
    private let zone: Zone
    private var position: Int64?
    private var introduced: Set<Int64> = []
    private var writer = GattlogWriter()
    private var count = 0

    let heartbeat: Int64? = 15_000

    /// Readings of one part: each is a line of about 200 octets.
    private static let partRows = 400

    init(_ request: Request, _ context: RequestContext) throws(ProtocolError) {
        epoch = context.writer.epoch
        zone = context.facts.zone
        start = try FeedStart(request["since"], epoch: epoch, canBeNow: true)
    }

    mutating func nextPart(
        from store: StoreReader, now: Instant
    ) throws(AnswerError) -> AnswerPart {
        let newest = try asking { () throws(StorageError) in try store.newestSeq() }
        if position == nil { position = try start.position(newest: newest).seq }
        let from = position ?? newest
        let page = try asking { () throws(StorageError) in
            try store.readings(after: from, limit: Self.partRows)
        }
        for (reading, stream) in page.readings { append(reading, stream) }
        let text = writer.take()
        let isFull = page.readings.count == Self.partRows
        position = isFull ? page.readings.last?.0.seq : page.newest
        return isFull ? AnswerPart(text, then: self) : AnswerPart(text, waiting: self)
    }

    private mutating func append(_ reading: Reading, _ stream: Stream) {
        guard let address = DeviceAddress(stream.device.address) else { return }
        let remote = RemoteDevice(
            address, name: stream.device.name, addressType: stream.device.texts[.addressType])
        if introduced.insert(stream.device.id).inserted {
            DeviceIntroduction(stream.device, remote, zone.name).events(at: reading.at)
                .forEach { writer.write($0) }
        }
        writer.write(
            GATTEvent(
                stream.characteristic.usualEvent, origin: .replay, device: RemoteDevice(address),
                service: stream.characteristic.service,
                characteristic: stream.characteristic.uuid, instance: stream.instance,
                value: reading.octets, at: reading.at, zone: zone.name))
        count += 1
    }

    var seq: Int64 { position ?? 0 }

    func heartbeatLine(_ now: Instant) -> String {
        "# hb t=\(now.text(offset: zone.offset(at: now))) anchor=\(epoch):\(seq)"
    }

    var endDetails: [(key: String, value: String)] {
        [(key: "n", value: "\(count)"), (key: "anchor", value: "\(epoch):\(seq)")]
    }
}

extension MeasurementCharacteristic {
    /// The event that brings its values in.
    fileprivate var usualEvent: GATTEvent.Kind {
        switch self {
        case .plxSpotCheck, .temperature: .indicate
        case .plxContinuous, .intermediateTemperature, .heartRate: .notify
        case .batteryLevel: .read
        }
    }

    /// The service that it belongs to.
    fileprivate var service: BluetoothUUID {
        switch self {
        case .plxSpotCheck, .plxContinuous: .pulseOximeterService
        case .temperature, .intermediateTemperature: .healthThermometerService
        case .heartRate: .heartRateService
        case .batteryLevel: .batteryService
        }
    }
}

/// What a device says of itself, as the reads that said it.
private struct DeviceIntroduction {
    private let device: Device
    private let remote: RemoteDevice

    private let zone: String

    init(_ device: Device, _ remote: RemoteDevice, _ zone: String) {
        self.device = device
        self.remote = remote
        self.zone = zone
    }

    func events(at: Instant) -> [GATTEvent] {
        [GATTEvent(.connect, origin: .replay, device: remote, at: at, zone: zone)]
            + strings.compactMap { column, uuid in
                device.texts[column].map { read(uuid, Array($0.utf8), at) }
            }
            + opaque.compactMap { column, uuid in
                device.texts[column].flatMap { hexOctets($0.utf8) }.map { read(uuid, $0, at) }
            }
            + numbers.compactMap { column, uuid, size in
                device.numbers[column].map { number in
                    read(uuid, (0..<size).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }, at)
                }
            }
    }

    private func read(_ uuid: BluetoothUUID, _ value: [UInt8], _ at: Instant) -> GATTEvent {
        GATTEvent(
            .read, origin: .replay, device: RemoteDevice(remote.address),
            service: .deviceInformationService, characteristic: uuid, value: value, at: at,
            zone: zone)
    }

    private let strings: [(DeviceColumn, BluetoothUUID)] = [
        (.manufacturer, .manufacturerName), (.model, .modelNumber), (.serial, .serialNumber),
        (.firmware, .firmwareRevision), (.hardware, .hardwareRevision),
        (.software, .softwareRevision),
    ]

    private let opaque: [(DeviceColumn, BluetoothUUID)] = [
        (.systemID, .systemID), (.pnpID, .pnpID), (.regulatory, .regulatoryCertification),
        (.plxFeatures, .plxFeatures),
    ]

    private let numbers: [(DeviceColumn, BluetoothUUID, Int)] = [
        (.temperatureType, .temperatureType, 1), (.bodyLocation, .bodySensorLocation, 1),
        (.measurementInterval, .measurementInterval, 2),
    ]
}
