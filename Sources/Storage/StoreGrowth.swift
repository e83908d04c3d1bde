package import Measurements
internal import Samples

/// How fast a store grows, as the readings of the last week tell it.
package struct StoreGrowth: Equatable, Sendable {
    /// Readings of a day.
    package let readingsPerDay: Int64
    /// Octets of a day, with what one reading takes on the whole.
    package let octetsPerDay: Int64

    /// The growth by so many readings in a span, in a file of `octets` with `total` readings.
    init(readings: Int64, in milliseconds: Int64, octets: Int64, total: Int64) {
        let day: Int128 = 86_400_000
        let span = Int128(max(milliseconds, Int64(day)))
        readingsPerDay = Int64((Int128(readings) * day + span / 2) / span)
        octetsPerDay = Int64(Int128(readingsPerDay) * Int128(octets) / Int128(max(total, 1)))
    }
}

extension StoreReader {
    /// How far back growth looks, in ms.
    private static let growthSpan: Int64 = 7 * 86_400_000

    /// How fast the store grows at an instant.
    package func growth(at now: Instant) throws(StorageError) -> StoreGrowth {
        try transaction { () throws(StorageError) in
            let start = now.advanced(byMilliseconds: -Self.growthSpan)
            var (readings, first): (Int64, Instant) = (0, now)
            for stream in try self.streamsNow() {
                let (count, earliest) = try self.readings(of: stream, from: start, until: now)
                readings += count
                first = min(first, earliest ?? now)
            }
            return StoreGrowth(
                readings: readings, in: now.milliseconds - first.milliseconds,
                octets: try self.fileSize(), total: try self.newestSeq())
        }
    }

    private func readings(
        of stream: Stream, from start: Instant, until end: Instant
    ) throws(StorageError) -> (Int64, Instant?) {
        let statement = try database.prepare(
            """
            SELECT count(*), min(coalesce(start, at)) FROM reading INDEXED BY reading_time
                WHERE stream = ?1 AND coalesce(start, at) >= ?2 AND coalesce(start, at) <= ?3
            UNION ALL SELECT coalesce(sum(n), 0), min(quarter) * \(Quarter.milliseconds) FROM block
                WHERE stream = ?1 AND quarter >= ?4 AND quarter <= ?5
            """)
        try statement.bind(1, stream.id)
        try statement.bind(2, start.milliseconds)
        try statement.bind(3, end.milliseconds)
        try statement.bind(4, Quarter(containing: start).number)
        try statement.bind(5, Quarter(containing: end).number)
        var (count, first): (Int64, Instant?) = (0, nil)
        while try statement.step() {
            count += statement.int64(0)
            let time = statement.optionalInt64(1).map { Instant(milliseconds: $0) }
            first = [first, time].compactMap { $0 }.min()
        }
        return (count, first)
    }
}
