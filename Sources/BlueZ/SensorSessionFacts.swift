import DBus
import Measurements

/// What is known of a sensor, to judge by.
extension SensorSession {
    /// All of it, at this moment.
    var facts: SensorFacts {
        var facts = SensorFacts(address)
        takeObject(into: &facts)
        takeLink(into: &facts)
        takeFrames(into: &facts)
        facts.refusal = refusal
        facts.possibleLoss = tally.possibleLoss.map { .init(at: $0.at, why: $0.why) }
        facts.clock = clockFact
        return facts
    }

    private func takeObject(into facts: inout SensorFacts) {
        facts.name = remote.name
        facts.removedAt = removedAt
        guard let object else { return }
        facts.adapter = lastComponent(of: object.adapter)
        facts.isPaired = object.hasBond || object.isPaired
        facts.isTrusted = object.isTrusted
        facts.services = object.services
    }

    private func takeLink(into facts: inout SensorFacts) {
        facts.isConnected = link.upSince != nil
        facts.linkedAt = link.upSince == nil ? nil : tally.linkedAt
        facts.isResolved = link.isResolved
        facts.isArmed = arming.isArmed
        facts.isPartlyArmed = arming.isPartlyArmed
        facts.hasObjects = !characteristics.isEmpty
        facts.emptyLinks = link.emptyLinks
        facts.isStreaming = arming.items.values.contains { $0.object.isStreaming }
        facts.keylessLinks = history.bondLoss == nil ? 0 : history.keylessLinks
        facts.flappingLinks = history.flaps ?? 0
    }

    private func takeFrames(into facts: inout SensorFacts) {
        facts.lastSeen = tally.lastSeen
        facts.lastFrame = tally.lastFrame
        facts.valuelessFrames = tally.valuelessFrames
        guard let last = tally.lastFrameValue else { return }
        let status = SensorStatus(last.uuid, last.octets)
        facts.statusNames = status.names
        facts.isUnworn = status.isUnworn
    }

    private var refusal: SensorFacts.Refusal? {
        arming.refusals.first.map { refusal in
            let kind: SensorFacts.Refusal.Kind =
                switch refusal.kind {
                case .held: .held
                case .bond: .bond
                case .permission: .permission
                case .alreadyDone, .transient, .environment, .slot, .permanent, .gone,
                    .unanswered, .unknown:
                    .other
                }
            return .init(kind, refusal.error)
        }
    }

    private var clockFact: SensorFacts.Clock {
        if let last = tally.lastFrameValue, SensorStatus(last.uuid, last.octets).isClockNotSet {
            return .notSet
        }
        switch work.clockOutcome {
        case nil, .hostNotSynchronised, .linkLost, .unreadable: return .unknown
        case .set, .right: return .right
        case .left(let behind): return behind.map { .off($0) } ?? .notSet
        case .unwritable: return .unsettable("the sensor's clock cannot be written")
        case .refused(let why): return .unsettable(why)
        case .ignored: return .unsettable("it took the time, and still shows another one")
        }
    }
}

/// What a measurement says of the sensor rather than of the person.
struct SensorStatus: Equatable, Sendable {
    /// The status bits that are set, in the standard's words.
    var names: [String] = []
    /// Whether the sensor says that it is at nobody.
    var isUnworn = false
    /// Whether the sensor says that its clock is not set.
    var isClockNotSet = false

    /// The status in the octets of a measurement; none where they do not decode.
    init(_ uuid: BluetoothUUID, _ octets: [UInt8]) {
        switch uuid {
        case .plxContinuousMeasurement:
            guard let value = try? PLXContinuousMeasurement(decoding: octets) else { return }
            take(value.measurementStatus, value.deviceAndSensorStatus)
        case .plxSpotCheckMeasurement:
            guard let value = try? PLXSpotCheckMeasurement(decoding: octets) else { return }
            take(value.measurementStatus, value.deviceAndSensorStatus)
            isClockNotSet = value.isClockNotSet
        case .heartRateMeasurement: isUnworn = Self.isOffChest(octets)
        default: break
        }
    }

    private mutating func take(
        _ measurement: MeasurementStatus?, _ device: DeviceAndSensorStatus?
    ) {
        names = (measurement?.names ?? []) + (device?.names ?? [])
        let unworn: DeviceAndSensorStatus = [
            .sensorUnconnectedToUser, .sensorDisplaced, .sensorDisconnected,
        ]
        isUnworn = !unworn.isDisjoint(with: device ?? [])
    }

    /// Contact is supported and not detected.
    private static func isOffChest(_ octets: [UInt8]) -> Bool {
        (octets.first ?? 0) & 0b110 == 0b100
    }

    /// Whether the octets of a measurement hold no value; cheap, as it is asked of each.
    static func isValueless(_ uuid: BluetoothUUID, _ octets: [UInt8]) -> Bool {
        switch uuid {
        case .plxContinuousMeasurement, .plxSpotCheckMeasurement:
            guard octets.count >= 3 else { return false }
            return MedicalFloat(sfloat: UInt16(octets[2]) << 8 | UInt16(octets[1])).number == nil
        case .heartRateMeasurement: return isOffChest(octets)
        default: return false
        }
    }
}
