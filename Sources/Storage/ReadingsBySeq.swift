package import Measurements
package import Samples

// Single readings, and readings in commit order: rows and blocks as one.
extension StoreReader {
    /// The reading whose samples have ids that begin with `first`, with its stream; nil if there is none.
    package func reading(first: Int64) throws(StorageError) -> (Reading, Stream)? {
        try transaction { () throws(StorageError) in
            let row = try self.row(first: first)
            guard let reading = row == nil ? try self.sealed(seq: first) : row else { return nil }
            let stream = try self.streamsNow().first { $0.id == reading.stream }
            return stream.map { (reading, $0) }
        }
    }

    /// The readings behind a seq in commit order, at most `limit`, with the newest seq there is.
    package func readings(
        after seq: Int64, limit: Int
    ) throws(StorageError) -> (readings: [(Reading, Stream)], newest: Int64) {
        try transaction { () throws(StorageError) in
            let streams = Dictionary(
                uniqueKeysWithValues: try self.streamsNow().map { ($0.id, $0) })
            var (last, found): (Int64, [(Reading, Stream)]) = (seq, [])
            while found.isEmpty, last < .max {
                let piece = try self.readings(behind: last, limit: limit)
                found = piece.readings.compactMap { reading in
                    streams[reading.stream].map { (reading, $0) }
                }
                last = piece.last
            }
            return (found, try self.newestSeq())
        }
    }

    /// The readings behind a seq, in an open transaction, and the last seq that was looked at.
    ///
    /// They are those of the next `limit` seqs from the first one on that there is; `last` is
    /// `Int64.max` where there is none.
    func readings(
        behind seq: Int64, limit: Int
    ) throws(StorageError) -> (readings: [Reading], last: Int64) {
        guard let first = try firstSeq(behind: seq) else { return ([], .max) }
        let last = first + Int64(limit) - 1
        var readings = try rows(first...last)
        let rows = readings.count
        readings += try sealed(first...last)
        if readings.count > rows { readings.sort { $0.seq < $1.seq } }
        return (readings, last)
    }

    /// A seq that no reading behind another one comes before; nil if there is none.
    private func firstSeq(behind seq: Int64) throws(StorageError) -> Int64? {
        let statement = try database.prepare(
            """
            SELECT min(coalesce((SELECT min(seq) FROM reading WHERE seq > ?1), ?3),
                coalesce((SELECT min(max(seq0, ?1 + 1)) FROM block WHERE seq1 > ?1 AND seq1 <=
                    (SELECT min(seq1) FROM block WHERE seq1 > ?1) + ?2), ?3))
            """)
        try statement.bind(1, seq)
        try statement.bind(2, BlockLimits.seqs)
        try statement.bind(3, Int64.max)
        guard try statement.step(), statement.int64(0) < .max else { return nil }
        return statement.int64(0)
    }

    private func rows(_ seqs: ClosedRange<Int64>) throws(StorageError) -> [Reading] {
        let statement = try database.prepare(
            """
            SELECT \(Reading.columns), stream FROM reading WHERE seq BETWEEN ? AND ? ORDER BY seq
            """)
        try statement.bind(1, seqs.lowerBound)
        try statement.bind(2, seqs.upperBound)
        var readings: [Reading] = []
        while try statement.step() {
            readings.append(Reading(statement, stream: statement.int64(9)))
        }
        return readings
    }

    private func sealed(_ seqs: ClosedRange<Int64>) throws(StorageError) -> [Reading] {
        var readings: [Reading] = []
        for row in try blocks.overlapping(seqs) {
            guard let columns = try blocks.decoded(row)?.columns else { continue }
            for index in 0..<columns.count where seqs.contains(columns.seqs[index]) {
                readings.append(columns.reading(index))
            }
        }
        return readings
    }

    private func row(first: Int64) throws(StorageError) -> Reading? {
        let statement = try database.prepare(
            """
            SELECT \(Reading.columns), stream FROM reading WHERE seq = ?1 AND first IS NULL
            UNION ALL SELECT \(Reading.columns), stream FROM reading WHERE first = ?1
            """)
        try statement.bind(1, first)
        guard try statement.step() else { return nil }
        return Reading(statement, stream: statement.int64(9))
    }

    private func sealed(seq: Int64) throws(StorageError) -> Reading? {
        guard let (_, block, index) = try blocks.find(seq: seq) else { return nil }
        return block.columns.reading(index)
    }
}

// The newest packet.
extension StoreReader {
    /// When the newest packet of several streams was received and where it came from.
    package func newestReception(
        of streams: [Stream]
    ) throws(StorageError) -> (at: Instant, origin: GATTEvent.Origin)? {
        var newest: Reading?
        for stream in streams {
            guard let one = try newestReading(of: stream) else { continue }
            if newest.map({ $0.at < one.at }) ?? true { newest = one }
        }
        return newest.map { ($0.at, $0.flags.origin) }
    }

    /// The reading of a stream that was measured last; nil if it has none.
    private func newestReading(of stream: Stream) throws(StorageError) -> Reading? {
        let statement = try database.prepare(
            """
            SELECT \(Reading.columns) FROM reading WHERE stream = ?
            ORDER BY coalesce(start, at) DESC, seq DESC LIMIT 1
            """)
        try statement.bind(1, stream.id)
        let row = try statement.step() ? Reading(statement, stream: stream.id) : nil
        guard let quarter = try blocks.newestQuarter(of: stream.id),
            row.map({ $0.measuredFrom < quarter.end }) ?? true
        else { return row }
        let sealed = try newestSealed(of: stream, quarter)
        return [row, sealed].compactMap { $0 }.max {
            ($0.measuredFrom, $0.seq) < ($1.measuredFrom, $1.seq)
        }
    }

    private func newestSealed(
        of stream: Stream, _ quarter: Quarter
    ) throws(StorageError) -> Reading? {
        var newest: Reading?
        for row in try blocks.parts(of: stream.id, quarter) {
            guard let block = try blocks.decoded(row), let last = block.order.last else { continue }
            let reading = block.columns.reading(last)
            if newest.map({ ($0.at, $0.seq) < (reading.at, reading.seq) }) ?? true {
                newest = reading
            }
        }
        return newest
    }
}
