internal import JSON
package import Measurements

/// Writes a recording (.gattlog, version 1) that `GattlogParser` reads back as the same events.
///
/// Where an event came from and the boot-time clock are not part of a recording.
package struct GattlogWriter: Sendable {
    private var json = JSONWriter()
    private var zone: String?
    private var addresses = RecentValues<DeviceAddress, String>()
    private var uuids = RecentValues<BluetoothUUID, String>()

    /// A writer of a recording, which begins with its first line.
    package init() {
        json.octets.append(contentsOf: "# gattlog 1\n".utf8)
    }

    /// What has been written and not yet been taken, in UTF-8.
    package var octets: [UInt8] { json.octets }

    /// Gives away what has been written, and goes on behind it.
    package mutating func take() -> [UInt8] {
        defer { json.octets.removeAll(keepingCapacity: true) }
        return json.octets
    }

    /// Writes a header or remark of one line, such as `Device: Nonin 3230`.
    package mutating func write(remark: String) {
        json.octets.append(contentsOf: "# ".utf8)
        json.octets.append(contentsOf: remark.utf8.map { $0 < 0x20 ? UInt8(ascii: " ") : $0 })
        json.octets.append(UInt8(ascii: "\n"))
    }

    /// Writes an event, after a remark on the zone where that has changed.
    package mutating func write(_ event: GATTEvent) {
        if event.zone != zone { write(remark: "Zone: \(event.zone ?? "")") }
        zone = event.zone
        let address = addresses.value(for: event.device.address) { $0.description }
        let service = text(event.service)
        let characteristic = text(event.characteristic)
        json.object { json in
            json.member("at") { appendQuoted(event.at, to: &$0) }
            json.member("event", event.kind.rawValue)
            json.member("device", address)
            writeDevice(event.device, to: &json)
            if let service { json.member("service", service) }
            if let characteristic { json.member("characteristic", characteristic) }
            if characteristic != nil { writeValue(event, to: &json) }
        }
        json.endLine()
    }

    private mutating func text(_ uuid: BluetoothUUID?) -> String? {
        guard let uuid else { return nil }
        return uuids.value(for: uuid) { $0.description }
    }
}

private func writeDevice(_ device: RemoteDevice, to json: inout JSONWriter) {
    if let name = device.name { json.member("name", name) }
    if let type = device.addressType { json.member("addressType", type) }
    if let adapter = device.adapter { json.member("adapter", adapter) }
    if let rssi = device.rssi { json.member("rssi", rssi) }
}

private func writeValue(_ event: GATTEvent, to json: inout JSONWriter) {
    json.member("value") { octets in
        octets.append(UInt8(ascii: "\""))
        appendHex(event.value, to: &octets)
        octets.append(UInt8(ascii: "\""))
    }
    if event.instance != 0 { json.member("instance", event.instance) }
    if event.isGuess { json.member("guess", true) }
}

/// Times in recordings end in Z, which is six octets shorter than `+00:00` is.
private func appendQuoted(_ instant: Instant, to octets: inout [UInt8]) {
    octets.append(UInt8(ascii: "\""))
    instant.append(to: &octets, offset: 0)
    octets.removeLast("+00:00".utf8.count)
    octets.append(contentsOf: "Z\"".utf8)
}
