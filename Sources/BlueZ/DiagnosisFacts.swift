package import DBus
package import Measurements

/// What is known of the bus, bluetoothd, the adapters and this computer, to judge by.
package struct RadioFacts: Equatable, Sendable {
    /// Where bluetoothd stands.
    package enum Daemon: Equatable, Sendable {
        /// The bus cannot be reached; why.
        case noBus(BusError)
        /// The bus forbids us to talk with bluetoothd.
        case denied(BusError)
        /// Nobody owns org.bluez; since when, if somebody has since our start.
        case absent(since: Instant?)
        /// It owns its name and does not answer; since when, and how many calls in a row.
        case unresponsive(since: Instant, calls: Int)
        case present
    }

    /// One adapter.
    package struct Adapter: Equatable, Sendable {
        package var address: DeviceAddress
        /// The kernel's name, such as `hci0`.
        package var name: String
        package var isPowered: Bool
        /// Since when a search runs on it that is not ours; nil if none does.
        package var searchedSince: Instant?

        /// An adapter with the given parts.
        package init(
            address: DeviceAddress, name: String, isPowered: Bool, searchedSince: Instant? = nil
        ) {
            self.address = address
            self.name = name
            self.isPowered = isPowered
            self.searchedSince = searchedSince
        }
    }

    package var daemon: Daemon
    package var adapters: [Adapter] = []
    /// The kernel's blocks of radios, as far as it was asked.
    package var block = RadioBlock.unknown
    /// Whether our profile could not be registered: then no sensor is connected by itself; why.
    package var profileFailure: BusError?
    /// Whether this computer's clock is known to be right; nil if it was not asked.
    package var isClockSynchronised: Bool?

    /// Facts of which only this is known.
    package init(daemon: Daemon) {
        self.daemon = daemon
    }

    /// Whether sensors can come at all.
    var isReady: Bool { daemon == .present && adapters.contains(where: \.isPowered) }
}

/// What is known of one wanted sensor, to judge by.
package struct SensorFacts: Equatable, Sendable {
    /// Why a characteristic is not armed.
    package struct Refusal: Equatable, Sendable {
        /// What kind of refusal it is.
        package enum Kind: Equatable, Sendable {
            /// Another program has the characteristic for itself.
            case held
            /// The link is not encrypted as the sensor wants it.
            case bond
            /// bluetoothd or the sensor forbids it.
            case permission
            /// Something else.
            case other
        }

        package let kind: Kind
        package let error: BusError

        /// A refusal with the given parts.
        package init(_ kind: Kind, _ error: BusError) {
            self.kind = kind
            self.error = error
        }
    }

    /// A reading that may have been lost.
    package struct Loss: Equatable, Sendable {
        package let at: Instant
        /// Why that may be, as a sentence.
        package let why: String

        /// A loss with the given parts.
        package init(at: Instant, why: String) {
            self.at = at
            self.why = why
        }
    }

    /// How far a sensor that is not wanted has been left with its readings.
    package enum Dismissal: Equatable, Sendable {
        /// Its link is up, and is let end first.
        case linked
        case underWay
        case left
        case failed(BusError)
        /// It has no bond: bluetoothd would remove it, so that nothing is done.
        case unbonded
    }

    /// What the sensor's own clock showed last.
    package enum Clock: Equatable, Sendable {
        case unknown
        case right
        case notSet
        /// It is off by so many seconds.
        case off(Int64)
        /// It could not be set, in words.
        case unsettable(String)
    }

    package var address: DeviceAddress
    package var name: String?
    /// Whether the configuration wants it.
    package var isEnabled = true
    /// What was done about a sensor that is not wanted; nil for others, and for one that is not known.
    package var dismissal: Dismissal?
    /// The adapter that it is to be reached by; nil means any.
    package var wantedAdapter: DeviceAddress?
    /// The kernel's name of the adapter that knows it; nil if none does.
    package var adapter: String?
    package var isPaired = false
    package var isTrusted = false
    /// When another program removed it from bluetoothd; nil if none did.
    package var removedAt: Instant?
    /// The adapter that holds its bond and is not there; nil if there is none.
    package var missingAdapter: DeviceAddress?
    package var isConnected = false
    /// When the link came up; nil if it is down.
    package var linkedAt: Instant?
    package var isResolved = false
    /// Whether every session that is wanted stands, or at least one.
    package var isArmed = false
    package var isPartlyArmed = false
    /// Whether bluetoothd shows what the sensor offers: not before its first link since it was started.
    package var hasObjects = true
    /// The services, as advertised or found.
    package var services: [BluetoothUUID] = []
    /// Whether services were resolved with no object in them, and how often.
    package var emptyLinks = 0
    /// Whether it sends about once a second while it is worn.
    package var isStreaming = false
    /// When it was last heard of in any way.
    package var lastSeen: Instant?
    /// When the last measurement came.
    package var lastFrame: Instant?
    /// How many measurements in a row, at the end, had no value.
    package var valuelessFrames = 0
    /// What the sensor itself said of them, in the standard's words.
    package var statusNames: [String] = []
    /// Whether a measurement said that the sensor is at nobody.
    package var isUnworn = false
    /// Links in a row that ended for want of a key, or at once without a word, on a bonded sensor.
    package var keylessLinks = 0
    /// Links in the burst of short links that goes on now; 0 if none does.
    package var flappingLinks = 0
    /// Why the last arming failed; nil if it did not.
    package var refusal: Refusal?
    /// When a reading may have been lost, and why; nil if none may.
    package var possibleLoss: Loss?
    package var clock = Clock.unknown

    /// Facts of which only this is known.
    package init(_ address: DeviceAddress) {
        self.address = address
    }
}
