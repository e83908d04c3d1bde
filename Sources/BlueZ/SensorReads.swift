import DBus
import Measurements

/// What a sensor says of itself, read once as long as its characteristics stay the same.
///
/// One value at a time, and only when nothing more urgent is to be said on the link. What could not be
/// read because the link dropped is read on a later one; what the sensor refuses is left alone.
struct SensorReads: Sendable {
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
            !doneOnLink.contains(object.path)
        else { return false }
        return object.uuid != .batteryLevel || !hasBattery
    }

    /// Takes the answer to ReadValue in; returns the characteristic and its octets if it is one.
    mutating func reply(
        _ path: String, _ result: Result<[BusValue], BusError>
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
            doneOnLink.insert(path)
            if !ErrorClass(error, of: .read).mayGoWellLater { done.insert(path) }
            return nil
        }
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
    }

    /// The characteristic at this path is another one now, or gone.
    mutating func forget(_ path: String) {
        done.remove(path)
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
    /// Whether a read that failed so is worth a try on a later link.
    var mayGoWellLater: Bool {
        switch self {
        case .alreadyDone, .transient, .environment, .slot, .unanswered, .unknown, .gone, .bond:
            true
        case .held, .permission, .permanent: false
        }
    }
}
