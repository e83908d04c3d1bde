/// Something a sensor said or something said to it: the one door into healthd.
///
/// Live traffic, a replayed recording and an imported capture all become these.
package struct GATTEvent: Equatable, Sendable {
    /// What happened.
    package enum Kind: String, Equatable, Sendable {
        /// A link to the device came up.
        case connect
        /// The link went down.
        case disconnect
        /// We read a characteristic's value.
        case read
        /// The device confirmed our write of a characteristic's value.
        case write
        /// The device sent a value without asking for confirmation.
        case notify
        /// The device sent a value and got our confirmation.
        case indicate
    }

    /// Where an event came from.
    package enum Origin: Int, CaseIterable, Equatable, Sendable {
        /// A live sensor.
        case ble = 0
        /// A recording.
        case replay = 1
        /// A file of another program.
        case `import` = 2
    }

    /// What happened.
    package var kind: Kind
    /// Where the event came from.
    package var origin: Origin
    /// The device, as far as the event knows it.
    package var device: RemoteDevice
    /// The service that holds the characteristic; nil for connect and disconnect.
    package var service: BluetoothUUID?
    /// The characteristic; nil for connect and disconnect.
    package var characteristic: BluetoothUUID?
    /// The rank by handle among the device's characteristics of the same UUID, 0 first.
    package var instance: Int
    /// The value's octets as they were on the air.
    package var value: [UInt8]
    /// When the host had it.
    package var at: Instant
    /// The host's boot-time clock in ms, for live events.
    package var bootMilliseconds: Int64?
    /// The IANA name of the zone in force, where the source of the event knows it.
    package var zone: String?
    /// True if the characteristic was guessed from its handle.
    package var isGuess: Bool

    /// An event with the given parts.
    @inlinable
    package init(
        _ kind: Kind, origin: Origin, device: consuming RemoteDevice, service: BluetoothUUID? = nil,
        characteristic: BluetoothUUID? = nil, instance: Int = 0, value: consuming [UInt8] = [],
        at: Instant, bootMilliseconds: Int64? = nil, zone: String? = nil, isGuess: Bool = false
    ) {
        self.kind = kind
        self.origin = origin
        self.device = device
        self.service = service
        self.characteristic = characteristic
        self.instance = instance
        self.value = value
        self.at = at
        self.bootMilliseconds = bootMilliseconds
        self.zone = zone
        self.isGuess = isGuess
    }
}

/// A Bluetooth device as an event knows it; the address alone is its identity.
package struct RemoteDevice: Equatable, Sendable {
    /// The device's address.
    package var address: DeviceAddress
    /// The name it advertises or its 2A00 says.
    package var name: String?
    /// `public` or `random`.
    package var addressType: String?
    /// The host's adapter, such as `hci0`.
    package var adapter: String?
    /// Signal strength in dBm.
    package var rssi: Int?

    /// A device of this address.
    @inlinable
    package init(
        _ address: DeviceAddress, name: String? = nil, addressType: String? = nil,
        adapter: String? = nil, rssi: Int? = nil
    ) {
        self.address = address
        self.name = name
        self.addressType = addressType
        self.adapter = adapter
        self.rssi = rssi
    }
}

/// A 48-bit Bluetooth device address.
package struct DeviceAddress: Hashable, Sendable, CustomStringConvertible {
    /// The address in the low 48 bits.
    package let bits: UInt64

    /// The address in the low 48 bits of `bits`; the others are ignored.
    package init(bits: UInt64) {
        self.bits = bits & 0xFFFF_FFFF_FFFF
    }

    /// An address written as six pairs of hexadecimal digits with colons.
    ///
    /// - Returns: nil if the text is anything else.
    package init?(_ text: some StringProtocol) {
        let pairs = text.utf8.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        guard pairs.count == 6 else { return nil }
        var bits: UInt64 = 0
        for pair in pairs {
            guard pair.count == 2, let octets = hexOctets(pair) else { return nil }
            bits = bits << 8 | UInt64(octets[0])
        }
        self.bits = bits
    }

    /// Upper-case digits with colons, as BlueZ writes them.
    package var description: String {
        stride(from: 40, through: 0, by: -8)
            .map { hexText([UInt8(truncatingIfNeeded: bits >> UInt64($0))]).uppercased() }
            .joined(separator: ":")
    }
}
