import DBus
import Measurements

extension AdapterObject {
    /// Takes in one property, and says which of those that matter it is.
    mutating func take(_ entry: BusValue.Entry) -> AdapterProperty? {
        switch entry.key.text {
        case "Address": return takeAddress(entry.value)
        case "Powered":
            isPowered = entry.value.bool ?? isPowered
            return .isPowered
        case "Discovering":
            isDiscovering = entry.value.bool ?? isDiscovering
            return .isDiscovering
        default: return nil
        }
    }

    /// A controller without an address says zeros until it has got one.
    private mutating func takeAddress(_ value: BusValue) -> AdapterProperty? {
        guard let new = DeviceAddress(value.text ?? ""), new.bits != 0 else { return nil }
        address = new
        return .address
    }
}

extension DeviceObject {
    /// Services of one device that are kept; an advertisement and a sensor's table hold fewer.
    private static let serviceLimit = 64
    /// A device name has at most this many octets.
    private static let nameLimit = 248

    /// Takes in one property, and says which of those that matter it is.
    mutating func take(_ entry: BusValue.Entry) -> DeviceProperty? {
        guard let name = entry.key.text else { return nil }
        return takeState(name, entry.value) ?? takeDescription(name, entry.value)
    }

    private mutating func takeState(_ name: String, _ value: BusValue) -> DeviceProperty? {
        guard let flag = value.bool else { return nil }
        switch name {
        case "Connected":
            isConnected = flag
            return .isConnected
        case "ServicesResolved":
            isResolved = flag
            return .isResolved
        case "Paired":
            isPaired = flag
            return .isPaired
        case "Bonded":
            isBonded = flag
            return .isPaired
        case "Trusted":
            isTrusted = flag
            return .isTrusted
        default: return nil
        }
    }

    private mutating func takeDescription(_ name: String, _ value: BusValue) -> DeviceProperty? {
        switch name {
        case "Address":
            address = DeviceAddress(value.text ?? "") ?? address
            return .address
        case "Name":
            self.name = String(
                decoding: (value.text ?? "").utf8.prefix(Self.nameLimit), as: UTF8.self)
            return .name
        case "Appearance":
            appearance = value.integer.flatMap { UInt16(exactly: $0) }
            return .appearance
        case "RSSI":
            rssi = value.integer
            return .rssi
        case "UUIDs":
            services = (value.elements ?? []).prefix(Self.serviceLimit)
                .compactMap { BluetoothUUID($0.text ?? "") }
            return .services
        case "AddressType":
            addressType = value.text
            return nil
        default: return nil
        }
    }

    /// Takes the path of one more characteristic in, by handle.
    mutating func insert(characteristic path: String) {
        let place = characteristics.lastIndex { $0 < path }.map { $0 + 1 } ?? 0
        characteristics.insert(path, at: place)
    }
}

extension BusValue.Entry {
    /// Whether it is the interface that makes an object what it is; others add to it.
    var isObject: Bool { key == .string(BlueZNames.device) || key == .string(BlueZNames.adapter) }
}

extension [BusValue.Entry] {
    /// The property UUID.
    var uuid: BluetoothUUID? {
        first { $0.key == .string("UUID") }.flatMap { BluetoothUUID($0.value.text ?? "") }
    }

    /// The property Flags of a characteristic.
    var flags: CharacteristicObject.Flags {
        let names = first { $0.key == .string("Flags") }?.value.elements ?? []
        return names.reduce(into: []) { flags, name in
            switch name.text {
            case "read": flags.insert(.read)
            case "write": flags.insert(.write)
            case "notify": flags.insert(.notify)
            case "indicate": flags.insert(.indicate)
            default: break
            }
        }
    }
}
