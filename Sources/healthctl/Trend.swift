/// Whether a value rises or falls, from what was seen of it in the last minute.
struct Trend {
    /// Where a value goes.
    enum Direction: Equatable {
        /// Not long enough seen, or nothing new.
        case unknown
        /// As it was.
        case steady
        /// Greater than it was.
        case rising
        /// Less than it was.
        case falling

        /// The word for a person; none for what is unknown.
        var word: String {
            switch self {
            case .unknown: ""
            case .steady: "steady"
            case .rising: "rising"
            case .falling: "falling"
            }
        }
    }

    /// What is older says nothing about now, in ms.
    private static let memory = 60_000
    /// What is younger may be noise, in ms.
    private static let least = 15_000

    private var values: [(at: Int, id: String, value: Double)] = []

    /// Notes a value at a time of a clock that never steps, in ms; one that was noted is not new.
    mutating func note(_ value: Double, id: String, at now: Int) {
        values.removeAll { now - $0.at > Self.memory }
        guard values.last?.id != id else { return }
        values.append((now, id, value))
    }

    /// Where the last value stands against the oldest of the minute.
    var direction: Direction {
        guard let last = values.last, let first = values.first,
            last.at - first.at >= Self.least
        else { return .unknown }
        if last.value == first.value { return .steady }
        return last.value > first.value ? .rising : .falling
    }
}
