internal import BlueZ
internal import DBus
internal import Glibc

/// Whether the host's own clock is right: only then are sensors' clocks set by it.
enum HostClock {
    /// The question to systemd-timedated, which asks the kernel; our sandbox forbids to ask it ourselves.
    static let question = Call(
        to: "org.freedesktop.timedate1", path: "/org/freedesktop/timedate1",
        interface: "org.freedesktop.DBus.Properties", member: "Get",
        [.string("org.freedesktop.timedate1"), .string("NTPSynchronized")])

    /// What the answer says; without one, whether systemd-timesyncd has left its mark in this boot.
    static func isSynchronised(_ answer: Result<[BusValue], BusError>) -> Bool {
        switch answer {
        case .success(let body): body.first?.bool ?? false
        case .failure: access(mark, F_OK) == 0
        }
    }

    private static let mark = "/run/systemd/timesync/synchronized"
}

/// When it is asked whether the host's clock is right, after it was set: nobody tells it by himself.
struct ClockInquiry {
    private var remaining: ArraySlice<Int64> = []
    /// When to ask next; nil if not at all.
    private(set) var due: Int64?

    /// Waits between the questions in ms: a time server steps the clock first, and trusts it later.
    private static let waits: [Int64] = [0, 5000, 60_000, 600_000]

    /// Begins to ask: the clock was set.
    mutating func begin(at now: Int64) {
        remaining = Self.waits[...]
        due = remaining.popFirst().map { now + $0 }
    }

    /// Whether it is time to ask; the time of the next question is set then.
    mutating func isDue(at now: Int64) -> Bool {
        guard let due, due <= now else { return false }
        self.due = remaining.popFirst().map { now + $0 }
        return true
    }

    /// Asks no more: it is right.
    mutating func end() {
        due = nil
    }
}
