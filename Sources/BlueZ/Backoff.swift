/// Small random numbers that are the same in every run: they keep retries of many from falling together.
///
/// Source: SplitMix64, Steele, Lea and Flood, 2014.
struct Jitter: Sendable {
    private var state: UInt64

    /// The sequence of this seed.
    init(seed: UInt64) {
        state = seed
    }

    /// `milliseconds` less up to a quarter.
    mutating func spread(_ milliseconds: Int64) -> Int64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        let part = Int64((mixed ^ (mixed >> 31)) % 1024)
        return max(1, milliseconds - milliseconds * part / 4096)
    }
}

/// How long to wait before each further try: ever longer, up to a cap, and never all at once.
struct Backoff: Sendable {
    private let steps: [Int64]
    private var jitter: Jitter
    /// How many tries were made since the last success.
    private(set) var tries = 0

    /// A wait of each of `steps` in turn, in ms, then always of the last.
    init(_ steps: [Int64], seed: UInt64) {
        self.steps = steps
        jitter = Jitter(seed: seed)
    }

    /// How long to wait before the next try, in ms.
    mutating func next() -> Int64 {
        let step = steps.isEmpty ? 60_000 : steps[min(tries, steps.count - 1)]
        tries += 1
        return jitter.spread(step)
    }

    /// It went well.
    mutating func reset() {
        tries = 0
    }
}

/// The earlier of two points in time, where nil is never.
func earlier(_ left: Int64?, _ right: Int64?) -> Int64? {
    guard let left, let right else { return left ?? right }
    return min(left, right)
}
