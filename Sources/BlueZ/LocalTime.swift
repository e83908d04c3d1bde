package import Measurements

/// What clocks show at some instant, and why.
package struct LocalTime: Equatable, Sendable {
    /// What they show.
    package let time: CivilTime
    /// How far that is east of UTC, in seconds.
    package let offset: Int
    /// How much of the offset is daylight saving time, in seconds.
    package let daylightSaving: Int

    /// A local time with the given parts.
    package init(_ time: CivilTime, offset: Int, daylightSaving: Int = 0) {
        self.time = time
        self.offset = offset
        self.daylightSaving = daylightSaving
    }

    /// The octets of Local Time Information: the zone in quarters of an hour, and the daylight saving.
    ///
    /// What the format has no number for is told as a zone of its own, without daylight saving.
    /// Source: GATT Specification Supplement, Time Zone, DST Offset.
    package var information: [UInt8] {
        let kinds: [Int: UInt8] = [0: 0, 1800: 2, 3600: 4, 7200: 8]
        let kind = kinds[daylightSaving]
        let zone = (kind == nil ? offset : offset - daylightSaving) / 900
        return [UInt8(bitPattern: Int8(truncatingIfNeeded: zone)), kind ?? 0]
    }
}
