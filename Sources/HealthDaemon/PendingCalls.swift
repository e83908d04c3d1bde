/// Calls on the bus that wait for an answer, each with its deadline, by the serial of the call.
struct PendingCalls<Purpose> {
    /// Calls at once: four for each of 64 sensors, and as many again for everything else.
    static var limit: Int { 512 }

    private var calls: [UInt32: (purpose: Purpose, deadline: Int64)] = [:]

    /// How many calls wait.
    var count: Int { calls.count }

    /// Whether there is room for one more.
    var hasRoom: Bool { count < Self.limit }

    /// When the next call has waited long enough.
    var nextDeadline: Int64? { calls.values.lazy.map(\.deadline).min() }

    /// Notes a call that was sent.
    mutating func note(_ serial: UInt32, _ purpose: Purpose, deadline: Int64) {
        calls[serial] = (purpose, deadline)
    }

    /// Takes out the call that is answered; nil if none with this serial waits.
    mutating func take(_ serial: UInt32) -> Purpose? {
        calls.removeValue(forKey: serial)?.purpose
    }

    /// Takes out the calls that have waited long enough, in the order that they were sent.
    mutating func takeOverdue(at now: Int64) -> [Purpose] {
        guard let next = nextDeadline, next <= now else { return [] }
        let overdue = calls.filter { $0.value.deadline <= now }.sorted { $0.key < $1.key }
        for (serial, _) in overdue { calls[serial] = nil }
        return overdue.map(\.value.purpose)
    }

    /// Forgets all: nobody can answer them any more.
    mutating func forget() { calls = [:] }
}
