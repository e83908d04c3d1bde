package import Measurements

/// Turns the times of records into instants, and notices where the recorder's clock cannot be right.
///
/// Records keep the order of the file, and each keeps its own time.
struct CaptureClock {
    /// 2010-06-30, when Low Energy was published: a time before is of a clock that was not set.
    private static let lowEnergy: Int64 = 1_277_856_000_000_000
    /// Several sniffers in one file are less than a second apart.
    private static let stepBack: Int64 = 1_000_000
    /// A day without a packet is the clock's doing more often than a quiet radio's.
    private static let stepForward: Int64 = 86_400_000_000

    private var last: Int64?
    private var isUnset = false

    /// A clock that has shown nothing yet.
    init() {}

    /// The instant of a record, and what is strange about it.
    mutating func instant(_ microseconds: Int64) -> (Instant, ClockFault?) {
        let limits = Instant.range
        let inRange = min(
            max(microseconds, limits.lowerBound.milliseconds * 1000),
            limits.upperBound.milliseconds * 1000)
        let instant = Instant(milliseconds: inRange.floorDivided(by: 1000))
        defer { last = inRange }
        guard inRange == microseconds else { return (instant, .beyondRange) }
        return (instant, fault(inRange, instant))
    }

    private mutating func fault(_ now: Int64, _ instant: Instant) -> ClockFault? {
        let wasUnset = isUnset
        isUnset = now < Self.lowEnergy
        if isUnset, !wasUnset { return .unset(instant) }
        guard let last else { return nil }
        if now <= last - Self.stepBack { return .back(milliseconds: (last - now) / 1000) }
        if now >= last + Self.stepForward { return .forward(milliseconds: (now - last) / 1000) }
        return nil
    }
}

/// What is strange about the time of a record.
package enum ClockFault: Equatable, Sendable {
    /// The clock was not set: the time is before Low Energy was published.
    case unset(Instant)
    /// The time is a second or more before the record before it.
    case back(milliseconds: Int64)
    /// The time is a day or more behind the record before it.
    case forward(milliseconds: Int64)
    /// The fraction of a second is a second or more; it is taken as the end of its second.
    case fraction
    /// The year does not have four digits; the nearest that has is taken.
    case beyondRange
}
