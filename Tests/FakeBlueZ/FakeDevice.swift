import DBus

/// An adapter as bluetoothd shows it.
struct FakeAdapter {
    /// The kernel's name, such as `hci0`.
    let name: String
    var address: String
    var isPowered = true
    /// Whether the kernel keeps the radio off.
    var isBlocked = false
    /// The clients that look for devices, by their unique names.
    var discoverers: Set<String> = []

    var path: String { "/org/bluez/\(name)" }

    var properties: [(String, BusValue)] {
        [
            ("Address", .string(address)), ("AddressType", .string("public")),
            ("Name", .string("BlueZ 5.66")), ("Alias", .string("BlueZ 5.66")),
            ("Powered", .boolean(isPowered)), ("Discovering", .boolean(!discoverers.isEmpty)),
            ("Pairable", .boolean(true)),
        ]
    }
}

/// A sensor as bluetoothd knows it.
struct FakeDevice {
    let path: String
    /// The path of its adapter.
    let adapter: String
    let address: String
    var isPaired = false
    var isTrusted = false
    var isConnected = false
    var isResolved = false
    /// Whether a call of Disconnect is at work.
    var isDisconnecting = false
    /// Whether bluetoothd forgets it in a while.
    var isTemporary = true
    /// Whether the kernel connects to it by itself.
    var connectsByItself = false
    var wasConnected = false
    /// Whether its services are objects on the bus.
    var isExported = false
    var hasBatteryObject = false
    /// In dBm, while somebody looks for devices.
    var rssi: Int16?
    /// Raised at each link and at its end, so that what was planned for one does not hit the next.
    var link = 0
    /// The characteristics that bluetoothd has subscribed to on this link, by path.
    var armed: Set<String> = []
    /// The characteristics that bluetoothd says are notifying, true or not.
    var notifying: Set<String> = []

    /// The path of a sensor's object under an adapter.
    static func path(_ address: String, under adapter: String) -> String {
        "\(adapter)/dev_\(address.replacing(":", with: "_"))"
    }

    func properties(of sensor: FakeSensor) -> [(String, BusValue)] {
        let services = wasConnected ? sensor.services.map(\.uuid) : sensor.advertised
        var list: [(String, BusValue)] = [
            ("Address", .string(address)), ("AddressType", .string("random")),
            ("Alias", .string(sensor.name ?? address.replacing(":", with: "-"))),
            ("Paired", .boolean(isPaired)), ("Bonded", .boolean(isPaired)),
            ("Trusted", .boolean(isTrusted)), ("Blocked", .boolean(false)),
            ("Connected", .boolean(isConnected)), ("ServicesResolved", .boolean(isResolved)),
            ("UUIDs", .array(of: "s", services.map { .string(longUUID($0)) })),
            ("Adapter", .objectPath(adapter)),
        ]
        sensor.name.map { list.append(("Name", .string($0))) }
        sensor.appearance.map { list.append(("Appearance", .uint16($0))) }
        rssi.map { list.append(("RSSI", .int16($0))) }
        return list
    }
}

/// A UUID of the SIG in full.
package func longUUID(_ short: String) -> String {
    "0000\(short)-0000-1000-8000-00805f9b34fb"
}

/// An object of a sensor's service or characteristic.
struct FakeAttribute {
    let path: String
    let interface: String
    let properties: [(String, BusValue)]
    /// The number of the characteristic; nil for a service.
    let characteristic: FakeCharacteristic?
}

extension FakeDevice {
    /// The objects of a sensor's services, in the order of their handles.
    func attributes(of sensor: FakeSensor) -> [FakeAttribute] {
        var handle = 6
        return sensor.services.flatMap { service -> [FakeAttribute] in
            let head = attribute(of: service, handle)
            let rest = service.characteristics.enumerated().map { place, characteristic in
                attribute(of: characteristic, in: head.path, handle + 1 + 3 * place)
            }
            handle += 2 + 3 * service.characteristics.count
            return [head] + rest
        }
    }

    private func attribute(of service: FakeService, _ handle: Int) -> FakeAttribute {
        FakeAttribute(
            path: "\(path)/service\(fourDigits(handle))", interface: "org.bluez.GattService1",
            properties: [
                ("UUID", .string(longUUID(service.uuid))), ("Device", .objectPath(path)),
                ("Primary", .boolean(true)), ("Includes", .array(of: "o", [])),
            ], characteristic: nil)
    }

    private func attribute(
        of characteristic: FakeCharacteristic, in service: String, _ handle: Int
    ) -> FakeAttribute {
        let path = "\(service)/char\(fourDigits(handle))"
        var properties: [(String, BusValue)] = [
            ("UUID", .string(longUUID(characteristic.uuid))), ("Service", .objectPath(service)),
            ("Value", .octets([])),
            ("Flags", .array(of: "s", characteristic.flags.map { .string($0) })),
            ("MTU", .uint16(517)),
        ]
        if !characteristic.flags.filter({ ["notify", "indicate"].contains($0) }).isEmpty {
            properties.append(("Notifying", .boolean(notifying.contains(path))))
        }
        return FakeAttribute(
            path: path, interface: "org.bluez.GattCharacteristic1", properties: properties,
            characteristic: characteristic)
    }

    private func fourDigits(_ number: Int) -> String {
        let text = String(number, radix: 16)
        return String(repeating: "0", count: 4 - text.count) + text
    }
}
