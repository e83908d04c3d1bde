internal import BlueZ
internal import CLinux
internal import Glibc
internal import Measurements

/// A timer on the clock that goes on while the host sleeps: after a suspend nothing is late.
struct BootTimer: ~Copyable {
    /// What to poll for input.
    let descriptor: Int32
    private var due: Int64?

    init() throws(SystemError) {
        descriptor = clinux_boot_timer()
        guard descriptor >= 0 else { throw SystemError("cannot make a timer") }
    }

    deinit { close(descriptor) }

    /// Has it ring at a time in ms since the start of the machine; with nil, never.
    mutating func set(to time: Int64?) {
        guard time != due else { return }
        due = time
        _ = clinux_set_boot_timer(descriptor, time.map { max($0, 1) } ?? 0)
    }

    /// Takes notice that it rang; it does not ring again by itself.
    mutating func noteRing() {
        var count: UInt64 = 0
        if read(descriptor, &count, 8) == 8 { due = nil }
    }
}

/// Tells when somebody sets the host's calendar clock: a person, or a time server.
struct ClockWatch: ~Copyable {
    /// What to poll for input.
    let descriptor: Int32
    private var distance: Int64

    /// Smaller steps are no news: they change no sentence about a reading.
    private static let smallest: Int64 = 1000

    init(at now: Moment) throws(SystemError) {
        descriptor = clinux_clock_watch()
        guard descriptor >= 0 else { throw SystemError("cannot watch the clock") }
        distance = now.distance
    }

    deinit { close(descriptor) }

    /// By how many ms the clock was set forward since the last time; nil if hardly at all.
    mutating func step(at now: Moment) -> Int64? {
        var count: UInt64 = 0
        _ = read(descriptor, &count, 8)
        _ = clinux_watch_clock(descriptor)
        let step = now.distance - distance
        distance = now.distance
        return abs(step) >= Self.smallest ? step : nil
    }
}
