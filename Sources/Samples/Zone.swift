internal import CZone
package import Measurements

/// A time zone of the IANA database.
///
/// Data comes from the host's files ($TZDIR or /usr/share/zoneinfo), once; UTC needs none.
package struct Zone: Sendable, Hashable {
    /// The IANA name, such as `Europe/Berlin`.
    package let name: String

    private let handle: Int32

    /// Coordinated Universal Time.
    package static let utc = Zone(name: "UTC", handle: Int32(czone_utc))

    /// The zone of this name, or nil if there is none; names may come from anyone.
    ///
    /// - Parameter name: As in the database, case included; `localtime` reads /etc/localtime.
    package init?(named name: String) {
        guard !name.utf8.contains(0) else { return nil }
        let handle = unsafe czone_load(name)
        guard handle >= 0 else { return nil }
        self.init(name: name, handle: handle)
    }

    private init(name: String, handle: Int32) {
        self.name = name
        self.handle = handle
    }

    /// Seconds east of UTC at an instant.
    package func offset(at instant: Instant) -> Int {
        Int(czone_offset_at(handle, instant.wholeSeconds))
    }

    /// How many seconds of the offset at an instant are daylight saving time.
    ///
    /// Negative where the database calls the winter's time the exception, as in Ireland.
    package func daylightSaving(at instant: Instant) -> Int {
        Int(czone_daylight_saving_at(handle, instant.wholeSeconds))
    }

    /// What the clocks show at an instant, cut to seconds.
    package func civilTime(at instant: Instant) -> CivilTime {
        CivilTime(secondsSince1970: instant.wholeSeconds + Int64(offset(at: instant)))
    }

    /// The instants at which the clocks show `civil`, each held inside `Instant.range`.
    package func resolve(_ civil: CivilTime) -> Resolution {
        let found = czone_instants_of(
            handle, Int64(civil.year), Int32(civil.month), Int32(civil.day), Int32(civil.hour),
            Int32(civil.minute), Int32(civil.second))
        let before = Instant(seconds: found.before)
        let after = Instant(seconds: found.after)
        switch found.kind {
        case czone_skipped:
            return .skipped(
                before: before, transition: Instant(seconds: found.transition), after: after)
        case czone_repeated: return .repeated(first: before, second: after)
        default: return .unique(before)
        }
    }
}

extension Zone {
    /// How many instants show some civil time, and which.
    package enum Resolution: Hashable, Sendable {
        /// The usual case.
        case unique(Instant)
        /// The clocks jump over it, as in spring.
        ///
        /// - `before`: the civil time read with the offset from before the jump; not earlier than
        ///   the transition, and later than the civil time on the clocks by the size of the jump.
        /// - `transition`: the first instant after the jump.
        /// - `after`: the civil time read with the offset from after the jump; earlier than it.
        case skipped(before: Instant, transition: Instant, after: Instant)
        /// The clocks show it twice, as in autumn.
        case repeated(first: Instant, second: Instant)
    }

    /// The instant that a person means by a civil time.
    ///
    /// Of two the first; a time that the clocks jump over moves forward by the size of the jump.
    package func instant(of civil: CivilTime) -> Instant {
        switch resolve(civil) {
        case .unique(let instant), .repeated(let instant, _), .skipped(let instant, _, _): instant
        }
    }

    /// The instant that a device means by a stamp without a zone.
    ///
    /// Of two the one nearest to `reference`, the first if both are equally near; a time that the
    /// clocks jump over moves forward by the size of the jump. Both are ambiguous.
    package func instant(
        of civil: CivilTime, nearest reference: Instant
    ) -> (instant: Instant, isAmbiguous: Bool) {
        switch resolve(civil) {
        case .unique(let instant): return (instant, false)
        case .skipped(let instant, _, _): return (instant, true)
        case .repeated(let first, let second):
            let isFirst = reference.distance(to: first) <= reference.distance(to: second)
            return (isFirst ? first : second, true)
        }
    }
}

extension Instant {
    /// The same instant, or the nearest end of `range`.
    private var inRange: Instant { advanced(byMilliseconds: 0) }

    fileprivate var wholeSeconds: Int64 { inRange.milliseconds.floorDivided(by: 1000) }

    fileprivate init(seconds: Int64) {
        let limit = Instant.range.upperBound.milliseconds
        let seconds = min(max(seconds, -limit), limit)  // so that times 1000 fits
        self = Instant(milliseconds: seconds * 1000).inRange
    }

    fileprivate func distance(to other: Instant) -> Int64 {
        abs(other.inRange.milliseconds - inRange.milliseconds)
    }
}
