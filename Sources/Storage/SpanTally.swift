package import Measurements
internal import Samples

extension StoreReader {
    /// What the deletion of a span of some streams would take, as far as it can be seen now.
    ///
    /// Of a block that goes as a whole, the summaries tell what is in it.
    package func tally(
        streams ids: [Int64], from start: Instant, until end: Instant
    ) throws(StorageError) -> DeletionTally {
        guard start < end else { return DeletionTally() }
        let span = start.milliseconds...end.milliseconds - 1
        return try transaction { () throws(StorageError) in
            var tally = DeletionTally()
            let counter = try BlockCounter(self.database)
            for stream in try self.streamsNow() where ids.contains(stream.id) {
                try self.forEachRow(
                    of: stream, from: span.lowerBound, to: span.upperBound, until: .max
                ) { tally += DeletionTally(ofOne: $0.octets, stream) }
                tally += try self.tally(ofBlocksOf: stream, span, counter)
            }
            return tally
        }
    }

    /// When the first quarter at or behind an instant's begins in which some streams have readings up to
    /// a seq; nil if there is none.
    package func firstQuarter(
        of streams: [Int64], from start: Instant, until newest: Int64
    ) throws(StorageError) -> Instant? {
        var earliest: Quarter?
        for stream in streams {
            for quarter in try firstQuarters(of: stream, from: start, until: newest) {
                earliest = min(earliest ?? quarter, quarter)
            }
        }
        return earliest?.start
    }

    /// The first quarter of a stream's rows and that of its blocks.
    private func firstQuarters(
        of stream: Int64, from start: Instant, until newest: Int64
    ) throws(StorageError) -> [Quarter] {
        let statement = try database.prepare(
            """
            SELECT
                (SELECT min(coalesce(start, at)) FROM reading INDEXED BY reading_time
                    WHERE stream = ?1 AND coalesce(start, at) >= ?2 AND seq <= ?4),
                (SELECT min(quarter) FROM block
                    WHERE stream = ?1 AND quarter >= ?3 AND seq0 <= ?4)
            """)
        try statement.bind(1, stream)
        try statement.bind(2, start.milliseconds)
        try statement.bind(3, Quarter(containing: start).number)
        try statement.bind(4, newest)
        guard try statement.step() else { return [] }
        defer { statement.reset() }
        let row = statement.optionalInt64(0).map { Quarter(containing: Instant(milliseconds: $0)) }
        let block = statement.optionalInt64(1).map { Quarter(stored: $0) }
        return [row, block].compactMap { $0 }
    }

    private func tally(
        ofBlocksOf stream: Stream, _ span: ClosedRange<Int64>, _ counter: BlockCounter
    ) throws(StorageError) -> DeletionTally {
        var tally = DeletionTally()
        let first = Quarter(containing: Instant(milliseconds: span.lowerBound))
        let last = Quarter(containing: Instant(milliseconds: span.upperBound))
        for row in try blocks.parts(of: stream.id, from: first, until: last.next)
        where row.times.overlaps(span) {
            let isWhole = row.times.clamped(to: span) == row.times
            if isWhole, let types = try counter.samples(of: row, stream.characteristic) {
                tally += DeletionTally(readings: row.count, types: types)
            } else if let columns = try blocks.decoded(row)?.columns {
                for index in 0..<columns.count where span.contains(columns.times[index]) {
                    tally += DeletionTally(ofOne: Array(columns.packet(index)), stream)
                }
            }
        }
        return tally
    }
}

extension DeletionTally {
    fileprivate init(ofOne octets: [UInt8], _ stream: Stream) {
        self.init(ofOne: DecodedPacket.samples(of: octets, stream.characteristic))
    }
}
