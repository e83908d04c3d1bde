internal import ControlProtocol
internal import JSON
internal import Measurements
internal import Samples
internal import Storage

/// The answer to `help`: the verbs and how they are written.
struct HelpAnswer: Answer {
    func nextPart(from store: StoreReader, now: Instant) throws(AnswerError) -> AnswerPart {
        let lines = Verb.all.flatMap { verb in
            ["# \(verb.usage)", "#     \(verb.summary)" + (verb.needsAdmin ? " (admin)" : "")]
        }
        return AnswerPart(last: Array((lines.joined(separator: "\n") + "\n").utf8))
    }
}

/// The answer to `types`.
struct TypesAnswer: Answer {
    func nextPart(from store: StoreReader, now: Instant) throws(AnswerError) -> AnswerPart {
        var json = JSONWriter()
        for type in SampleType.allCases {
            json.object { json in
                json.member("class", "type")
                json.member("id", type.rawValue)
                json.member("aliases", type.aliases)
                json.member("unit", type.defaultUnit.rawValue)
                json.member("units", type.units.map(\.rawValue))
                json.member("minimum", type.range.lower)
                json.member("maximum", type.range.upper)
                json.member("loinc", type.loinc)
                json.member("mdc", type.mdc)
            }
            json.endLine()
        }
        return AnswerPart(last: json.octets, [(key: "n", value: "\(SampleType.allCases.count)")])
    }
}

/// The answer to `devices`: what is known of each, and when it was heard last.
struct DevicesAnswer: Answer {
    private let zone: Zone
    private var told = 0

    /// Devices of one part: each has about a thousand octets.
    private static let partSize = 100

    init(zone: Zone) {
        self.zone = zone
    }

    mutating func nextPart(
        from store: StoreReader, now: Instant
    ) throws(AnswerError) -> AnswerPart {
        let (devices, streams) = try asking { () throws(StorageError) in
            (try store.devices(), Dictionary(grouping: try store.streams()) { $0.device.id })
        }
        var json = JSONWriter()
        for device in devices.dropFirst(told).prefix(Self.partSize) {
            let row = try DeviceRow(device, streams[device.id] ?? [], store)
            row.write(to: &json, zone: zone, now: now)
            json.endLine()
            told += 1
        }
        if told < devices.count { return AnswerPart(json.octets, then: self) }
        return AnswerPart(last: json.octets, [(key: "n", value: "\(told)")])
    }
}

/// What the answer tells of one device.
private struct DeviceRow {
    private let device: Device
    private let characteristics: [String]
    private let isStreaming: Bool
    private let last: (at: Instant, origin: GATTEvent.Origin)?
    private let battery: StoredSample?

    init(_ device: Device, _ streams: [Stream], _ store: StoreReader) throws(AnswerError) {
        self.device = device
        characteristics = streams.map(\.characteristic.uuid.description)
        isStreaming = streams.contains { $0.characteristic.isStreaming }
        (last, battery) = try asking { () throws(StorageError) in
            (try store.newestReception(of: streams), try store.newestBattery(of: device))
        }
    }

    func write(to json: inout JSONWriter, zone: Zone, now: Instant) {
        json.object { json in
            json.member("class", "device")
            json.member("device", device.address)
            writeTexts(to: &json)
            json.member("subject", device.subject(at: last?.at ?? now))
            if let level = battery?.sample.value {
                json.member("battery", writing: { level.append(to: &$0) })
                json.member("batteryAt", battery?.reading.measuredFrom, in: zone)
            }
            json.member("lastReading", last?.at, in: zone)
            if let last { writeAge(last.at, last.origin, now, to: &json) }
            json.member("characteristics", characteristics)
        }
    }

    private func writeTexts(to json: inout JSONWriter) {
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
        (.name, "name"), (.addressType, "addressType"), (.manufacturer, "manufacturer"),
        (.model, "model"), (.serial, "serial"), (.firmware, "firmware"),
        (.hardware, "hardware"), (.software, "software"),
    ]
}
