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

    init(zone: Zone) {
        self.zone = zone
    }

    func nextPart(from store: StoreReader, now: Instant) throws(AnswerError) -> AnswerPart {
        let (devices, streams) = try asking { () throws(StorageError) in
            (try store.devices(), Dictionary(grouping: try store.streams()) { $0.device.id })
        }
        var json = JSONWriter()
        for device in devices {
            let row = try DeviceRow(device, streams[device.id] ?? [], store)
            row.write(to: &json, zone: zone, now: now)
            json.endLine()
        }
        return AnswerPart(last: json.octets, [(key: "n", value: "\(devices.count)")])
    }
}

/// What the answer tells of one device.
private struct DeviceRow {
    private let device: Device
    private let characteristics: [String]
    private let lastReading: Instant?
    private let isStreaming: Bool
    private let battery: StoredSample?

    /// Ages beyond which a device's last reading is stale, in ms.
    private static let streamAge: Int64 = 10_000
    private static let spotAge: Int64 = 12 * 3_600_000

    init(_ device: Device, _ streams: [Stream], _ store: StoreReader) throws(AnswerError) {
        self.device = device
        characteristics = streams.map(\.characteristic.uuid.description)
        isStreaming = streams.contains { $0.characteristic.isStreaming }
        (lastReading, battery) = try asking { () throws(StorageError) in
            var last: Instant?
            for stream in streams {
                guard let time = try store.newestReception(of: stream) else { continue }
                last = max(last ?? time, time)
            }
            var query = SampleQuery(types: [.batteryLevel], newest: try store.newestSeq())
            query.device = device.id
            return (last, try store.newest(of: query))
        }
    }

    func write(to json: inout JSONWriter, zone: Zone, now: Instant) {
        json.object { json in
            json.member("class", "device")
            json.member("device", device.address)
            writeTexts(to: &json)
            json.member("subject", device.subject(at: lastReading ?? now))
            if let level = battery?.sample.value {
                json.member("battery", writing: { level.append(to: &$0) })
                json.member("batteryAt", battery?.reading.measuredFrom, in: zone)
            }
            json.member("lastReading", lastReading, in: zone)
            if let lastReading { writeAge(since: lastReading, now, to: &json) }
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

    private func writeAge(since last: Instant, _ now: Instant, to json: inout JSONWriter) {
        let age = now.milliseconds - last.milliseconds
        json.member("age", max(0, age / 1000))
        json.member("stale", age > (isStreaming ? Self.streamAge : Self.spotAge))
    }

    private static let keys: [(DeviceColumn, StaticString)] = [
        (.name, "name"), (.addressType, "addressType"), (.manufacturer, "manufacturer"),
        (.model, "model"), (.serial, "serial"), (.firmware, "firmware"),
        (.hardware, "hardware"), (.software, "software"),
    ]
}
