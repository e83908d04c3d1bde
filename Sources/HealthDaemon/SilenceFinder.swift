internal import Measurements

/// A time in which a stream brought no value.
struct Silence: Equatable, Sendable {
    /// When the last value came before it.
    var start: Instant
    /// When the next one came; nil if none has come yet.
    var end: Instant?
    /// Packets in it that held no value.
    var packets = 0
    /// The longest time in it without any packet, in ms.
    var longestPause: Int64 = 0
    /// What the sensor says in place of a value, by how often.
    var reasons: [String: Int] = [:]

    /// How long it lasted until `now` at most, in ms.
    func length(until now: Instant) -> Int64 {
        (end ?? max(start, now)).milliseconds - start.milliseconds
    }
}

/// Finds the silences of one stream, packet after packet.
struct SilenceFinder: Sendable {
    private let least: Int64
    private var rhythm = Rhythm()
    private var current: Silence?
    private var newest: Instant?

    /// A finder of silences that last at least so many ms, and five times the sensor's rhythm.
    init(least: Int64) {
        self.least = least
    }

    /// Takes a packet in.
    ///
    /// - Parameters:
    ///   - time: When it was measured; packets come in the order of time.
    ///   - reason: What it says in place of a value; nil if it holds one.
    /// - Returns: The silence that the packet ends, if that lasted long enough.
    mutating func take(_ time: Instant, reason: String?) -> Silence? {
        let pause = newest.map { time.milliseconds - $0.milliseconds }
        newest = time
        let limit = threshold
        if let pause, pause < limit { rhythm.take(pause) }
        let longest = max(current?.longestPause ?? 0, pause ?? 0)
        current?.longestPause = longest
        if let reason {
            current?.packets += 1
            current?.reasons[reason, default: 0] += 1
            return nil
        }
        defer { current = Silence(start: time) }
        guard var silence = current else { return nil }
        silence.end = time
        return silence.length(until: time) > limit ? silence : nil
    }

    /// The silence that has not ended by `end`, if it lasts long enough.
    func rest(until end: Instant) -> Silence? {
        guard var silence = current, silence.length(until: end) > threshold else { return nil }
        let pause = end.milliseconds - (newest ?? end).milliseconds
        silence.longestPause = max(silence.longestPause, pause)
        return silence
    }

    /// How long a pause must be to count, in ms.
    private var threshold: Int64 { max(least, 5 * rhythm.usual) }
}

/// How long a sensor usually takes from one packet to the next.
private struct Rhythm: Sendable {
    private var pauses: [Int64] = []
    private var next = 0

    /// Pauses that are remembered: a sensor that changes its rhythm is followed in half a minute.
    private static let limit = 31

    /// The middle one of the last pauses in ms; a second before there is one.
    var usual: Int64 {
        pauses.isEmpty ? 1000 : pauses.sorted()[pauses.count / 2]
    }

    mutating func take(_ pause: Int64) {
        if pauses.count < Self.limit {
            pauses.append(pause)
        } else {
            pauses[next] = pause
            next = (next + 1) % Self.limit
        }
    }
}
