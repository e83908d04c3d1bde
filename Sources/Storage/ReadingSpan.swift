internal import Measurements
package import Samples

extension StoreReader {
    /// The quarters from the first to the last that have something a query may concern; nil if none.
    package func span(of query: SampleQuery) throws(StorageError) -> DateInterval? {
        try transaction { () throws(StorageError) in
            var quarters: [Quarter] = []
            for stream in try self.streamsNow() where query.concerns(stream) {
                quarters += try self.outerQuarters(of: stream)
            }
            guard let first = quarters.min(), let last = quarters.max() else { return nil }
            return DateInterval(start: first.start, end: last.end)
        }
    }

    /// The first and the last quarter of a stream's rows, of its blocks, and of its summaries.
    private func outerQuarters(of stream: Stream) throws(StorageError) -> [Quarter] {
        let statement = try database.prepare(
            """
            SELECT
                (SELECT min(coalesce(start, at)) FROM reading WHERE stream = ?1),
                (SELECT max(coalesce(start, at)) FROM reading WHERE stream = ?1),
                (SELECT min(quarter) FROM block WHERE stream = ?1),
                (SELECT max(quarter) FROM block WHERE stream = ?1),
                \(SummaryRow.outermost("min")), \(SummaryRow.outermost("max"))
            """)
        try statement.bind(1, stream.id)
        guard try statement.step() else { return [] }
        let rows = (0..<2).compactMap { statement.optionalInt64(Int32($0)) }
        let sealed = (2..<6).compactMap { statement.optionalInt64(Int32($0)) }
        return rows.map { Quarter(containing: Instant(milliseconds: $0)) }
            + sealed.map { Quarter(stored: $0) }
    }
}
