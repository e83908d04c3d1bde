package import DBus
package import Measurements

/// The names that bluetoothd and the bus give to things, each spelled once.
///
/// Source: BlueZ, doc/org.bluez.*.rst; D-Bus Specification, "Standard Interfaces".
package enum BlueZNames {
    /// The name that bluetoothd owns.
    package static let service = "org.bluez"
    /// The object with AgentManager1; every other object of bluetoothd is below it.
    package static let root = "/org/bluez"

    package static let adapter = "org.bluez.Adapter1"
    package static let device = "org.bluez.Device1"
    package static let gattService = "org.bluez.GattService1"
    package static let characteristic = "org.bluez.GattCharacteristic1"
    package static let battery = "org.bluez.Battery1"
    package static let gattManager = "org.bluez.GattManager1"
    package static let agentManager = "org.bluez.AgentManager1"

    package static let properties = "org.freedesktop.DBus.Properties"
    package static let objectManager = "org.freedesktop.DBus.ObjectManager"
    package static let introspectable = "org.freedesktop.DBus.Introspectable"
    /// The name, and the interface, of the bus itself.
    package static let bus = "org.freedesktop.DBus"
    package static let busPath = "/org/freedesktop/DBus"

    /// The name of the service that tells when the host is going to sleep.
    package static let login = "org.freedesktop.login1"
    package static let loginManager = "org.freedesktop.login1.Manager"
}

extension BusError {
    package static let accessDenied = "org.freedesktop.DBus.Error.AccessDenied"
    package static let unknownObject = "org.freedesktop.DBus.Error.UnknownObject"
    package static let nameHasNoOwner = "org.freedesktop.DBus.Error.NameHasNoOwner"
}

extension Call {
    /// Sets a property of an object of bluetoothd.
    package static func set(
        _ property: String, of interface: String, at path: String, to value: BusValue
    ) -> Call {
        Call(
            path: path, interface: BlueZNames.properties, member: "Set",
            [.string(interface), .string(property), .variant(value)])
    }

    /// Makes bluetoothd trust a device, or not: an unbonded one is kept only while it is trusted.
    package static func setTrusted(_ isTrusted: Bool, device path: String) -> Call {
        set("Trusted", of: BlueZNames.device, at: path, to: .boolean(isTrusted))
    }

    /// A method of a device object without arguments.
    package static func device(
        _ member: String, at path: String, patience: Int64 = 10_000
    ) -> Call {
        Call(path: path, interface: BlueZNames.device, member: member, patience: patience)
    }

    /// Asks for a characteristic's value.
    package static func readValue(at path: String, patience: Int64 = 35_000) -> Call {
        Call(
            path: path, interface: BlueZNames.characteristic, member: "ReadValue",
            [.properties([])], patience: patience)
    }

    /// Writes a characteristic's value, and wants it confirmed by the device.
    package static func writeValue(
        _ octets: [UInt8], at path: String, patience: Int64 = 35_000
    ) -> Call {
        Call(
            path: path, interface: BlueZNames.characteristic, member: "WriteValue",
            [.octets(octets), .properties([("type", .string("request"))])], patience: patience)
    }
}

extension BluetoothUUID {
    /// Local Time Information.
    package static let localTimeInformation = BluetoothUUID(0x2A0F)
    /// Current Time service.
    package static let currentTimeService = BluetoothUUID(0x1805)

    /// Whether it is a service with readings that healthd keeps.
    package var isHealthService: Bool {
        self == .pulseOximeterService || self == .healthThermometerService
            || self == .heartRateService
    }
}
