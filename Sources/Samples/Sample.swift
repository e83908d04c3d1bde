package import Measurements

/// One value decoded from a reading; never stored.
package struct Sample: Equatable, Sendable {
    /// The fixed place of the field in its packet; the second half of the sample's id.
    package let index: Int
    /// What it measures.
    package let type: SampleType
    /// The number as sent; nil if there is none.
    package let value: DecimalNumber?
    /// Why there is no number.
    package let absent: String?
    /// The unit that the sensor used.
    package let unit: SampleUnit
    /// How it was measured.
    package let modality: Modality
    /// How far it can be relied on.
    package let quality: Quality
    /// The packet's status bits.
    package let status: PacketStatus
    /// Where on the body, where the packet says it.
    package let site: TemperatureType?
}

/// The status bits of a packet that concern all of its samples.
package struct PacketStatus: Equatable, Sendable {
    /// Measurement Status, where the packet has it.
    package var measurement: MeasurementStatus?
    /// Device and Sensor Status, where the packet has it.
    package var sensor: DeviceAndSensorStatus?
    /// Whether a strap reports that it lost the skin.
    package var isContactLost = false

    /// A packet without status bits.
    package static let none = PacketStatus()

    /// The names of the bits that are set.
    package var names: [String] {
        (measurement?.names ?? []) + (sensor?.names ?? [])
            + (isContactLost ? ["contact_not_detected"] : [])
    }

    /// Whether the packet holds no value, whatever its numbers say.
    package var isUnavailable: Bool { has(.measurementUnavailable) }

    /// The quality that the bits leave to a number inside its range; nil if all are good.
    package var verdict: Quality? {
        if has(.demonstrationData) || has(.testingData) { return .demo }
        if has(.calibrationOngoing) || has(.invalidMeasurement) || has(Self.broken)
            || isContactLost
        {
            return .invalid
        }
        return nil
    }

    /// Whether the bits make a number doubtful.
    package var isQuestionable: Bool {
        has(.questionableMeasurement) || has(Self.doubtful)
            || (has(.earlyEstimatedData) && !has(.validatedData) && !has(.fullyQualifiedData))
    }

    private static let broken: DeviceAndSensorStatus = [
        .equipmentMalfunction, .sensorUnconnectedToUser, .sensorMalfunctioning,
        .sensorDisconnected,
    ]

    private static let doubtful: DeviceAndSensorStatus = [
        .inadequateSignal, .poorSignal, .erraticSignal, .nonpulsatileSignal, .questionablePulse,
        .sensorInterference, .unknownSensorConnected, .sensorDisplaced,
    ]

    private func has(_ bit: MeasurementStatus) -> Bool { measurement?.contains(bit) ?? false }

    private func has(_ anyOf: DeviceAndSensorStatus) -> Bool {
        !(sensor?.isDisjoint(with: anyOf) ?? true)
    }
}

extension Sample {
    /// A sample whose quality follows from its number and its packet's status.
    init(
        _ index: Int, _ type: SampleType, _ number: MedicalFloat, _ unit: SampleUnit,
        _ modality: Modality, _ status: PacketStatus = .none, site: TemperatureType? = nil
    ) {
        self.index = index
        self.type = type
        self.unit = unit
        self.modality = modality
        self.status = status
        self.site = site
        let special = number.specialName
        absent = special ?? (status.isUnavailable ? "measurement_unavailable" : nil)
        value = absent == nil ? number.number : nil
        quality = Self.quality(of: value, type, unit, status)
    }

    private static func quality(
        of value: DecimalNumber?, _ type: SampleType, _ unit: SampleUnit, _ status: PacketStatus
    ) -> Quality {
        guard let value else { return .absent }
        if let verdict = status.verdict { return verdict }
        guard type.contains(value, in: unit) else { return .outOfRange }
        return status.isQuestionable ? .questionable : .ok
    }
}
