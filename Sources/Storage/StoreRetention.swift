package import Measurements
internal import Samples

/// What the store says of how far back it reaches.
enum Retention {
    /// The instant from which on streaming readings are kept; nil means that all are.
    static func keptFrom(in database: borrowing Database) throws(StorageError) -> Instant? {
        try database.number("SELECT value FROM meta WHERE key = 'kept_from'")
            .map { Instant(milliseconds: $0) }
    }

    /// Blocks, or small quarters of rows, that are dropped at once: as many as take about 50 ms.
    static let blocksAtOnce = 32
    /// Rows that are dropped at once.
    static let rowsAtOnce = 2048
}

extension StoreWriter {
    /// Drops a slice of the readings that were measured in quarters which end before an instant.
    ///
    /// With `keepingSummaries` statistics of whole quarters can still be answered, and readings that do
    /// not come as a stream are kept, for they are few. What was dropped is not told as a change, and
    /// does not come back.
    ///
    /// - Returns: Whether there is more to drop at once.
    package func drop(
        before instant: Instant, keepingSummaries: Bool
    ) throws(StorageError) -> Bool {
        let limit = Quarter(containing: instant)
        try begin()
        try noteKept(from: limit.start)
        for (stream, characteristic) in try catalogue.allStreams() {
            duplicates.forget(stream)
            if characteristic.isStreaming {
                if try dropBlocks(of: stream, before: limit, keepingSummaries) { return true }
                if keepingSummaries, try summUp(stream, characteristic, before: limit) {
                    return true
                }
            }
            if !keepingSummaries, try dropRows(of: stream, before: limit) { return true }
        }
        return false
    }

    private func noteKept(from instant: Instant) throws(StorageError) {
        guard keptFrom.map({ $0 < instant }) ?? true else { return }
        let statement = try database.prepare(
            "INSERT OR REPLACE INTO meta(key, value) VALUES ('kept_from', ?)")
        try statement.bind(1, instant.milliseconds)
        try statement.run()
        keep(from: instant)
    }

    private func dropBlocks(
        of stream: Int64, before limit: Quarter, _ keepingSummaries: Bool
    ) throws(StorageError) -> Bool {
        let rows = try blocks.parts(of: stream, before: limit, limit: Retention.blocksAtOnce)
        for row in rows { try blockWriter.deleteData(of: row) }
        if !keepingSummaries { try blockWriter.deleteSummaries(of: stream, before: limit) }
        return rows.count == Retention.blocksAtOnce
    }

    private func dropRows(of stream: Int64, before limit: Quarter) throws(StorageError) -> Bool {
        let rows = try oldRows(of: stream, before: limit)
        for reading in rows {
            try deleteReading.bind(1, reading.seq)
            try deleteReading.run()
        }
        return rows.count == Retention.rowsAtOnce
    }

    /// Drops the rows of a stream that were too few for a block, with summaries in their place.
    private func summUp(
        _ stream: Int64, _ characteristic: MeasurementCharacteristic, before limit: Quarter
    ) throws(StorageError) -> Bool {
        let rows = try oldRows(of: stream, before: limit).filter(BlockLimits.allow)
        let quarters = Dictionary(grouping: rows) { Quarter(containing: $0.at) }
        for (quarter, readings) in quarters.sorted(by: { $0.key < $1.key }) {
            var columns = BlockColumns(stream: stream)
            for reading in readings.sorted(by: { $0.seq < $1.seq }) { columns.append(reading) }
            try blockWriter.insertSummaries(of: columns, in: quarter, characteristic)
            for seq in columns.seqs {
                try deleteReading.bind(1, seq)
                try deleteReading.run()
            }
        }
        return !rows.isEmpty
    }

    private func oldRows(
        of stream: Int64, before limit: Quarter
    ) throws(StorageError) -> [Reading] {
        let statement = try database.prepare(
            """
            SELECT \(Reading.columns) FROM reading INDEXED BY reading_time
            WHERE stream = ? AND coalesce(start, at) < ? ORDER BY coalesce(start, at), seq
            LIMIT \(Retention.rowsAtOnce)
            """)
        try statement.bind(1, stream)
        try statement.bind(2, limit.start.milliseconds)
        var rows: [Reading] = []
        while try statement.step() { rows.append(Reading(statement, stream: stream)) }
        return rows
    }
}
