internal import Measurements
internal import Samples

extension Reading {
    /// The columns of a row, in the order that `init(_:stream:)` takes them.
    static let columns = "seq, at, start, \"end\", stamp, ordinal, flags, first, octets"

    /// The reading in the present row of a statement that selects `columns` first.
    init(_ row: borrowing Statement, stream: Int64) {
        self.init(
            seq: row.int64(0), stream: stream, at: Instant(milliseconds: row.int64(1)),
            start: row.optionalInt64(2).map { Instant(milliseconds: $0) },
            end: row.optionalInt64(3).map { Instant(milliseconds: $0) },
            stamp: row.optionalInt64(4), ordinal: Int(row.int64(5)),
            flags: ReadingFlags(rawValue: Int(row.int64(6))), first: row.optionalInt64(7),
            octets: row.octets(8))
    }
}
