package import Measurements

/// What holds at one moment between healthd and its sensors, for those who ask.
package struct RadioSnapshot: Equatable, Sendable {
    /// What holds for bluetoothd and the adapters, worst first; empty if all is well.
    package var findings: [Finding] = []
    package var adapters: [Adapter] = []
    /// The sensors that are wanted, by address.
    package var sensors: [Sensor] = []
    /// What was counted since the start: calls, timeouts, signals, by name in a fixed order.
    package var counters: [(name: String, value: Int)] = []

    /// Nothing is known.
    package init() {}

    /// One adapter.
    package struct Adapter: Equatable, Sendable {
        package var address: DeviceAddress
        /// The kernel's name, such as `hci0`.
        package var name: String
        package var isPowered: Bool
        package var isDiscovering: Bool

        /// An adapter with the given parts.
        package init(
            address: DeviceAddress, name: String, isPowered: Bool, isDiscovering: Bool
        ) {
            self.address = address
            self.name = name
            self.isPowered = isPowered
            self.isDiscovering = isDiscovering
        }
    }

    /// One wanted sensor.
    package struct Sensor: Equatable, Sendable {
        package var address: DeviceAddress
        package var name: String?
        /// The adapter's kernel name.
        package var adapter: String?
        /// One word: `live`, `connected`, `armed` (waits for its next wake), `unarmed` (is armed at its next
        /// link), `absent`, `disabled`, `failing`.
        package var state: String
        package var isPaired = false
        package var rssi: Int?
        /// Percent, as the sensor said it last.
        package var battery: Int?
        /// When it was last heard of in any way.
        package var lastSeen: Instant?
        /// When the last measurement came.
        package var lastFrame: Instant?
        /// Measurements since the link came up, and since the daemon was started.
        package var framesOfLink = 0
        package var frames = 0
        package var links = 0
        /// What holds, worst first: never empty, since it also says that all is well.
        package var findings: [Finding] = []

        /// A sensor of which nothing is known.
        package init(address: DeviceAddress, state: String) {
            self.address = address
            self.state = state
        }
    }

    package static func == (left: RadioSnapshot, right: RadioSnapshot) -> Bool {
        left.findings == right.findings && left.adapters == right.adapters
            && left.sensors == right.sensors
            && left.counters.elementsEqual(right.counters, by: ==)
    }
}

/// One true sentence about why readings come or do not come.
package struct Finding: Equatable, Sendable {
    /// How bad it is.
    package enum Level: String, Comparable, Sendable {
        case ok
        case warn
        case fail

        package static func < (left: Level, right: Level) -> Bool { left.place < right.place }

        private var place: Int {
            switch self {
            case .ok: 0
            case .warn: 1
            case .fail: 2
            }
        }
    }

    package let level: Level
    /// A word for programs, such as `bluetoothd-absent`.
    package let code: String
    /// What holds, in plain words.
    package let text: String
    /// What it is concluded from.
    package let evidence: String
    /// What to do; nil if nothing is to be done.
    package let nextStep: String?

    /// A finding with the given parts.
    package init(
        _ level: Level, _ code: String, _ text: String, evidence: String, nextStep: String? = nil
    ) {
        self.level = level
        self.code = code
        self.text = text
        self.evidence = evidence
        self.nextStep = nextStep
    }
}
