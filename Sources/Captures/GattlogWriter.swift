internal import JSON
package import Measurements

/// Writes a recording (.gattlog, version 1) that `GattlogParser` reads back as the same events.
///
/// Where an event came from and the boot-time clock are not part of a recording.
package struct GattlogWriter: Sendable {
    /// What has been written and not yet been taken, in UTF-8.
    package private(set) var octets = Array("# gattlog 1\n".utf8)
    private var zone: String?
    private var second: (seconds: Int64, text: [UInt8])?
    private var middles = RecentValues<Middle, [UInt8]>()
    private var middle: (key: Middle, text: [UInt8])?

    /// A writer of a recording, which begins with its first line.
    package init() {}

    /// Gives away what has been written, and goes on behind it.
    package mutating func take() -> [UInt8] {
        defer { octets.removeAll(keepingCapacity: true) }
        return octets
    }

    /// Writes a header or remark of one line, such as `Device: Nonin 3230`.
    package mutating func write(remark: String) {
        octets.append(contentsOf: "# ".utf8)
        octets.append(contentsOf: remark.utf8.map { $0 < 0x20 ? UInt8(ascii: " ") : $0 })
        octets.append(UInt8(ascii: "\n"))
    }

    /// Writes an event, after a remark on the zone where that has changed.
    package mutating func write(_ event: GATTEvent) {
        if event.zone != zone { write(remark: "Zone: \(event.zone ?? "")") }
        zone = event.zone
        octets.append(contentsOf: "{\"at\":\"".utf8)
        write(event.at)
        writeMiddle(event)
        if event.characteristic != nil { writeValue(event) }
        octets.append(contentsOf: "}\n".utf8)
    }

    /// Mostly the one of the event before, which is known without making it.
    private mutating func writeMiddle(_ event: GATTEvent) {
        if middle?.key.isMiddle(of: event) != true {
            let key = Middle(of: event)
            middle = middles.value(for: key) { $0.text }.map { (key, $0) }
        }
        octets += middle?.text ?? []
    }

    /// Times in recordings end in Z, which is six octets shorter than `+00:00` is.
    private mutating func write(_ instant: Instant) {
        let seconds = instant.milliseconds.floorDivided(by: 1000)
        if second?.seconds != seconds {
            var text: [UInt8] = []
            text.append(CivilTime(secondsSince1970: seconds))
            second = (seconds, text)
        }
        octets += second?.text ?? []
        octets.append(UInt8(ascii: "."))
        octets.append(Int(instant.milliseconds - seconds * 1000), digits: 3)
        octets.append(contentsOf: "Z\"".utf8)
    }

    private mutating func writeValue(_ event: GATTEvent) {
        appendHex(event.value, to: &octets)
        octets.append(UInt8(ascii: "\""))
        if event.instance != 0 {
            octets.append(contentsOf: ",\"instance\":\(event.instance)".utf8)
        }
        if event.isGuess { octets.append(contentsOf: ",\"guess\":true".utf8) }
    }
}

/// What stands between the time and the value of an event: the same for hundreds of events in a row.
private struct Middle: Equatable, Sendable {
    private let kind: GATTEvent.Kind
    private let device: RemoteDevice
    private let service: BluetoothUUID?
    private let characteristic: BluetoothUUID?

    init(of event: GATTEvent) {
        kind = event.kind
        device = event.device
        service = event.service
        characteristic = event.characteristic
    }

    /// Whether an event has the same.
    func isMiddle(of event: GATTEvent) -> Bool {
        kind == event.kind && characteristic == event.characteristic && service == event.service
            && device == event.device
    }

    /// From the comma behind the time to the quote before the value, or to the last member.
    var text: [UInt8] {
        var json = JSONWriter()
        json.object { json in
            json.member("event", kind.rawValue)
            json.member("device", device.address.description)
            writeDevice(to: &json)
            if let service { json.member("service", service.description) }
            if let characteristic { json.member("characteristic", characteristic.description) }
            if characteristic != nil { json.member("value", "") }
        }
        return [UInt8(ascii: ",")]
            + json.octets[1..<json.octets.count - (characteristic == nil ? 1 : 2)]
    }

    private func writeDevice(to json: inout JSONWriter) {
        if let name = device.name { json.member("name", name) }
        if let type = device.addressType { json.member("addressType", type) }
        if let adapter = device.adapter { json.member("adapter", adapter) }
        if let rssi = device.rssi { json.member("rssi", rssi) }
    }
}
