internal import Measurements

/// The sensors that a window has heard of, and what the operator was told of them.
struct PairingCandidates {
    /// Devices remembered: a search in a hospital ward hears a few hundred.
    static let deviceLimit = 256
    /// Candidates shown: more than a person reads in a window.
    static let candidateLimit = 32
    /// Messages about them in one window: each candidate some ten times.
    static let messageLimit = 300
    /// The change of the signal, in dB, that is worth saying.
    static let signalStep = 8

    private(set) var devices: [String: PairingDevice] = [:]
    private var told: [DeviceAddress: Candidate] = [:]
    private var messages = 0

    /// Keeps what is known of a device now; strangers beyond the limit are dropped.
    mutating func keep(_ device: PairingDevice, isWished: Bool) {
        guard devices[device.path] != nil || devices.count < Self.deviceLimit || isWished else {
            return
        }
        devices[device.path] = device
    }

    /// Forgets a device object.
    mutating func remove(_ path: String) {
        devices[path] = nil
    }

    /// The sensor has to be heard again before it counts as there.
    mutating func forgetSignal(of path: String, isGone: Bool) {
        if isGone { devices[path] = nil } else { devices[path]?.rssi = nil }
    }

    /// The device object to pair a sensor by: where the bond is, else a link, else the best signal.
    func best(_ address: DeviceAddress, on adapters: Set<String>) -> PairingDevice? {
        devices.values
            .filter { $0.address == address && adapters.contains($0.adapter) }
            .max { ($0.merit, $1.path) < ($1.merit, $0.path) }
    }

    /// The addresses of what looks like a health sensor, in order.
    func addresses(on adapters: Set<String>) -> [DeviceAddress] {
        let found = devices.values.filter { $0.isHealthSensor && adapters.contains($0.adapter) }
        return Set(found.map(\.address)).sorted { $0.bits < $1.bits }
    }

    /// The candidate to be told of, if it is new or has changed much.
    mutating func news(of device: PairingDevice) -> Candidate? {
        let candidate = device.candidate
        let last = told[device.address]
        guard last.map({ candidate.differs(from: $0) }) ?? (told.count < Self.candidateLimit),
            messages < Self.messageLimit
        else { return nil }
        messages += 1
        told[device.address] = candidate
        return candidate
    }

    /// Whether the operator was told of this sensor.
    func isTold(_ address: DeviceAddress) -> Bool { told[address] != nil }
}

extension PairingDevice {
    /// Whether its services, appearance or name say that it measures what we read.
    var isHealthSensor: Bool {
        !healthServices.isEmpty || appearance.map(Self.isHealthAppearance) ?? false
            || name.map(Self.isSensorName) ?? false
    }

    /// The services of it that we read.
    var healthServices: [BluetoothUUID] {
        Self.healthServices.filter(services.contains)
    }

    /// Whether bluetoothd has exported a characteristic that measurements come from.
    var hasMeasurement: Bool { !Self.measurements.isDisjoint(with: characteristics) }

    /// Whether it can be talked to now: it was heard, or has a link, or comes by itself.
    var isReachable: Bool { rssi != nil || isConnected || isPaired }

    /// How people call it: its name and address.
    var title: String { name.map { "\($0) (\(address))" } ?? address.description }

    fileprivate var candidate: Candidate {
        Candidate(
            address: address, name: name, services: healthServices, rssi: rssi, isPaired: isPaired)
    }

    /// Bond before link before signal.
    fileprivate var merit: Int {
        (isPaired ? 2000 : 0) + (isConnected ? 1000 : 0) + (rssi ?? -500)
    }

    private static let healthServices: [BluetoothUUID] = [
        .healthThermometerService, .heartRateService, .pulseOximeterService,
    ]

    /// The characteristics that measurements come from.
    static let measurements: Set<BluetoothUUID> = [
        .temperatureMeasurement, .intermediateTemperature, .heartRateMeasurement,
        .plxSpotCheckMeasurement, .plxContinuousMeasurement,
    ]

    /// Source: Bluetooth Assigned Numbers, Appearance: 12 thermometer, 13 heart rate, 49 pulse oximeter.
    private static func isHealthAppearance(_ value: UInt16) -> Bool {
        [0x0300, 0x0340, 0x0C40].contains(value & 0xFFC0)
    }

    private static func isSensorName(_ name: String) -> Bool {
        let name = name.uppercased()
        return sensorNames.contains(where: name.hasPrefix)
    }

    /// How the names of sensors begin that do not say in their advertisements what they are.
    private static let sensorNames = [
        "A&D_UT201", "UT201", "NONIN", "MIGHTYSAT", "FT95", "TD1241", "TAIDOC TD1241",
        "FORA IR", "YHW-6", "MC-280B", "POLAR H", "POLAR OH", "POLAR SENSE",
    ]
}

extension Candidate {
    /// Whether it is worth telling again.
    fileprivate func differs(from other: Candidate) -> Bool {
        if name != other.name || services != other.services || isPaired != other.isPaired {
            return true
        }
        guard let rssi else { return false }
        return other.rssi.map { abs($0 - rssi) >= PairingCandidates.signalStep } ?? true
    }
}
