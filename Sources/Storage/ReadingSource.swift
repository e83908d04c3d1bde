internal import Measurements
internal import Samples

/// Steps through readings of one stream in the order of a query.
protocol ReadingSource: AnyObject {
    /// The stream.
    var stream: Stream { get }
    /// The place of what comes next in the order of the query; nil at the end.
    var key: ReadingKey? { get }
    /// Whether a reading comes next; if not, the key is only a place that nothing comes before.
    var hasReading: Bool { get }
    /// The next reading, of which there must be one; as its parts below, which take less time.
    var reading: Reading { get }
    /// When the next reading was measured.
    var start: Instant { get }
    /// Where the next reading came from.
    var origin: GATTEvent.Origin { get }

    /// Puts the octets of the next reading in the place of others.
    func read(into octets: inout [UInt8])

    /// Moves to the next reading, or finds out what comes at a place that is all that is known.
    func advance() throws(StorageError)
}

/// A reading's place in an order: its time, then its seq.
struct ReadingKey: Comparable {
    let time: Instant
    let seq: Int64

    static func < (left: ReadingKey, right: ReadingKey) -> Bool {
        left.time == right.time
            ? left.seq < right.seq : left.time.milliseconds < right.time.milliseconds
    }
}
