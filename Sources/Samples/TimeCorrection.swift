package import Measurements

/// A better time for a reading that came in before its device's clock was read in the same link.
package struct TimeCorrection: Equatable, Sendable {
    /// The characteristic that sent the reading.
    package let characteristic: MeasurementCharacteristic
    /// The rank by handle among the device's characteristics of the same UUID.
    package let instance: Int
    /// The reading's stamp, in seconds of the device's own clock since 1970.
    package let stamp: Int64
    /// How many equal readings came before in the same run.
    package let ordinal: Int
    /// The reading's octets as received.
    package let octets: [UInt8]
    /// When it was measured; nil means at reception.
    package let start: Instant?
    /// How that is known.
    package let timeQuality: TimeQuality
}

/// The readings of a link whose stamps could not be judged, since its clock was not read yet.
struct UnmappedReadings {
    /// Readings of one link: more than any sensor's memory holds.
    static let limit = 4096

    private var readings: [(reading: NewReading, civil: CivilTime, at: Instant)] = []

    /// Keeps a reading whose stamp says that civil time.
    mutating func note(_ reading: NewReading, _ civil: CivilTime, at: Instant) {
        guard reading.flags.timeQuality == .unverified, readings.count < Self.limit else { return }
        readings.append((reading, civil, at))
    }

    /// Takes all out, with the times that a clock gives them which was read now.
    mutating func corrections(by clock: DeviceClock, in zone: Zone) -> [TimeCorrection] {
        defer { readings = [] }
        return readings.compactMap { reading, civil, at in
            let time = clock.measuredTime(of: civil, receivedAt: at, in: zone)
            guard let stamp = reading.stamp, time.quality != .unverified else { return nil }
            return TimeCorrection(
                characteristic: reading.characteristic, instance: reading.instance, stamp: stamp,
                ordinal: reading.ordinal, octets: reading.octets, start: time.start,
                timeQuality: time.quality)
        }
    }
}
