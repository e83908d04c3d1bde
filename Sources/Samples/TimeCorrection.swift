package import Measurements

/// A better time for a reading that came before its device's clock was read in the same link.
package struct TimeCorrection: Equatable, Sendable {
    /// The characteristic that sent it.
    package let characteristic: MeasurementCharacteristic
    /// The rank by handle among the device's characteristics of the same UUID.
    package let instance: Int
    /// The device's stamp, in seconds of its own clock since 1970.
    package let stamp: Int64
    /// How many equal readings came before in the same run.
    package let ordinal: Int
    /// The octets as received.
    package let octets: [UInt8]
    /// When it was measured; nil means at reception.
    package let start: Instant?
    /// How that is known.
    package let timeQuality: TimeQuality
    /// Whether the stamp names two instants, or none.
    package let isAmbiguous: Bool
}

/// The readings of a link whose stamps nothing vouches for yet.
struct UnmappedReadings {
    /// As many as the memory of any sensor known holds, and a bound for one that never ends.
    static let limit = 4096

    private var readings: [(reading: NewReading, stamp: CivilTime, at: Instant)] = []

    /// Keeps a reading in mind if a clock can still date it.
    mutating func note(_ reading: NewReading, _ stamp: CivilTime, at now: Instant) {
        guard reading.flags.timeQuality == .unverified, readings.count < Self.limit else { return }
        readings.append((reading, stamp, now))
    }

    /// What a clock that was read now says of them; they are not asked for again.
    mutating func corrections(by clock: DeviceClock, in zone: Zone) -> [TimeCorrection] {
        defer { readings = [] }
        return readings.compactMap { reading, civil, at in
            let time = clock.measuredTime(of: civil, receivedAt: at, in: zone)
            guard let stamp = time.stamp, time.quality != .unverified else { return nil }
            return TimeCorrection(
                characteristic: reading.characteristic, instance: reading.instance, stamp: stamp,
                ordinal: reading.ordinal, octets: reading.octets, start: time.start,
                timeQuality: time.quality, isAmbiguous: time.isAmbiguous)
        }
    }
}
