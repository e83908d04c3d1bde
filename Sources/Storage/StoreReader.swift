package import Measurements
package import Samples

/// A connection that reads beside the writer; each question is one short read transaction.
package final class StoreReader {
    let database: Database
    /// The small tables as they were at some count of `meta.catalogue`.
    private(set) var catalogue: (version: Int64, contents: CatalogueContents)?

    /// Rows one page looks at: a longer read would keep the writer's log from being checkpointed.
    package static let pageRows = 1000

    /// Opens the store at `path`, which a writer has made.
    package init(path: String) throws(StorageError) {
        let database = try Database(path: path, mode: .readOnly)
        try database.execute(Schema.reading)
        self.database = database
    }

    /// The greatest seq that is visible; 0 when there is none.
    package func newestSeq() throws(StorageError) -> Int64 {
        try database.number(Schema.newestSeq) ?? 0
    }

    /// The size of the store's file in octets, without its log.
    package func fileSize() throws(StorageError) -> Int64 {
        let pages = try database.number("PRAGMA page_count") ?? 0
        return pages * (try database.number("PRAGMA page_size") ?? 0)
    }

    /// One page of an answer.
    package struct Page: Sendable {
        /// The samples, in the order of the query.
        package var samples: [StoredSample] = []
        /// How many samples belong to the page, also where they are only counted.
        package var count = 0
        /// Samples that only their quality left out.
        package var excluded = 0
        /// Where the next page begins; nil if this was the last one.
        package var next: SamplePosition?
        /// Whether the page ended because one more sample did not fit.
        package var isFull = false
    }

    /// The samples behind a position, at most `limit`.
    ///
    /// A page ends early after `pageRows` rows, so that it can be empty and still have a next one.
    /// Where `isCount` says so, it counts its samples and holds none.
    package func page(
        of query: SampleQuery, after position: SamplePosition?, limit: Int, isCount: Bool = false
    ) throws(StorageError) -> Page {
        try transaction { () throws(StorageError) in
            try self.builtPage(of: query, after: position, limit: limit, isCount: isCount)
        }
    }

    /// A page inside a transaction that is open already.
    func builtPage(
        of query: SampleQuery, after position: SamplePosition?, limit: Int, isCount: Bool = false
    ) throws(StorageError) -> Page {
        let cursors = try cursors(query, position, isCount: isCount)
        return try PageBuilder(query, position, limit: limit, isCount: isCount)
            .build(from: cursors)
    }

    /// The newest battery level of a device; nil if it has none.
    ///
    /// Only the last page is looked at: levels outside of 0 to 100 % are no level.
    package func newestBattery(of device: Device) throws(StorageError) -> StoredSample? {
        var query = SampleQuery(types: [.batteryLevel], newest: try newestSeq())
        query.device = device.id
        query.order = .descending
        return try page(of: query, after: nil, limit: 1).samples.first
    }

    /// All devices, by their numbers.
    package func devices() throws(StorageError) -> [Device] {
        try transaction { () throws(StorageError) in try self.catalogueNow().devices }
    }

    /// All streams, by device and number.
    package func streams() throws(StorageError) -> [Stream] {
        try transaction { () throws(StorageError) in try self.streamsNow() }
    }

    /// The reading whose samples have ids that begin with `first`, with its stream; nil if there is none.
    package func reading(first: Int64) throws(StorageError) -> (Reading, Stream)? {
        try transaction { () throws(StorageError) in
            let statement = try self.database.prepare(
                """
                SELECT \(Reading.columns), stream FROM reading WHERE seq = ?1 AND first IS NULL
                UNION ALL SELECT \(Reading.columns), stream FROM reading WHERE first = ?1
                """)
            try statement.bind(1, first)
            guard try statement.step() else { return nil }
            let id = statement.int64(9)
            let stream = try self.streamsNow().first { $0.id == id }
            return stream.map { (Reading(statement, stream: id), $0) }
        }
    }

    /// The readings behind a seq in commit order, at most `limit`, with the newest seq there is.
    package func readings(
        after seq: Int64, limit: Int
    ) throws(StorageError) -> (readings: [(Reading, Stream)], newest: Int64) {
        try transaction { () throws(StorageError) in
            let streams = Dictionary(
                uniqueKeysWithValues: try self.streamsNow().map { ($0.id, $0) })
            let statement = try self.database.prepare(
                """
                SELECT \(Reading.columns), stream FROM reading WHERE seq > ? ORDER BY seq LIMIT ?
                """)
            try statement.bind(1, seq)
            try statement.bind(2, Int64(limit))
            var readings: [(Reading, Stream)] = []
            while try statement.step() {
                guard let stream = streams[statement.int64(9)] else { continue }
                readings.append((Reading(statement, stream: stream.id), stream))
            }
            return (readings, try self.newestSeq())
        }
    }

    /// Writes a whole copy of the store, as of now, under a name of its own, and checks it.
    ///
    /// The copy is one file, without a log; its anchors mean nothing to the original.
    package func copy(to path: String, epoch: String) throws(StorageError) {
        try database.execute("PRAGMA query_only = OFF")  // it also forbids writing another file
        let statement = try database.prepare("VACUUM INTO ?")
        try statement.bind(1, path)
        try statement.run()
        try database.execute("PRAGMA query_only = ON")
        let copy = try Database(path: path, mode: .readWrite)
        try copy.execute("PRAGMA journal_mode = DELETE")
        let rename = try copy.prepare("UPDATE meta SET value = ? WHERE key = 'epoch'")
        try rename.bind(1, epoch)
        try rename.run()
        try copy.requireWhole(path)
    }

    /// Whether the pages of the store fit together; nil if they do, else what is wrong first.
    package func damage() throws(StorageError) -> String? {
        let verdict = try database.text("PRAGMA quick_check(1)")
        return verdict == "ok" ? nil : verdict ?? "no answer"
    }

    /// When the newest packet of several streams was received and where it came from.
    package func newestReception(
        of streams: [Stream]
    ) throws(StorageError) -> (at: Instant, origin: GATTEvent.Origin)? {
        var newest: (at: Instant, origin: GATTEvent.Origin)?
        for stream in streams {
            guard let one = try newestReception(of: stream) else { continue }
            if newest.map({ $0.at < one.at }) ?? true { newest = one }
        }
        return newest
    }

    /// When the newest packet of a stream was received and where it came from; nil if it has none.
    private func newestReception(
        of stream: Stream
    ) throws(StorageError) -> (at: Instant, origin: GATTEvent.Origin)? {
        let statement = try database.prepare(
            """
            SELECT at, flags FROM reading WHERE stream = ?
            ORDER BY coalesce(start, at) DESC, seq DESC LIMIT 1
            """)
        try statement.bind(1, stream.id)
        guard try statement.step() else { return nil }
        let flags = ReadingFlags(rawValue: Int(statement.int64(1)))
        return (Instant(milliseconds: statement.int64(0)), flags.origin)
    }

    func transaction<Result>(
        _ body: () throws(StorageError) -> Result
    ) throws(StorageError) -> Result {
        try database.execute("BEGIN")
        do throws(StorageError) {
            let result = try body()
            try database.execute("COMMIT")
            return result
        } catch {
            if database.isInTransaction { try database.execute("ROLLBACK") }
            throw error
        }
    }

    /// The small tables as they are; read again only where they have changed.
    func catalogueNow() throws(StorageError) -> CatalogueContents {
        let version = try database.number("SELECT value FROM meta WHERE key = 'catalogue'") ?? 0
        if let catalogue, catalogue.version == version { return catalogue.contents }
        let contents = try CatalogueContents(database)
        catalogue = (version, contents)
        return contents
    }

    /// All streams, inside a transaction that is open already.
    func streamsNow() throws(StorageError) -> [Stream] { try catalogueNow().streams }

    private func cursors(
        _ query: SampleQuery, _ position: SamplePosition?, isCount: Bool
    ) throws(StorageError) -> [ReadingCursor] {
        var cursors: [ReadingCursor] = []
        for stream in try streamsNow() where query.concerns(stream) {
            for source in ReadingCursor.sources(of: query) {
                cursors.append(
                    try ReadingCursor(
                        database, stream, query, source, from: position, isCount: isCount))
            }
        }
        return cursors
    }
}

extension SampleQuery {
    /// Whether a stream can hold what is wanted.
    fileprivate func concerns(_ stream: Stream) -> Bool {
        !types.isDisjoint(with: stream.characteristic.types)
            && !modalities.isDisjoint(with: stream.modalities)
            && (device == nil || device == stream.device.id)
            && (subject.map { stream.device.subjects.contains($0) } ?? true)
            && types.contains { stream.hasHeld($0) }
    }
}
