import DBus
import Measurements

/// What was counted and seen of one sensor.
struct SensorTally: Sendable {
    /// Measurements since the link came up.
    var framesOfLink = 0
    /// Values of any kind since the link came up.
    var valuesOfLink = 0
    /// Measurements since the session began.
    var frames = 0
    /// Links since the session began.
    var links = 0
    /// When it was last heard of in any way.
    var lastSeen: Instant?
    /// When the last measurement came.
    var lastFrame: Instant?
    /// The same on the clock that never jumps, in ms.
    var lastFrameBoot: Int64?
    /// The last measurement, to see whether a finger was in; at most 20 octets or so.
    var lastFrameValue: (uuid: BluetoothUUID, octets: [UInt8])?
    /// Measurements in a row, at the end, that had no value.
    var valuelessFrames = 0
    /// When the link came up.
    var linkedAt: Instant?
    /// When the last record or indication came on this link, in ms.
    var lastTransfer: Int64?
    /// When every session stood on this link, in ms.
    var armedAt: Int64?
    /// When an advert was last noted, in ms.
    var advertNotedAt: Int64?
    /// Percent.
    var battery: Int?
    /// The level that bluetoothd told on this link, in percent.
    var batteryOfLink: Int?
    /// Whether the sensor itself notified its battery level on this link.
    var isBatteryNotified = false
    /// Whether there was a bond before the link came up.
    var hadBondAtLinkUp = false
    /// When readings may have been lost, and why; nil if that is not to be feared.
    var possibleLoss: (at: Instant, why: String)?
    /// Values of characteristics that are not wanted.
    var unwanted = 0

    /// What was counted and heard before the sensor was left for a while.
    mutating func resume(_ before: SensorTally) {
        (frames, links) = (before.frames, before.links)
        (lastSeen, lastFrame, battery) = (before.lastSeen, before.lastFrame, before.battery)
    }

    /// A link begins.
    mutating func linkUp() {
        links += 1
        framesOfLink = 0
        valuesOfLink = 0
        lastTransfer = nil
        armedAt = nil
        batteryOfLink = nil
        isBatteryNotified = false
    }
}

/// Makes bluetoothd trust a sensor, without a fight with whoever does not want it.
struct SensorTrust: Sendable {
    /// Tries an object; somebody else may be setting it back.
    static let limit = 3

    private var tries = 0
    private var isPending = false

    /// Nothing was tried.
    init() {}

    /// Whether Trusted is to be set now.
    mutating func isDue(isTrusted: Bool) -> Bool {
        guard !isTrusted, !isPending, tries < Self.limit else { return false }
        tries += 1
        isPending = true
        return true
    }

    /// bluetoothd has answered.
    mutating func answered() {
        isPending = false
    }
}

extension BluetoothUUID {
    private static let measurements: Set<BluetoothUUID> = [
        .temperatureMeasurement, .intermediateTemperature, .plxSpotCheckMeasurement,
        .plxContinuousMeasurement, .heartRateMeasurement,
    ]

    /// Whether values of this characteristic are measurements of a person.
    var isMeasurementCharacteristic: Bool { Self.measurements.contains(self) }
}

extension CharacteristicObject {
    /// What a sensor is to send by itself.
    private static let wanted: Set<BluetoothUUID> = [
        .temperatureMeasurement, .intermediateTemperature, .plxSpotCheckMeasurement,
        .plxContinuousMeasurement, .recordAccessControlPoint, .heartRateMeasurement,
        .batteryLevel, .plxFeatures, .measurementInterval,
    ]

    /// Whether it is one that is to be armed.
    var isArmed: Bool {
        !flags.isDisjoint(with: [.notify, .indicate]) && Self.wanted.contains(uuid)
    }
    /// Whether its values are measurements of a person.
    var isMeasurement: Bool { uuid.isMeasurementCharacteristic }
    /// Whether it sends without end while a person wears the sensor.
    var isStreaming: Bool { uuid == .plxContinuousMeasurement || uuid == .heartRateMeasurement }
    /// How bluetoothd has it sent: notifications where the sensor offers both.
    var kind: GATTEvent.Kind { flags.contains(.notify) ? .notify : .indicate }
}
