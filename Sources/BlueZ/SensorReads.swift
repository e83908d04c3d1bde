import DBus
import Measurements

/// What a sensor says of itself, read once as long as its characteristics stay the same.
///
/// One value at a time, and only when nothing more urgent is to be said on the link. What bluetoothd was
/// too busy for is asked for again on the same link, what could not be read because the link dropped on
/// a later one; what the sensor refuses is left alone.
struct SensorReads: Sendable {
    /// How long a characteristic is left alone that may be read the next time, after each try, in ms.
    static let rests: [Int64] = [250, 1_000, 4_000]
    /// What is read before anything is asked of the sensor: what it can do.
    static let features: [BluetoothUUID] = [.plxFeatures]
    /// What is read when there is nothing else to do, the most telling first.
    static let description: [BluetoothUUID] = [
        .temperatureType, .measurementInterval, .bodySensorLocation, .manufacturerName,
        .modelNumber, .serialNumber, .firmwareRevision, .hardwareRevision, .softwareRevision,
        .systemID, .pnpID, .regulatoryCertification,
    ]

    private var done: Set<String> = []
    private var doneOnLink: Set<String> = []
    private var hasBattery = false
    /// What may go well soon, by path: when it is asked for again, in ms, and how often it was tried.
    private var resting: [String: (due: Int64?, tries: Int)] = [:]
    /// The characteristic that is being read.
    private(set) var reading: CharacteristicObject?
    /// The last value of each characteristic that was read, by UUID; a few octets each.
    private(set) var values: [BluetoothUUID: [UInt8]] = [:]

    /// Nothing was read.
    init() {}

    /// The next characteristic to read among `objects`; nil if there is none, or one is being read.
    mutating func next(
        _ uuids: [BluetoothUUID], among objects: [CharacteristicObject]
    ) -> CharacteristicObject? {
        guard reading == nil else { return nil }
        for uuid in uuids where reading == nil {
            reading = objects.first { $0.uuid == uuid && isWanted($0) }
        }
        return reading
    }

    private func isWanted(_ object: CharacteristicObject) -> Bool {
        guard object.flags.contains(.read), !done.contains(object.path),
            !doneOnLink.contains(object.path), resting[object.path]?.due == nil
        else { return false }
        return object.uuid != .batteryLevel || !hasBattery
    }

    /// Takes the answer to ReadValue in; returns the characteristic and its octets if it is one.
    mutating func reply(
        _ path: String, _ result: Result<[BusValue], BusError>, at now: Int64
    ) -> (object: CharacteristicObject, octets: [UInt8])? {
        guard let object = reading, object.path == path else { return nil }
        reading = nil
        switch result {
        case .success(let body):
            finish(object)
            guard let octets = body.first?.bytes else { return nil }
            values[object.uuid] = octets
            return (object, octets)
        case .failure(let error):
            failed(path, ErrorClass(error, of: .read), at: now)
            return nil
        }
    }

    private mutating func failed(_ path: String, _ kind: ErrorClass, at now: Int64) {
        let tries = resting[path]?.tries ?? 0
        if kind.mayGoWellSoon, tries < Self.rests.count {
            resting[path] = (now + Self.rests[tries], tries + 1)
        } else {
            doneOnLink.insert(path)
            if !kind.mayGoWellLater { done.insert(path) }
        }
    }

    /// When `rested(at:)` is due.
    var nextDeadline: Int64? { resting.values.lazy.compactMap(\.due).min() }

    /// Makes what was left alone for long enough wanted again; false if there is none.
    mutating func rested(at now: Int64) -> Bool {
        let rested = resting.filter { ($0.value.due ?? .max) <= now }.keys
        for path in rested { resting[path]?.due = nil }
        return !rested.isEmpty
    }

    private mutating func finish(_ object: CharacteristicObject) {
        if object.uuid == .batteryLevel {
            doneOnLink.insert(object.path)
        } else {
            done.insert(object.path)
        }
    }

    /// The battery level came by itself, so that it need not be read on this link.
    mutating func batteryCame() {
        hasBattery = true
    }

    /// The link dropped: nothing is being read any more, and the battery level is of interest again.
    mutating func linkDown() {
        reading = nil
        hasBattery = false
        doneOnLink = []
        resting = [:]
    }

    /// The characteristic at this path is another one now, or gone.
    mutating func forget(_ path: String) {
        done.remove(path)
        resting[path] = nil
        if reading?.path == path { reading = nil }
    }

    /// All characteristics are gone.
    mutating func forgetAll() {
        let values = values
        self = SensorReads()
        self.values = values
    }
}

extension ErrorClass {
    /// Whether a read that failed so is worth a try on the same link.
    var mayGoWellSoon: Bool {
        switch self {
        case .transient, .slot, .unknown: true
        case .alreadyDone, .environment, .unanswered, .gone, .bond, .held, .permission,
            .permanent:
            false
        }
    }

    /// Whether a read that failed so is worth a try on a later link.
    var mayGoWellLater: Bool {
        switch self {
        case .alreadyDone, .transient, .environment, .slot, .unanswered, .unknown, .gone, .bond:
            true
        case .held, .permission, .permanent: false
        }
    }
}
