package import Measurements

/// What became different in bluetoothd's objects.
package enum TreeChange: Equatable, Sendable {
    /// An adapter is there, with a real address.
    case adapterAdded(path: String)
    /// These properties of an adapter were announced, maybe with the values that they had.
    case adapterChanged(path: String, Set<AdapterProperty>)
    /// An adapter is gone; what it was.
    case adapterRemoved(AdapterObject)
    /// A device is there.
    case deviceAdded(path: String)
    /// These properties of a device were announced, maybe with the values that they had.
    case deviceChanged(path: String, Set<DeviceProperty>)
    /// A device is gone, and its characteristics with it; what it was.
    case deviceRemoved(DeviceObject)
    /// A characteristic is there, or its service became known.
    case characteristicAdded(path: String)
    /// A characteristic is gone; what it was.
    case characteristicRemoved(CharacteristicObject)
    /// A characteristic was notified, indicated or read.
    case value(path: String, [UInt8])
    /// bluetoothd read or was notified of the battery level of a device, in percent.
    case battery(device: String, Int)
    /// A device's link ended for this reason, such as `org.bluez.Reason.Timeout`; from BlueZ 5.83 on.
    case disconnected(device: String, reason: String, text: String)
    /// bluetoothd is ready to have an agent registered.
    case agentManagerAdded
}

/// The properties of an adapter that matter here.
package enum AdapterProperty: Hashable, Sendable {
    case address
    case isPowered
    case isDiscovering
    /// GattManager1 appeared.
    case gattManager
}

/// The properties of a device that matter here.
package enum DeviceProperty: Hashable, Sendable {
    case address
    case name
    case appearance
    case rssi
    case services
    case isPaired
    case isTrusted
    case isConnected
    case isResolved
}

/// An Adapter1 object.
package struct AdapterObject: Equatable, Sendable {
    package let path: String
    /// nil while bluetoothd has not read it from the controller.
    package var address: DeviceAddress?
    package var isPowered = false
    /// Whether anybody searches with it.
    package var isDiscovering = false
    /// Whether applications can be registered.
    package var hasGattManager = false

    /// The kernel's name, such as `hci0`.
    package var name: String { lastComponent(of: path) }

    /// An adapter of which only the path is known.
    package init(path: String) {
        self.path = path
    }
}

/// A Device1 object.
package struct DeviceObject: Equatable, Sendable {
    package let path: String
    package var address: DeviceAddress
    /// `public` or `random`.
    package var addressType: String?
    /// At most 248 octets, as in the standard.
    package var name: String?
    package var appearance: UInt16?
    /// In dBm; nil if it was not heard while searching.
    package var rssi: Int?
    /// The services, as advertised or found.
    package var services: [BluetoothUUID] = []
    package var isPaired = false
    /// nil before BlueZ 5.65.
    package var isBonded: Bool?
    package var isTrusted = false
    package var isConnected = false
    package var isResolved = false
    /// In percent.
    package var battery: Int?
    /// The paths of its characteristics, by handle.
    package var characteristics: [String] = []

    /// The object path of the adapter that it belongs to.
    package var adapter: String { parent(of: path) }
    /// Whether there is a bond, as far as this BlueZ says.
    package var hasBond: Bool { isBonded ?? isPaired }
    /// Whether a service with readings was advertised or found.
    package var offersHealth: Bool { services.contains(where: \.isHealthService) }

    /// A device of which only this is known.
    package init(path: String, address: DeviceAddress) {
        self.path = path
        self.address = address
    }
}

/// A GattCharacteristic1 object.
package struct CharacteristicObject: Equatable, Sendable {
    package let path: String
    package let uuid: BluetoothUUID
    /// nil as long as the service's object is not known.
    package var service: BluetoothUUID?
    /// What can be done with it.
    package let flags: Flags
    /// The rank by handle among the device's characteristics of the same UUID, 0 first.
    package var instance = 0

    /// The object path of the device that it belongs to.
    package let device: String

    /// What can be done with a characteristic.
    package struct Flags: OptionSet, Sendable {
        package let rawValue: UInt8

        /// The set of these bits.
        package init(rawValue: UInt8) {
            self.rawValue = rawValue
        }

        package static let read = Flags(rawValue: 1)
        /// Written with a response.
        package static let write = Flags(rawValue: 2)
        package static let notify = Flags(rawValue: 4)
        package static let indicate = Flags(rawValue: 8)
    }

    /// A characteristic at this path.
    package init(path: String, uuid: BluetoothUUID, flags: Flags) {
        self.path = path
        self.uuid = uuid
        self.flags = flags
        device = parent(of: parent(of: path))
    }
}

/// The path without its last component.
func parent(of path: String) -> String {
    let octets = path.utf8
    guard let slash = octets.lastIndex(of: UInt8(ascii: "/")) else { return "" }
    return String(path[..<slash])
}

/// The path's last component.
func lastComponent(of path: String) -> String {
    let octets = path.utf8
    guard let slash = octets.lastIndex(of: UInt8(ascii: "/")) else { return path }
    return String(path[octets.index(after: slash)...])
}
