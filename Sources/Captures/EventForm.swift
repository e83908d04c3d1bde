internal import JSON
internal import Measurements

/// An event without its value and its time: the same for hundreds of events in a row.
struct EventForm: Equatable, Sendable {
    private let kind: GATTEvent.Kind
    private let device: RemoteDevice
    private let service: BluetoothUUID?
    private let characteristic: BluetoothUUID?
    private let instance: Int
    private let isGuess: Bool

    /// The form of an event.
    init(of event: GATTEvent) {
        kind = event.kind
        device = event.device
        service = event.service
        characteristic = event.characteristic
        instance = event.instance
        isGuess = event.isGuess
    }

    /// Whether an event has it.
    func isForm(of event: GATTEvent) -> Bool {
        kind == event.kind && characteristic == event.characteristic && service == event.service
            && instance == event.instance && isGuess == event.isGuess && device == event.device
    }

    /// Whether it has a value.
    var hasValue: Bool { characteristic != nil }

    /// From the first member behind the time to the value, or to the end of the last member.
    var beforeValue: [UInt8] {
        var json = JSONWriter()
        json.object { json in
            json.member("event", kind.rawValue)
            json.member("device", device.address.description)
            writeDevice(to: &json)
            if let service { json.member("service", service.description) }
            if let characteristic { json.member("characteristic", characteristic.description) }
            if hasValue { json.member("value", "") }
        }
        return Array(json.octets.dropFirst().dropLast(hasValue ? 2 : 1))
    }

    /// From behind the value to the end of the last member.
    var behindValue: [UInt8] {
        let place = instance == 0 ? "" : ",\"instance\":\(instance)"
        let guess = isGuess ? ",\"guess\":true" : ""
        return Array((hasValue ? "\"\(place)\(guess)" : "").utf8)
    }

    private func writeDevice(to json: inout JSONWriter) {
        if let name = device.name { json.member("name", name) }
        if let type = device.addressType { json.member("addressType", type) }
        if let adapter = device.adapter { json.member("adapter", adapter) }
        if let rssi = device.rssi { json.member("rssi", rssi) }
    }
}
