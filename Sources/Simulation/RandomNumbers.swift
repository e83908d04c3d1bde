/// Numbers that look random and are the same for the same seed, on every machine and for ever.
///
/// Source: Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators (SplitMix64).
struct RandomNumbers: Sendable {
    private var state: UInt64

    /// The numbers that belong to a seed.
    init(seed: UInt64) {
        state = seed
    }

    /// The next number, 0 to `bound` - 1; the slight bias towards small numbers does no harm here.
    mutating func below(_ bound: Int) -> Int {
        Int(truncatingIfNeeded: next().multipliedFullWidth(by: UInt64(bound)).high)
    }

    /// The next number in a range.
    mutating func inside(_ range: ClosedRange<Int>) -> Int {
        range.lowerBound + below(range.count)
    }

    private mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
