internal import Measurements
internal import Samples
internal import Storage

/// Something that the collector gives to the store.
enum LiveItem: Equatable, Sendable {
    /// Something that a sensor said.
    case intake(Intake)
    /// Something that bears on whether readings come.
    case note(LedgerRow)
}

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

    private var items: ArraySlice<LiveItem> = []
    private var octets = 0
    /// How many of the oldest the store has taken, but not committed.
    private(set) var taken = 0
    /// How many were given up.
    private(set) var lost = 0

    /// Whether there is nothing that is not committed.
    var isEmpty: Bool { items.isEmpty }

    /// What the store has not taken yet, oldest first.
    var waiting: ArraySlice<LiveItem> { items.dropFirst(taken) }

    /// Puts items behind the others.
    mutating func append(_ more: [LiveItem]) {
        items.append(contentsOf: more)
        octets += more.reduce(0) { $0 + Self.size($1) }
        while items.count > Self.readingLimit || octets > Self.octetLimit { giveUpOldest() }
    }

    /// Notes that the store has taken one more.
    mutating func noteTaken() { taken += 1 }

    /// Forgets what the store has committed.
    mutating func noteCommitted() {
        for item in items.prefix(taken) { octets -= Self.size(item) }
        items = Array(items.dropFirst(taken))[...]
        taken = 0
    }

    /// Notes that the store has given up what it did not commit.
    mutating func noteRolledBack() { taken = 0 }

    private mutating func giveUpOldest() {
        guard let oldest = items.popFirst() else { return }
        octets -= Self.size(oldest)
        taken = max(0, taken - 1)
        if case .intake = oldest { lost += 1 }
    }

    private static func size(_ item: LiveItem) -> Int {
        switch item {
        case .intake(let intake):
            guard case .reading(let reading) = intake.content else { return overhead }
            return overhead + reading.octets.count
        case .note(let row): return overhead + row.event.utf8.count + row.detail.utf8.count
        }
    }
}
