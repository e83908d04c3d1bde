package import Measurements

/// One value decoded from a reading; never stored.
package struct Sample: Equatable, Sendable {
    /// The fixed place of the field in its packet; the second half of the sample's id.
    package let index: Int
    /// What it measures.
    package let type: SampleType
    /// The number as the sensor sent it, whatever the status bits say of it.
    package let number: MedicalFloat
    /// The unit that the sensor used.
    package let unit: SampleUnit
    /// How it was measured.
    package let modality: Modality
    /// The packet's status bits.
    package let status: PacketStatus
    /// Where on the body, where the packet says it.
    package let site: TemperatureType?

    /// A sample with the given parts.
    init(
        _ index: Int, _ type: SampleType, _ number: MedicalFloat, _ unit: SampleUnit,
        _ modality: Modality, _ status: PacketStatus = .none, site: TemperatureType? = nil
    ) {
        self.index = index
        self.type = type
        self.number = number
        self.unit = unit
        self.modality = modality
        self.status = status
        self.site = site
    }

    /// The number that counts; nil if there is none.
    package var value: DecimalNumber? { status.isUnavailable ? nil : number.number }

    /// Why there is no number.
    package var absent: String? {
        number.specialName ?? (status.isUnavailable ? "measurement_unavailable" : nil)
    }

    /// How far the value can be relied on.
    package var quality: Quality {
        guard let value else { return .absent }
        if let verdict = status.verdict { return verdict }
        guard isPossible(value) else { return .outOfRange }
        return status.isQuestionable ? .questionable : .ok
    }

    /// Programs write as many decimals as they like, which says nothing against their numbers.
    private func isPossible(_ value: DecimalNumber) -> Bool {
        modality == .imported
            ? type.spans(value, in: unit) : type.contains(value, in: unit)
    }
}

/// The status bits of a packet that concern all of its samples.
package struct PacketStatus: Equatable, Sendable {
    /// Measurement Status, where the packet has it.
    package var measurement: MeasurementStatus?
    /// Device and Sensor Status, where the packet has it.
    package var sensor: DeviceAndSensorStatus?
    /// Whether a strap reports that it lost the skin.
    package var isContactLost = false
    /// What a file says of a sample's quality that no bits of it say.
    package var stated: Quality?

    /// A packet without status bits.
    package static let none = PacketStatus()

    /// The names of the bits that are set.
    package var names: [String] {
        (measurement?.names ?? []) + (sensor?.names ?? [])
            + (isContactLost ? [Self.contactLost] : [])
    }

    /// Sets the bit of this name; false if there is none.
    package mutating func set(named name: String) -> Bool {
        if name == Self.contactLost {
            isContactLost = true
        } else if let bit = MeasurementStatus(name: name) {
            measurement = (measurement ?? []).union(bit)
        } else if let bit = DeviceAndSensorStatus(name: name) {
            sensor = (sensor ?? []).union(bit)
        } else {
            return false
        }
        return true
    }

    private static let contactLost = "contact_not_detected"

    /// Whether the packet holds no value, whatever its numbers say.
    package var isUnavailable: Bool { has(.measurementUnavailable) }

    /// The quality that the bits leave to a number inside its range; nil if all are good.
    package var verdict: Quality? {
        if let stated, stated != .questionable { return stated }
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
        stated == .questionable || has(.questionableMeasurement) || has(Self.doubtful)
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

    // Every sample of an answer asks for all of these, and bits are faster than sets of another module.
    private func has(_ bit: MeasurementStatus) -> Bool {
        (measurement?.rawValue ?? 0) & bit.rawValue != 0
    }

    private func has(_ anyOf: DeviceAndSensorStatus) -> Bool {
        (sensor?.rawValue ?? 0) & anyOf.rawValue != 0
    }
}
