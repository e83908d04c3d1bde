internal import Measurements

/// What a device told about its attributes: services, and characteristics by their handles.
///
/// It holds over links, for hosts that know a device ask it only once.
struct AttributeTable {
    private struct Service: Equatable {
        let range: ClosedRange<UInt16>
        let uuid: BluetoothUUID
    }

    private var services: [Service] = []
    private var characteristics: [UInt16: BluetoothUUID] = [:]
    /// The handles of each UUID in their order, whose places are the instances.
    private var handles: [BluetoothUUID: [UInt16]] = [:]
    private var descriptors: Set<UInt16> = []
    private var hasDeclarations = false
    private var resolved: [UInt16: TracedCharacteristic] = [:]
    private var changesLeft = changeLimit

    /// The services of one device that are kept: devices have about ten.
    private static let serviceLimit = 128
    /// How often services of one device may be replaced by others: updates are rarer.
    private static let changeLimit = 64

    /// A table of a device that told nothing yet.
    init() {}

    /// The characteristic whose value a handle is; nil if nothing tells that.
    mutating func characteristic(at handle: UInt16) -> TracedCharacteristic? {
        if let known = resolved[handle] { return known }
        guard let uuid = characteristics[handle] else { return nil }
        let instance = handles[uuid]?.firstIndex(of: handle) ?? 0
        let found = TracedCharacteristic(
            uuid: uuid, service: service(of: handle) ?? homeService(of: uuid),
            instance: min(instance, 255), isGuess: false)
        resolved[handle] = found
        return found
    }

    /// Whether a handle is known to be no value of a characteristic.
    func isDescriptor(_ handle: UInt16) -> Bool { descriptors.contains(handle) }

    private func service(of handle: UInt16) -> BluetoothUUID? {
        services.first { $0.range.contains(handle) }?.uuid
    }

    /// Takes in a service; what was known in its place before, if it was another one, is forgotten.
    mutating func add(service uuid: BluetoothUUID, _ range: ClosedRange<UInt16>) {
        let service = Service(range: range, uuid: uuid)
        guard !services.contains(service) else { return }
        let replaced = services.filter { $0.range.overlaps(range) }
        guard replaced.isEmpty || changesLeft > 0 else { return }
        if !replaced.isEmpty { changesLeft -= 1 }
        for other in replaced { forget(other.range) }
        services.removeAll { $0.range.overlaps(range) }
        resolved = [:]
        if services.count < Self.serviceLimit { services.append(service) }
    }

    private mutating func forget(_ range: ClosedRange<UInt16>) {
        let old = characteristics.filter { range.contains($0.key) }
        for (handle, uuid) in old { remove(handle, uuid) }
        descriptors = descriptors.filter { !range.contains($0) }
    }

    private mutating func remove(_ handle: UInt16, _ uuid: BluetoothUUID) {
        characteristics[handle] = nil
        handles[uuid]?.removeAll { $0 == handle }
    }

    /// Takes in the declaration of a characteristic.
    mutating func add(characteristic uuid: BluetoothUUID, at handle: UInt16, _ room: inout Int) {
        hasDeclarations = true
        descriptors.remove(handle)
        set(handle, uuid, &room)
    }

    /// Takes in the type of an attribute, which alone does not tell a descriptor from a value.
    ///
    /// Where no characteristic is declared, types of the SIG's ranges for declarations and descriptors
    /// are neither, and all others are values. Source: Assigned Numbers 3.5 and 3.7.
    mutating func add(type uuid: BluetoothUUID, at handle: UInt16, _ room: inout Int) {
        let isNoValue = uuid.short.map { (0x2800...0x29FF).contains($0) } ?? false
        if isNoValue || (hasDeclarations && characteristics[handle] == nil) {
            if !descriptors.contains(handle), take(&room) { descriptors.insert(handle) }
        } else if !hasDeclarations {
            set(handle, uuid, &room)
        }
    }

    /// Takes in that a handle's value was read by this type.
    mutating func add(readType uuid: BluetoothUUID, at handle: UInt16, _ room: inout Int) {
        guard characteristics[handle] == nil else { return }
        set(handle, uuid, &room)
    }

    private mutating func set(_ handle: UInt16, _ uuid: BluetoothUUID, _ room: inout Int) {
        let before = characteristics[handle]
        guard before != uuid else { return }
        if let before { remove(handle, before) } else if !take(&room) { return }
        characteristics[handle] = uuid
        let place = handles[uuid, default: []].firstIndex { $0 > handle }
        handles[uuid, default: []].insert(handle, at: place ?? handles[uuid]?.count ?? 0)
        resolved = [:]
    }

    private func take(_ room: inout Int) -> Bool {
        guard room > 0 else { return false }
        room -= 1
        return true
    }
}

/// A characteristic of a device, as an event names it.
struct TracedCharacteristic {
    /// Its UUID.
    let uuid: BluetoothUUID
    /// The service that holds it; nil if nothing tells it.
    let service: BluetoothUUID?
    /// The rank by handle among those of the same UUID.
    let instance: Int
    /// Whether it is known only from what values look like.
    let isGuess: Bool
}

/// The service that the standard gives a characteristic; nil for one that is in none or several.
func homeService(of characteristic: BluetoothUUID) -> BluetoothUUID? {
    switch characteristic {
    case .plxContinuousMeasurement, .plxSpotCheckMeasurement, .plxFeatures: .pulseOximeterService
    case .temperatureMeasurement, .intermediateTemperature, .temperatureType,
        .measurementInterval:
        .healthThermometerService
    case .heartRateMeasurement, .bodySensorLocation: .heartRateService
    case .batteryLevel: .batteryService
    default: nil
    }
}
