internal import JSON
internal import Measurements

/// Tells what a line of a recording says, given the lines before it.
struct GattlogLineDecoder: ~Copyable {
    private let origin: GATTEvent.Origin
    private var json = JSONParser()
    private var zone: String?
    private var addresses = RecentValues<String, DeviceAddress>()
    private var uuids = RecentValues<String, BluetoothUUID>()

    /// A decoder at the start of a recording.
    init(origin: GATTEvent.Origin) {
        self.origin = origin
    }

    /// What the line of this number says.
    mutating func item(_ octets: Span<UInt8>, line: Int) -> GattlogItem {
        let text = octets.extracting(content(octets, isFirst: line == 1))
        guard !text.isEmpty else { return .ignored(line: line) }
        do throws(GattlogDamage) {
            return text[0] == UInt8(ascii: "#")
                ? try remark(text, line: line) : try event(text, line: line)
        } catch {
            return .damaged(line: line, why: error.why)
        }
    }

    private mutating func remark(
        _ text: Span<UInt8>, line: Int
    ) throws(GattlogDamage) -> GattlogItem {
        switch try GattlogRemark(text) {
        case .zone(let name): zone = name
        case .other: break
        }
        return .ignored(line: line)
    }

    private mutating func event(
        _ text: Span<UInt8>, line: Int
    ) throws(GattlogDamage) -> GattlogItem {
        try parse(text)
        let name = try json.requiredText("event")
        guard let kind = GATTEvent.Kind(rawValue: name) else {
            return .unknownEvent(String(name.prefix(64)), line: line)
        }
        var event = GATTEvent(
            kind, origin: origin, device: try json.device(try address()),
            at: try json.instant("at"), zone: zone)
        if kind != .connect, kind != .disconnect { try addValue(to: &event) }
        return .event(event, line: line)
    }

    private mutating func parse(_ text: Span<UInt8>) throws(GattlogDamage) {
        do throws(JSONError) {
            try json.parse(text)
        } catch {
            throw GattlogDamage("not JSON: \(error)")
        }
        guard json.isObject else { throw GattlogDamage("not a JSON object") }
    }

    private mutating func addValue(to event: inout GATTEvent) throws(GattlogDamage) {
        event.characteristic = try uuid("characteristic", try json.requiredText("characteristic"))
        if let service = try json.text("service") {
            event.service = try uuid("service", service)
        }
        event.value = try json.value("value")
        event.instance = try json.integer("instance", in: 0...255) ?? 0
        event.isGuess = try json.flag("guess")
    }

    private mutating func address() throws(GattlogDamage) -> DeviceAddress {
        let text = try json.requiredText("device")
        guard let address = addresses.value(for: text, { DeviceAddress($0) }) else {
            throw GattlogDamage("device", expected: "an address such as 00:1C:05:01:02:03")
        }
        return address
    }

    private mutating func uuid(
        _ key: StaticString, _ text: String
    ) throws(GattlogDamage) -> BluetoothUUID {
        guard let uuid = uuids.value(for: text, { BluetoothUUID($0) }) else {
            throw GattlogDamage(key, expected: "a UUID of 4, 8 or 32 hexadecimal digits")
        }
        return uuid
    }
}

/// The part of a line without blanks, CR and the byte order mark of a file's first line.
private func content(_ octets: Span<UInt8>, isFirst: Bool) -> Range<Int> {
    var start = 0
    var end = octets.count
    if isFirst, end >= 3, octets[0] == 0xEF, octets[1] == 0xBB, octets[2] == 0xBF { start = 3 }
    while start < end, isBlank(octets[start]) { start += 1 }
    while start < end, isBlank(octets[end - 1]) { end -= 1 }
    return start..<end
}

private func isBlank(_ octet: UInt8) -> Bool {
    octet == UInt8(ascii: " ") || octet == UInt8(ascii: "\t") || octet == UInt8(ascii: "\r")
}
