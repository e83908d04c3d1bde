package import Measurements

/// One packet as received: the only thing that is stored.
package struct Reading: Equatable, Sendable {
    /// The number in commit order, from 1.
    package var seq: Int64
    /// The store's number of the stream.
    package var stream: Int64
    /// When the host had it.
    package var at: Instant
    /// When it was measured; nil means at reception.
    package var start: Instant?
    /// When the measurement ended; nil means at its start.
    package var end: Instant?
    /// The device's own stamp in seconds of its local clock since 1970, where that clock is set.
    package var stamp: Int64?
    /// How many equal readings came before in the same run.
    package var ordinal: Int
    /// Time quality, origin and marks.
    package var flags: ReadingFlags
    /// The first seq, if the reading has moved.
    package var first: Int64?
    /// The packet's octets as they were on the air.
    package var octets: [UInt8]

    /// A reading with the given parts.
    package init(
        seq: Int64, stream: Int64, at: Instant, start: Instant? = nil, end: Instant? = nil,
        stamp: Int64? = nil, ordinal: Int = 0, flags: ReadingFlags, first: Int64? = nil,
        octets: [UInt8]
    ) {
        self.seq = seq
        self.stream = stream
        self.at = at
        self.start = start
        self.end = end
        self.stamp = stamp
        self.ordinal = ordinal
        self.flags = flags
        self.first = first
        self.octets = octets
    }

    /// When the measurement began.
    package var measuredFrom: Instant { start ?? at }
    /// When the measurement ended.
    package var measuredTo: Instant { end ?? measuredFrom }
}

/// What is known of a reading besides its octets and times, in one small number.
package struct ReadingFlags: Equatable, Sendable {
    /// Bits 0-2 time quality, bits 3-4 origin, bit 5 ambiguous, bit 6 faulty.
    package let rawValue: Int

    /// The flags that a stored number holds.
    package init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// Flags with the given parts.
    package init(
        timeQuality: TimeQuality, origin: GATTEvent.Origin, isAmbiguous: Bool = false,
        isFaulty: Bool = false
    ) {
        rawValue =
            timeQuality.rawValue | origin.rawValue << 3 | (isAmbiguous ? 32 : 0)
            | (isFaulty ? 64 : 0)
    }

    /// How the reading's time came about.
    package var timeQuality: TimeQuality { TimeQuality(rawValue: rawValue & 7) ?? .untrusted }
    /// Where the reading came from.
    package var origin: GATTEvent.Origin { GATTEvent.Origin(rawValue: rawValue >> 3 & 3) ?? .ble }
    /// Whether the device's stamp names two instants, or none.
    package var isAmbiguous: Bool { rawValue & 32 != 0 }
    /// Whether a person marked the reading as wrong.
    package var isFaulty: Bool { rawValue & 64 != 0 }
}

/// The characteristics whose values are readings.
package enum MeasurementCharacteristic: UInt16, CaseIterable, Sendable {
    /// PLX Spot-Check Measurement.
    case plxSpotCheck = 0x2A5E
    /// PLX Continuous Measurement.
    case plxContinuous = 0x2A5F
    /// Temperature Measurement.
    case temperature = 0x2A1C
    /// Intermediate Temperature.
    case intermediateTemperature = 0x2A1E
    /// Heart Rate Measurement.
    case heartRate = 0x2A37
    /// Battery Level.
    case batteryLevel = 0x2A19
    /// No characteristic of a sensor: `ImportedSample`s of other programs' files.
    case sample = 0

    /// The characteristic of this UUID, if its values are readings.
    package init?(_ uuid: BluetoothUUID) {
        guard let short = uuid.short, short != Self.sample.rawValue else { return nil }
        self.init(rawValue: short)
    }

    /// Its UUID; nil for imported samples.
    package var uuid: BluetoothUUID? { self == .sample ? nil : BluetoothUUID(rawValue) }

    /// What the store and answers call it: the four digits of its UUID, or `sample`.
    package var name: String { uuid?.description ?? "sample" }

    /// The characteristic of this name.
    package init?(name: String) {
        if name == Self.sample.name {
            self = .sample
        } else {
            guard let uuid = BluetoothUUID(name) else { return nil }
            self.init(uuid)
        }
    }

    /// The types of the samples that its packets can hold.
    package var types: [SampleType] {
        switch self {
        case .plxSpotCheck, .plxContinuous: [.oxygenSaturation, .heartRate, .perfusionIndex]
        case .temperature, .intermediateTemperature: [.bodyTemperature]
        case .heartRate: [.heartRate, .heartRateInterval]
        case .batteryLevel: [.batteryLevel]
        case .sample: SampleType.allCases
        }
    }

    /// Whether values come as a stream while the sensor is worn, and are stale within seconds.
    package var isStreaming: Bool {
        switch self {
        case .plxContinuous, .intermediateTemperature, .heartRate: true
        case .plxSpotCheck, .temperature, .batteryLevel, .sample: false
        }
    }
}
