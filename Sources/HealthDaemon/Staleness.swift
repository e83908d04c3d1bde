internal import Measurements
internal import Samples

/// How old a value may be and still be current.
enum Staleness {
    /// The limit for what streams, in ms: a few of its values have not come.
    static let stream: Int64 = 10_000
    /// The limit for spot checks, in ms.
    static let spot: Int64 = 12 * 3_600_000
    /// How far a clock may be ahead of ours, in ms, before its values are of the future.
    private static let greatestLead: Int64 = 1000

    /// Whether a value of an age in ms is current no more.
    ///
    /// What was not measured live never is, nor is what claims to come from the future.
    static func isStale(age: Int64, limit: Int64, origin: GATTEvent.Origin) -> Bool {
        origin != .ble || age > limit || age < -greatestLead
    }

    /// An age in whole seconds, below 0 for the future.
    static func seconds(_ age: Int64) -> Int64 {
        age < -greatestLead ? age / 1000 : max(0, age / 1000)
    }
}
