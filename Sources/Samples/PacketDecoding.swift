package import Measurements

/// What a packet holds: its samples, and what it says of its own time.
package struct DecodedPacket: Equatable, Sendable {
    /// The samples, in the order of their indices.
    package let samples: [Sample]
    /// The device's stamp, where the packet has one.
    package let timeStamp: TimeStamp?
    /// Whether the device says that its clock was never set.
    package let isClockNotSet: Bool

    /// Which decoder this is; it goes up when octets give other samples than before.
    ///
    /// Stores keep it, so that what they summed up is found out again.
    package static let decoderVersion = 1

    /// Decodes the octets of a measurement packet.
    ///
    /// - Throws: Why they do not decode.
    package init(
        _ octets: [UInt8], of characteristic: MeasurementCharacteristic
    ) throws(MalformedValue) {
        var chosen = ChosenSamples(.all)
        let clock = try chosen.append(octets, characteristic)
        samples = chosen.samples
        timeStamp = clock.timeStamp
        isClockNotSet = clock.isNotSet
    }

    /// The samples of a measurement packet; none where the octets do not decode.
    package static func samples(
        of octets: [UInt8], _ characteristic: MeasurementCharacteristic
    ) -> [Sample] {
        var samples: [Sample] = []
        decode(octets, characteristic, .all, into: &samples)
        return samples
    }

    /// Puts the wanted samples of a packet into `samples`, whose memory is used again.
    package static func decode(
        _ octets: [UInt8], _ characteristic: MeasurementCharacteristic, _ choice: SampleChoice,
        into samples: inout [Sample]
    ) {
        var chosen = ChosenSamples(choice, reusing: &samples)
        defer { samples = chosen.samples }
        do throws(MalformedValue) {
            _ = try chosen.append(octets, characteristic)
        } catch {
            return  // a packet that does not decode has no samples
        }
    }
}

/// What a packet says of the clock behind its stamp.
private struct PacketClock {
    var timeStamp: TimeStamp?
    var isNotSet = false
}

/// The wanted samples of a packet; the others are never made.
private struct ChosenSamples {
    private let choice: SampleChoice
    private(set) var samples: [Sample] = []

    init(_ choice: SampleChoice) {
        self.choice = choice
        samples.reserveCapacity(PLXIndex.count)
    }

    /// Takes over an array's memory; what it holds is gone.
    init(_ choice: SampleChoice, reusing memory: inout [Sample]) {
        self.choice = choice
        swap(&samples, &memory)
        samples.removeAll(keepingCapacity: true)
    }

    mutating func append(
        _ octets: [UInt8], _ characteristic: MeasurementCharacteristic
    ) throws(MalformedValue) -> PacketClock {
        switch characteristic {
        case .plxContinuous: append(try PLXContinuousMeasurement(decoding: octets))
        case .plxSpotCheck: return append(try PLXSpotCheckMeasurement(decoding: octets))
        case .temperature: return append(try TemperatureMeasurement(decoding: octets), .final)
        case .intermediateTemperature:
            return append(try TemperatureMeasurement(decoding: octets), .intermediate)
        case .heartRate: append(try HeartRateMeasurement(decoding: octets))
        case .batteryLevel: append(try BatteryLevel(decoding: octets))
        case .sample: append(try ImportedSample(decoding: octets))
        }
        return PacketClock()
    }

    private mutating func append(
        _ index: Int, _ type: SampleType, _ number: MedicalFloat, _ unit: SampleUnit,
        _ modality: Modality, _ status: PacketStatus = .none, site: TemperatureType? = nil
    ) {
        guard choice.contains(type, modality) else { return }
        samples.append(Sample(index, type, number, unit, modality, status, site: site))
    }
}

/// The fixed places of the oximeter's fields.
private enum PLXIndex {
    static let normal = 0
    static let fast = 2
    static let slow = 4
    static let pulseAmplitude = 6
    static let count = 7
}

extension ChosenSamples {
    private mutating func append(_ packet: PLXContinuousMeasurement) {
        let status = PacketStatus(
            measurement: packet.measurementStatus, sensor: packet.deviceAndSensorStatus)
        append(packet.normal, at: PLXIndex.normal, .continuous, status)
        if let pair = packet.fast { append(pair, at: PLXIndex.fast, .fast, status) }
        if let pair = packet.slow { append(pair, at: PLXIndex.slow, .slow, status) }
        if let index = packet.pulseAmplitudeIndex {
            append(PLXIndex.pulseAmplitude, .perfusionIndex, index, .percent, .continuous, status)
        }
    }

    private mutating func append(
        _ pair: PLXContinuousMeasurement.SpO2PR, at index: Int, _ modality: Modality,
        _ status: PacketStatus
    ) {
        append(index, .oxygenSaturation, pair.spo2, .percent, modality, status)
        append(index + 1, .heartRate, pair.pulseRate, .perMinute, modality, status)
    }

    private mutating func append(_ packet: PLXSpotCheckMeasurement) -> PacketClock {
        let status = PacketStatus(
            measurement: packet.measurementStatus, sensor: packet.deviceAndSensorStatus)
        append(PLXIndex.normal, .oxygenSaturation, packet.spo2, .percent, .spot, status)
        append(PLXIndex.normal + 1, .heartRate, packet.pulseRate, .perMinute, .spot, status)
        if let index = packet.pulseAmplitudeIndex {
            append(PLXIndex.pulseAmplitude, .perfusionIndex, index, .percent, .spot, status)
        }
        return PacketClock(timeStamp: packet.timeStamp, isNotSet: packet.isClockNotSet)
    }

    private mutating func append(
        _ packet: TemperatureMeasurement, _ modality: Modality
    ) -> PacketClock {
        let unit: SampleUnit = packet.unit == .celsius ? .celsius : .fahrenheit
        append(0, .bodyTemperature, packet.temperature, unit, modality, site: packet.type)
        return PacketClock(timeStamp: packet.timeStamp)
    }

    /// RR intervals have the indices from 16 on.
    private static let firstInterval = 16

    private mutating func append(_ packet: HeartRateMeasurement) {
        let status = PacketStatus(isContactLost: packet.contact == .notDetected)
        let rate = MedicalFloat.finite(DecimalNumber(Int(packet.heartRate)))
        append(0, .heartRate, rate, .perMinute, .strap, status)
        for (place, interval) in (packet.rrIntervals ?? []).enumerated() {
            append(
                Self.firstInterval + place, .heartRateInterval,
                .finite(Self.milliseconds(interval)), .milliseconds, .strap, status)
        }
    }

    /// 1/1024 s is 0.9765625 ms, so that every interval is a finite decimal.
    private static func milliseconds(_ interval: UInt16) -> DecimalNumber {
        DecimalNumber(mantissa: Int64(interval) * 9_765_625, exponent: -7).plain
    }

    private mutating func append(_ packet: BatteryLevel) {
        let level = MedicalFloat.finite(DecimalNumber(Int(packet.raw)))
        append(0, .batteryLevel, level, .percent, .spot)
    }

    private mutating func append(_ imported: ImportedSample) {
        append(
            0, imported.type, imported.number, imported.unit, imported.modality,
            imported.status, site: imported.site)
    }
}

extension DecimalNumber {
    /// The same number without zeros behind its last decimal, and no positive exponent.
    fileprivate var plain: DecimalNumber {
        let short = normalized
        guard short.exponent > 0 else { return short }
        return DecimalNumber(
            mantissa: short.mantissa * Int64(power10(short.exponent)), exponent: 0)
    }
}
