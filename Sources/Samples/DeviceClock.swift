internal import Measurements

/// What a link has told of the device's own clock.
enum DeviceClock: Equatable, Sendable {
    /// It was not read.
    case unknown
    /// It was written by us and not read back yet.
    case written
    /// It was read: our clock less the device's local one, in ms.
    case read(offset: Int64)
    /// It is known to be right.
    case synced

    /// A device's local time with its fraction, in ms since 1970 of that clock.
    struct Time: Equatable {
        let milliseconds: Int64
        let civil: CivilTime
        let isFromReference: Bool

        /// The time that a Current Time or Date Time value holds; nil if its date is unknown.
        init?(_ event: GATTEvent) throws(MalformedValue) {
            if event.characteristic == .currentTime {
                let current = try CurrentTime(decoding: event.value)
                self.init(
                    current.dateTime, fraction: Int64(current.fractions256) * 1000 / 256,
                    isFromReference: current.adjustReason.contains(.externalReference))
            } else {
                let time = try DateTime(decoding: event.value)
                self.init(time, fraction: 0, isFromReference: false)
            }
        }

        private init?(_ time: DateTime, fraction: Int64, isFromReference: Bool) {
            guard let civil = time.civilTime else { return nil }
            self.civil = civil
            milliseconds = civil.secondsSince1970 * 1000 + fraction
            self.isFromReference = isFromReference
        }
    }

    /// How far a clock that was set may be off when read back: it counts whole seconds.
    static let tolerance: Int64 = 2000

    /// What is known after the clock was read.
    func reading(_ time: Time, at now: Instant, in zone: Zone) -> DeviceClock {
        let right = zone.instant(of: time.civil, nearest: now).instant
        let isRight = abs(now.milliseconds - right.milliseconds) <= Self.tolerance
        if isRight, self == .written || self == .synced || time.isFromReference { return .synced }
        return .read(offset: now.milliseconds - time.milliseconds)
    }

    /// When a reading with this stamp was measured.
    func measuredTime(
        of civil: CivilTime, receivedAt now: Instant, in zone: Zone
    ) -> MeasuredTime {
        let stamp = civil.secondsSince1970
        if case .read(let offset) = self {
            let start = Instant(milliseconds: stamp * 1000 + offset)
            return MeasuredTime.judged(start, stamp, .mapped, false, now)
        }
        guard civil.year >= MeasuredTime.firstYear else { return .untrusted }
        let (start, isAmbiguous) = zone.instant(of: civil, nearest: now)
        let quality: TimeQuality = self == .synced ? .synced : .unverified
        return MeasuredTime.judged(start, stamp, quality, isAmbiguous, now)
    }
}

/// When a reading was measured, and how that is known.
struct MeasuredTime: Equatable {
    let start: Instant?
    let stamp: Int64?
    let quality: TimeQuality
    let isAmbiguous: Bool

    /// No device had a clock with a date before this; a stamp that says so was never set.
    static let firstYear = 2010
    /// How far ahead of reception a stamp may lie: any two zones differ by at most a day.
    static let greatestLead: Int64 = 86_400_000

    /// The device sent no stamp.
    static let received = MeasuredTime(
        start: nil, stamp: nil, quality: .received, isAmbiguous: false)

    /// The device's stamp says nothing.
    static let untrusted = MeasuredTime(
        start: nil, stamp: nil, quality: .untrusted, isAmbiguous: false)

    /// The time unless it is impossible; then reception, with the stamp kept as identity.
    static func judged(
        _ start: Instant, _ stamp: Int64, _ quality: TimeQuality, _ isAmbiguous: Bool,
        _ now: Instant
    ) -> MeasuredTime {
        let lead = start.milliseconds - now.milliseconds
        let isEarly = start.milliseconds < Self.firstInstant
        guard lead <= greatestLead, !isEarly else {
            return MeasuredTime(start: nil, stamp: stamp, quality: .untrusted, isAmbiguous: false)
        }
        return MeasuredTime(
            start: start, stamp: stamp, quality: quality, isAmbiguous: isAmbiguous)
    }

    /// 2010-01-01T00:00Z less the widest offset, so that the year is judged on the stamp alone.
    private static let firstInstant: Int64 = 1_262_304_000_000 - greatestLead
}
