internal import BlueZ
internal import Glibc
internal import Measurements

/// A time that never jumps, in milliseconds; for deadlines.
struct MonotonicTime: Comparable, Sendable {
    /// Milliseconds since some moment.
    let milliseconds: Int64

    /// The present time.
    static var now: MonotonicTime {
        MonotonicTime(milliseconds: Clock.milliseconds(CLOCK_MONOTONIC))
    }

    static func < (left: MonotonicTime, right: MonotonicTime) -> Bool {
        left.milliseconds < right.milliseconds
    }

    /// The time this many milliseconds later.
    func advanced(by milliseconds: Int64) -> MonotonicTime {
        MonotonicTime(milliseconds: self.milliseconds + milliseconds)
    }

    /// How long poll may sleep until then; rounded up, so that it does not wake too early.
    var pollTimeout: Int32 {
        let left = milliseconds - Self.now.milliseconds
        return Int32(clamping: max(0, left + 1))
    }
}

/// The host's clocks.
enum Clock {
    /// The wall clock.
    static var now: Instant { Instant(milliseconds: milliseconds(CLOCK_REALTIME)) }

    /// The wall clock and the one of sensors' deadlines.
    static var moment: Moment { Moment(wall: now, boot: bootMilliseconds) }

    /// Milliseconds since the machine was started, sleep included.
    static var bootMilliseconds: Int64 { milliseconds(CLOCK_BOOTTIME) }

    /// The kernel's name for this run of the machine; empty if it has none.
    static var bootID: String {
        SmallFile.text(at: "/proc/sys/kernel/random/boot_id") ?? ""
    }

    fileprivate static func milliseconds(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }
}
