internal import Measurements
internal import Samples

/// What the table of blocks says of one block.
struct BlockRow: Equatable {
    /// The number that names its data.
    let id: Int64
    /// The store's number of the stream.
    let stream: Int64
    /// The quarter that its readings were received in.
    let quarter: Quarter
    /// The first seq and the last one.
    let seqs: ClosedRange<Int64>
    /// The number of readings.
    let count: Int
    /// The first reception and the last one, in ms since 1970.
    let times: ClosedRange<Int64>
    /// A bit for each origin among the readings.
    let origins: Int
    /// Which decoder made the summaries.
    let decoder: Int64
    /// How the data is laid out.
    let codec: Int64
    /// The check sum.
    let crc: UInt32

    /// The columns of a row, in the order that `init(_:)` takes them.
    static let columns =
        "id, stream, quarter, seq0, seq1, n, at0, at1, origins, decoder, codec, crc"

    /// The block in the present row of a statement that selects `columns` first.
    init(_ row: borrowing Statement) {
        id = row.int64(0)
        stream = row.int64(1)
        quarter = Quarter(stored: row.int64(2))
        seqs = row.int64(3)...max(row.int64(3), row.int64(4))
        count = Int(row.int64(5))
        let start = quarter.start.milliseconds
        let first = start &+ row.int64(6)
        times = first...max(first, start &+ row.int64(7))
        origins = Int(row.int64(8))
        decoder = row.int64(9)
        codec = row.int64(10)
        crc = UInt32(truncatingIfNeeded: row.int64(11))
    }

    /// Whether all of its readings come from one origin.
    func isWholly(from origin: GATTEvent.Origin) -> Bool { origins == 1 << origin.rawValue }

    /// Whether some of its readings come from an origin.
    func has(_ origin: GATTEvent.Origin) -> Bool { origins & 1 << origin.rawValue != 0 }
}

/// A block whose data is damaged: its readings are lost, and only they.
package struct DamagedBlock: Hashable, Sendable {
    /// The store's number of the stream.
    package let stream: Int64
    /// The quarter that the readings were received in.
    package let quarter: Quarter
    /// The first seq and the last one.
    package let seqs: ClosedRange<Int64>
    /// The number of readings.
    package let count: Int

    init(_ row: BlockRow) {
        (stream, quarter, seqs, count) = (row.stream, row.quarter, row.seqs, row.count)
    }
}
