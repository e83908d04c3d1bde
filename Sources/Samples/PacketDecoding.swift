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
        switch characteristic {
        case .plxContinuous: self = try PLXContinuousMeasurement(decoding: octets).packet
        case .plxSpotCheck: self = try PLXSpotCheckMeasurement(decoding: octets).packet
        case .temperature: self = try TemperatureMeasurement(decoding: octets).packet(.final)
        case .intermediateTemperature:
            self = try TemperatureMeasurement(decoding: octets).packet(.intermediate)
        case .heartRate: self = try HeartRateMeasurement(decoding: octets).packet
        case .batteryLevel: self = try BatteryLevel(decoding: octets).packet
        }
    }

    /// The samples of a measurement packet; none where the octets do not decode.
    package static func samples(
        of octets: [UInt8], _ characteristic: MeasurementCharacteristic
    ) -> [Sample] {
        do throws(MalformedValue) {
            return try DecodedPacket(octets, of: characteristic).samples
        } catch {
            return []
        }
    }

    fileprivate init(
        samples: [Sample], timeStamp: TimeStamp? = nil, isClockNotSet: Bool = false
    ) {
        self.samples = samples
        self.timeStamp = timeStamp
        self.isClockNotSet = isClockNotSet
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

extension PLXContinuousMeasurement {
    fileprivate var packet: DecodedPacket {
        let status = PacketStatus(measurement: measurementStatus, sensor: deviceAndSensorStatus)
        var samples: [Sample] = []
        samples.reserveCapacity(PLXIndex.count)
        normal.append(to: &samples, at: PLXIndex.normal, .continuous, status)
        fast?.append(to: &samples, at: PLXIndex.fast, .fast, status)
        slow?.append(to: &samples, at: PLXIndex.slow, .slow, status)
        if let index = pulseAmplitudeIndex {
            samples.append(
                Sample(
                    PLXIndex.pulseAmplitude, .perfusionIndex, index, .percent, .continuous, status))
        }
        return DecodedPacket(samples: samples)
    }
}

extension PLXContinuousMeasurement.SpO2PR {
    fileprivate func append(
        to samples: inout [Sample], at index: Int, _ modality: Modality, _ status: PacketStatus
    ) {
        samples.append(Sample(index, .oxygenSaturation, spo2, .percent, modality, status))
        samples.append(Sample(index + 1, .heartRate, pulseRate, .perMinute, modality, status))
    }
}

extension PLXSpotCheckMeasurement {
    fileprivate var packet: DecodedPacket {
        let status = PacketStatus(measurement: measurementStatus, sensor: deviceAndSensorStatus)
        var samples = [
            Sample(PLXIndex.normal, .oxygenSaturation, spo2, .percent, .spot, status),
            Sample(PLXIndex.normal + 1, .heartRate, pulseRate, .perMinute, .spot, status),
        ]
        if let index = pulseAmplitudeIndex {
            samples.append(
                Sample(PLXIndex.pulseAmplitude, .perfusionIndex, index, .percent, .spot, status))
        }
        return DecodedPacket(
            samples: samples, timeStamp: timeStamp, isClockNotSet: isClockNotSet)
    }
}

extension TemperatureMeasurement {
    fileprivate func packet(_ modality: Modality) -> DecodedPacket {
        let unit: SampleUnit = unit == .celsius ? .celsius : .fahrenheit
        let sample = Sample(0, .bodyTemperature, temperature, unit, modality, site: type)
        return DecodedPacket(samples: [sample], timeStamp: timeStamp)
    }
}

extension HeartRateMeasurement {
    /// RR intervals have the indices from 16 on.
    private static let firstInterval = 16

    fileprivate var packet: DecodedPacket {
        let status = PacketStatus(isContactLost: contact == .notDetected)
        let rate = MedicalFloat.finite(DecimalNumber(Int(heartRate)))
        var samples = [Sample(0, .heartRate, rate, .perMinute, .strap, status)]
        for (place, interval) in (rrIntervals ?? []).enumerated() {
            samples.append(
                Sample(
                    Self.firstInterval + place, .heartRateInterval,
                    .finite(Self.milliseconds(interval)), .milliseconds, .strap, status))
        }
        return DecodedPacket(samples: samples)
    }

    /// 1/1024 s is 0.9765625 ms, so that every interval is a finite decimal.
    private static func milliseconds(_ interval: UInt16) -> DecimalNumber {
        DecimalNumber(mantissa: Int64(interval) * 9_765_625, exponent: -7).plain
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

extension BatteryLevel {
    fileprivate var packet: DecodedPacket {
        let level = MedicalFloat.finite(DecimalNumber(Int(raw)))
        return DecodedPacket(samples: [Sample(0, .batteryLevel, level, .percent, .spot)])
    }
}
