internal import Captures
internal import Measurements
internal import Samples
internal import Storage

/// Stored readings as a recording that replays to the same readings.
///
/// What a sensor's clock was known to be is not stored, but follows from the times: so a link is begun,
/// with reads of the clock that say the same, wherever that changes. Each event also goes through an
/// assembler, which tells whether the replay will give the time that is stored.
struct ReadingsRecording {
    /// Devices whose links are remembered; beyond, all begin anew.
    private static let deviceLimit = 4096

    private let zone: Zone
    private var writer = GattlogWriter()
    private var assembler: ReadingAssembler
    private var links: [Int64: LinkKnowledge] = [:]
    /// Readings that are written.
    private(set) var count = 0
    /// Readings that a replay gives another time.
    private(set) var inexact = 0

    /// What is known of a sensor's clock in a link.
    private enum LinkKnowledge: Equatable {
        /// Nothing.
        case unknown
        /// Our clock less the sensor's, in ms.
        case offset(Int64)
        /// That it is right.
        case right
    }

    /// A recording of stamps in a zone, where they say nothing else.
    init(zone: Zone) {
        self.zone = zone
        assembler = ReadingAssembler(hostZone: zone)
    }

    /// The lines so far, which are given away.
    mutating func take() -> [UInt8] { writer.take() }

    /// Writes a reading of a sensor, with what must stand before it.
    mutating func write(_ reading: Reading, _ stream: Stream, _ address: DeviceAddress) {
        guard let characteristic = stream.characteristic.uuid else { return }
        let zone = stampZone(of: reading)
        let event = GATTEvent(
            stream.characteristic.kind, origin: .replay, device: RemoteDevice(address),
            characteristic: characteristic, instance: stream.instance, value: reading.octets,
            at: reading.at, zone: zone.name)
        begin(reading, stream.device, event, zone)
        count += 1
        guard case .reading(let new) = pass(event) else { return }
        let isSame =
            new.start == reading.start && new.stamp == reading.stamp
            && new.flags.timeQuality == reading.flags.timeQuality
            && new.flags.isAmbiguous == reading.flags.isAmbiguous
        if !isSame { inexact += 1 }
    }

    /// Begins a link where there is none, or where another thing was known of the clock.
    private mutating func begin(
        _ reading: Reading, _ device: Device, _ event: GATTEvent, _ zone: Zone
    ) {
        let known = links[device.id]
        let needed = Self.knowledge(behind: reading) ?? known ?? .unknown
        guard known != needed else { return }
        if links.count >= Self.deviceLimit { links = [:] }
        links[device.id] = needed
        var remote = event.device
        (remote.name, remote.addressType) = (device.name, device.texts[.addressType])
        _ = pass(
            GATTEvent(.connect, origin: .replay, device: remote, at: event.at, zone: zone.name))
        let reads = known == nil ? DeviceIntroduction(device, before: event).reads : []
        for event in reads + Self.evidence(of: needed, before: event, zone) { _ = pass(event) }
    }

    private mutating func pass(_ event: GATTEvent) -> Intake.Content {
        writer.write(event)
        return assembler.handle(event).content
    }
}

extension ReadingsRecording {
    /// What was known of the clock when a reading came; nil where its time does not tell.
    private static func knowledge(behind reading: Reading) -> LinkKnowledge? {
        switch reading.flags.timeQuality {
        case .mapped:
            guard let start = reading.start, let stamp = reading.stamp else { return nil }
            return .offset(start.milliseconds - stamp * 1000)
        case .synced: return .right
        case .unverified: return .unknown
        case .received, .untrusted, .manual: return nil
        }
    }

    /// The events that say it, just before another one.
    private static func evidence(
        of knowledge: LinkKnowledge, before event: GATTEvent, _ zone: Zone
    ) -> [GATTEvent] {
        switch knowledge {
        case .unknown: return []
        case .offset(let offset):
            let seconds = (event.at.milliseconds - offset).floorDivided(by: 1000)
            let at = Instant(milliseconds: seconds * 1000 + offset)
            return [clock(.read, seconds, at: at, event)].compactMap(\.self)
        case .right:
            let now = event.at.milliseconds.floorDivided(by: 1000)
            let seconds = now + Int64(zone.offset(at: event.at))
            let at = Instant(milliseconds: now * 1000)
            return [clock(.write, seconds, at: at, event), clock(.read, seconds, at: at, event)]
                .compactMap(\.self)
        }
    }

    /// A read or write of Date Time; nil for a time that it cannot hold.
    private static func clock(
        _ kind: GATTEvent.Kind, _ seconds: Int64, at: Instant, _ event: GATTEvent
    ) -> GATTEvent? {
        let civil = CivilTime(secondsSince1970: seconds)
        guard (1582...9999).contains(civil.year) else { return nil }
        let value =
            [UInt8(civil.year & 0xFF), UInt8(civil.year >> 8)]
            + [civil.month, civil.day, civil.hour, civil.minute, civil.second].map { UInt8($0) }
        return GATTEvent(
            kind, origin: .replay, device: RemoteDevice(event.device.address),
            characteristic: .dateTime, value: value, at: at, zone: event.zone)
    }

    /// A zone in which the stamp of a reading is its start: ours, or else one of whole hours.
    private func stampZone(of reading: Reading) -> Zone {
        guard let start = reading.start, let stamp = reading.stamp,
            [.synced, .unverified].contains(reading.flags.timeQuality)
        else { return zone }
        let civil = CivilTime(secondsSince1970: stamp)
        let offset = stamp - start.milliseconds.floorDivided(by: 1000)
        guard zone.instant(of: civil, nearest: reading.at).instant != start, offset % 3600 == 0
        else { return zone }
        let hours = offset / 3600
        // The signs of these names are those of POSIX: west of Greenwich is positive.
        let name = hours == 0 ? "UTC" : "Etc/GMT\(hours > 0 ? "-" : "+")\(abs(hours))"
        return Zone(named: name) ?? zone
    }
}

extension MeasurementCharacteristic {
    /// How sensors send it.
    fileprivate var kind: GATTEvent.Kind {
        switch self {
        case .plxContinuous, .intermediateTemperature, .heartRate: .notify
        case .plxSpotCheck, .temperature: .indicate
        case .batteryLevel, .sample: .read
        }
    }
}
