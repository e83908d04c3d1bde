internal import BlueZ
internal import ControlProtocol
internal import JSON
internal import Measurements
internal import Samples
internal import Storage

/// The answer to `devices`: what is known of each, when it was heard last, and how it fares now.
struct DevicesAnswer: RadioAnswer {
    private let zone: Zone
    private let names: SensorNames
    private var seen = 0
    private var told = 0
    var radio: RadioReport?

    /// Devices of one part: each has about a thousand octets.
    private static let partSize = 100

    init(_ context: RequestContext, zone: Zone) {
        self.zone = zone
        names = context.names
    }

    mutating func nextPart(
        from store: StoreReader, now: Instant
    ) throws(AnswerError) -> AnswerPart {
        let (devices, streams) = try asking { () throws(StorageError) in
            (try store.devices(), Dictionary(grouping: try store.streams()) { $0.device.id })
        }
        var json = JSONWriter()
        for device in devices.dropFirst(seen).prefix(Self.partSize) {
            seen += 1
            let row = try DeviceRow(
                device, streams[device.id] ?? [], store,
                names.name(of: device) ?? radio?.sensor(of: device)?.name,
                radio?.sensor(of: device))
            guard !row.isRemoved else { continue }
            row.write(to: &json, zone: zone, now: now)
            json.endLine()
            told += 1
        }
        if seen < devices.count { return AnswerPart(json.octets, then: self) }
        let new = writeNew(beside: devices, to: &json)
        return AnswerPart(last: json.octets, [(key: "n", value: "\(told + new)")])
    }

    /// Writes the sensors that are wanted and of which the store has never heard; gives their number.
    private func writeNew(beside devices: [Device], to json: inout JSONWriter) -> Int {
        let known = Set(devices.compactMap { $0.sensorAddress?.description })
        let new = (radio?.snapshot.sensors ?? []).filter { !known.contains($0.address.description) }
        for sensor in new {
            json.object { json in
                json.member("class", "device")
                json.member("device", sensor.address.description)
                if let name = names[sensor.address] ?? sensor.name {
                    json.member("name", writing: { appendJSONString(name, to: &$0) })
                }
                sensor.write(to: &json, zone: zone)
            }
            json.endLine()
        }
        return new.count
    }
}

/// What the answer tells of one device.
private struct DeviceRow {
    private let device: Device
    private let characteristics: [String]
    private let isStreaming: Bool
    private let last: (at: Instant, origin: GATTEvent.Origin)?
    private let battery: StoredSample?
    private let name: String?
    private let sensor: RadioSnapshot.Sensor?

    init(
        _ device: Device, _ streams: [Stream], _ store: StoreReader, _ name: String?,
        _ sensor: RadioSnapshot.Sensor?
    ) throws(AnswerError) {
        self.device = device
        self.name = name
        self.sensor = sensor
        characteristics = device.kind == .ble ? streams.map(\.characteristic.name) : []
        isStreaming = streams.contains { $0.characteristic.isStreaming }
        (last, battery) = try asking { () throws(StorageError) in
            (try store.newestReception(of: streams), try store.newestBattery(of: device))
        }
    }

    /// Whether it is an imported source whose samples were all deleted.
    var isRemoved: Bool { device.kind == .imported && last == nil }

    func write(to json: inout JSONWriter, zone: Zone, now: Instant) {
        json.object { json in
            json.member("class", "device")
            json.member("device", device.address)
            if device.kind == .imported { json.member("kind", device.kind.rawValue) }
            writeTexts(to: &json)
            json.member("subject", device.subject(at: last?.at ?? now))
            if let level = battery?.sample.value {
                json.member("battery", writing: { level.append(to: &$0) })
                json.member("batteryAt", battery?.reading.measuredFrom, in: zone)
            }
            json.member("lastReading", last?.at, in: zone)
            if let last { writeAge(last.at, last.origin, now, to: &json) }
            if device.kind == .ble { json.member("characteristics", characteristics) }
            if let sensor { sensor.write(to: &json, zone: zone) }
        }
    }

    private func writeTexts(to json: inout JSONWriter) {
        if let name { json.member("name", writing: { appendJSONString(name, to: &$0) }) }
        for (column, key) in Self.keys {
            if let text = device.texts[column] {
                json.member(key, writing: { appendJSONString(text, to: &$0) })
            }
        }
        if let site = device.temperatureType?.name { json.member("site", site) }
        if let interval = device.numbers[.measurementInterval] {
            json.member("measurementInterval", interval)
        }
    }

    private func writeAge(
        _ last: Instant, _ origin: GATTEvent.Origin, _ now: Instant, to json: inout JSONWriter
    ) {
        let age = now.milliseconds - last.milliseconds
        let limit = isStreaming ? Staleness.stream : Staleness.spot
        json.member("age", Staleness.seconds(age))
        json.member("stale", Staleness.isStale(age: age, limit: limit, origin: origin))
    }

    private static let keys: [(DeviceColumn, StaticString)] = [
        (.addressType, "addressType"), (.manufacturer, "manufacturer"), (.model, "model"),
        (.serial, "serial"), (.firmware, "firmware"), (.hardware, "hardware"),
        (.software, "software"),
    ]
}
