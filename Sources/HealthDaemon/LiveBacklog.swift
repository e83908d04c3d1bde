internal import Measurements
internal import Samples

/// Live readings from when they come until they are committed: the ring that a full disk fills.
///
/// When it is full, the oldest are given up and counted: nothing is lost without a word.
struct LiveBacklog {
    /// Readings it holds: more than 16 hours of one sensor at 1 Hz.
    static let readingLimit = 65_536
    /// Octets it holds, at a rough guess of what a reading takes in memory.
    static let octetLimit = 8 * 1_048_576
    /// Octets a reading takes besides its packet.
    private static let overhead = 96

    private var intakes: ArraySlice<Intake> = []
    private var octets = 0
    /// How many of the oldest the store has taken, but not committed.
    private(set) var taken = 0
    /// How many were given up.
    private(set) var lost = 0

    /// Whether there is nothing that is not committed.
    var isEmpty: Bool { intakes.isEmpty }

    /// What the store has not taken yet, oldest first.
    var waiting: ArraySlice<Intake> { intakes.dropFirst(taken) }

    /// Puts intakes behind the others.
    mutating func append(_ more: [Intake]) {
        intakes.append(contentsOf: more)
        octets += more.reduce(0) { $0 + Self.size($1) }
        while intakes.count > Self.readingLimit || octets > Self.octetLimit { giveUpOldest() }
    }

    /// Notes that the store has taken one more.
    mutating func noteTaken() { taken += 1 }

    /// Forgets what the store has committed.
    mutating func noteCommitted() {
        for intake in intakes.prefix(taken) { octets -= Self.size(intake) }
        intakes = Array(intakes.dropFirst(taken))[...]
        taken = 0
    }

    /// Notes that the store has given up what it did not commit.
    mutating func noteRolledBack() { taken = 0 }

    private mutating func giveUpOldest() {
        guard let oldest = intakes.popFirst() else { return }
        octets -= Self.size(oldest)
        taken = max(0, taken - 1)
        lost += 1
    }

    private static func size(_ intake: Intake) -> Int {
        guard case .reading(let reading) = intake.content else { return overhead }
        return overhead + reading.octets.count
    }
}
