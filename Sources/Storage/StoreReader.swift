internal import Measurements
internal import Samples

/// A connection that reads beside the writer; each question is one short read transaction.
package final class StoreReader {
    let database: Database
    let blocks: BlockReader
    /// The small tables as they were at some count of `meta.catalogue`.
    private(set) var catalogue: (version: Int64, contents: CatalogueContents)?

    /// Rows one page looks at: a longer read would keep the writer's log from being checkpointed.
    package static let pageRows = 1000

    /// Opens the store at `path`, which a writer has made.
    package init(path: String) throws(StorageError) {
        let database = try Database(path: path, mode: .readOnly)
        try database.execute(Schema.reading)
        blocks = try BlockReader(database, try BlockData(database, outside: nil))
        self.database = database
    }

    /// The damaged blocks that answers met so far: their readings are missing in these answers.
    package var damagedBlocks: Set<DamagedBlock> { blocks.damaged }

    /// Those of some damaged blocks that were not taken out since.
    package func present(_ damaged: [DamagedBlock]) throws(StorageError) -> [DamagedBlock] {
        var present: [DamagedBlock] = []
        for block in damaged {
            let rows = try blocks.parts(of: block.stream, block.quarter)
            if rows.contains(where: { DamagedBlock($0) == block }) { present.append(block) }
        }
        return present
    }

    /// The damaged blocks that were met since this was asked last.
    package func takeMissed() -> Set<DamagedBlock> { blocks.takeMissed() }

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

    /// Reads in one transaction.
    ///
    /// It ends with ROLLBACK: once SQLite has met a malformed page in a transaction it refuses COMMIT,
    /// also where nothing was written.
    func transaction<Result>(
        _ body: () throws(StorageError) -> Result
    ) throws(StorageError) -> Result {
        try database.execute("BEGIN")
        do throws(StorageError) {
            let result = try body()
            try database.execute("ROLLBACK")
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
    ) throws(StorageError) -> [any ReadingSource] {
        var cursors: [any ReadingSource] = []
        let filter = try BlockFilter(database, query)
        for stream in try streamsNow() where query.concerns(stream) {
            for source in ReadingCursor.sources(of: query) {
                cursors.append(
                    try ReadingCursor(
                        database, stream, query, source, from: position, isCount: isCount))
            }
            guard stream.characteristic.isStreaming else { continue }
            cursors.append(try BlockCursor(blocks, filter, stream, query, from: position))
        }
        return cursors
    }
}

extension SampleQuery {
    /// Whether a stream can hold what is wanted.
    func concerns(_ stream: Stream) -> Bool {
        !types.isDisjoint(with: stream.characteristic.types)
            && !modalities.isDisjoint(with: stream.modalities)
            && (device == nil || device == stream.device.id)
            && (subject.map { stream.device.subjects.contains($0) } ?? true)
            && types.contains { stream.hasHeld($0) }
    }
}
