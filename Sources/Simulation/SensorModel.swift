internal import Measurements

/// A make-believe sensor: what it answers when read, and what it sends while a link is up.
protocol SensorModel: Sendable {
    /// The sensor's address and name.
    var device: RemoteDevice { get }
    /// The header lines of its recordings.
    var headers: [String] { get }
    /// What is read at the start of each link.
    var introduction: [Packet] { get }
    /// Milliseconds from one packet to the next, but for jitter.
    var interval: Int { get }

    /// The packet that the sensor sends at a time.
    mutating func packet(at time: Instant, _ random: inout RandomNumbers) -> Packet
}

/// A characteristic's value on its way to the host.
struct Packet: Sendable {
    /// The way it goes.
    let kind: GATTEvent.Kind
    /// The service that holds the characteristic.
    let service: BluetoothUUID
    /// The characteristic.
    let characteristic: BluetoothUUID
    /// The octets.
    let value: [UInt8]

    /// A packet with the given parts.
    init(
        _ kind: GATTEvent.Kind, _ service: BluetoothUUID, _ characteristic: BluetoothUUID,
        _ value: [UInt8]
    ) {
        self.kind = kind
        self.service = service
        self.characteristic = characteristic
        self.value = value
    }

    /// The answer to a read of a text of the Device Information service.
    static func information(_ characteristic: BluetoothUUID, _ text: String) -> Packet {
        Packet(.read, .deviceInformationService, characteristic, Array(text.utf8))
    }

    /// The answer to a read of the Battery Level, in percent.
    static func battery(_ level: UInt8) -> Packet {
        Packet(.read, .batteryService, .batteryLevel, [level])
    }
}

extension [UInt8] {
    /// Appends an SFLOAT of a mantissa, -2048 to 2047, and an exponent, -8 to 7.
    mutating func appendSFLOAT(_ mantissa: Int, exponent: Int) {
        append(
            word: UInt16(truncatingIfNeeded: mantissa) & 0x0FFF
                | UInt16(truncatingIfNeeded: exponent) << 12)
    }

    /// Appends two octets, the low one first.
    mutating func append(word: UInt16) {
        append(UInt8(truncatingIfNeeded: word))
        append(UInt8(truncatingIfNeeded: word >> 8))
    }
}
