/// So that collections and ranges can be asked for a random element.
extension EventDice: RandomNumberGenerator {
    mutating func next() -> UInt64 {
        UInt64(next(1 << 22)) << 42 | UInt64(next(1 << 21)) << 21 | UInt64(next(1 << 21))
    }
}
