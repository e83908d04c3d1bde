package import Measurements

/// What samples come from: a sensor, or another program's file.
package enum SourceDevice: Equatable, Sendable {
    /// A Bluetooth sensor.
    case sensor(RemoteDevice)
    /// A source of imported samples, by what its file calls it.
    case imported(String)

    /// The most octets of an imported source's name.
    package static let longestName = 128

    /// What it is told apart from others by; the kind counts too.
    package var identity: Identity {
        switch self {
        case .sensor(let remote): Identity(kind: .ble, address: remote.address.description)
        case .imported(let name): Identity(kind: .imported, address: name)
        }
    }

    /// What tells devices apart.
    package struct Identity: Hashable, Sendable {
        /// What kind of device it is.
        package let kind: Kind
        /// Its Bluetooth address, or what an imported source is called.
        package let address: String

        /// The identity of these parts.
        package init(kind: Kind, address: String) {
            self.kind = kind
            self.address = address
        }
    }

    /// A kind of device; the raw values are what the store and answers call it.
    package enum Kind: String, Sendable {
        /// A Bluetooth sensor.
        case ble
        /// A source of imported samples.
        case imported = "import"
    }
}

extension SourceDevice {
    /// Whether an imported source can be called so.
    package static func isName(_ text: String) -> Bool {
        (1...longestName).contains(text.utf8.count)
            && !text.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F }
    }
}
