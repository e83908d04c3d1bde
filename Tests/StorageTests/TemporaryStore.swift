import Foundation
import Measurements
import Samples
import Testing

@testable import Storage

/// A store in a directory of its own that vanishes with it.
final class TemporaryStore {
    /// The directory.
    let directory: URL
    /// The connection that writes.
    private(set) var writer: StoreWriter
    /// A connection that reads.
    let reader: StoreReader

    /// An empty store, or what SQL makes, before it is opened with a page of it that SQLite calls malformed.
    init(
        from sql: String? = nil, spoiling page: ((borrowing Database) throws -> Int64)? = nil
    ) throws {
        directory = FileManager.default.temporaryDirectory
            .appendingPathComponent("store-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        let path = directory.appendingPathComponent("healthd.db").path
        if let sql { try Self.make(path, sql, page) }
        writer = try StoreWriter(path: path, newEpoch: "first")
        reader = try StoreReader(path: path)
    }

    private static func make(
        _ path: String, _ sql: String, _ page: ((borrowing Database) throws -> Int64)?
    ) throws {
        let database = try Database(path: path, mode: .readWrite)
        try database.execute(sql)
        guard let page = try page?(database),
            let size = try database.number("PRAGMA page_size")
        else { return }
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
        try file.seek(toOffset: UInt64(page * size))
        try file.write(contentsOf: Data(repeating: 0xFF, count: 8))
        try file.close()
    }

    deinit { try? FileManager.default.removeItem(at: directory) }

    /// The store's file.
    var path: String { directory.appendingPathComponent("healthd.db").path }

    /// Opens another writer and drops the one before, which gives up what it did not commit.
    func restart() throws {
        writer = try StoreWriter(path: path, newEpoch: "another")
    }

    /// Lets the writer seal parts of a few readings, a few rows at a time.
    func sealsSmallParts(of fewest: Int, rows: Int) {
        writer.sealer.fewest = fewest
        writer.sealer.sliceRows = rows
    }

    /// Seals everything that can be sealed, in parts of at least `fewest` readings.
    func seal(fewest: Int = 1) throws {
        writer.sealer.fewest = fewest
        while try writer.seal(until: Instant.range.upperBound) {}
        try writer.commit()
    }

    /// Seals everything and makes the file small, step by step; how many steps that took.
    @discardableResult
    func checkpoint() throws -> Int {
        var steps = 1
        while try writer.checkpoint() { steps += 1 }
        return steps
    }

    /// Takes in what one run of events leaves, and commits it.
    @discardableResult
    func run(_ events: [GATTEvent], in zone: Zone = .utc) throws -> [StoreWriter.Outcome] {
        var assembler = ReadingAssembler(hostZone: zone)
        var outcomes: [StoreWriter.Outcome] = []
        for event in events {
            let intake = assembler.handle(event)
            let outcome = try writer.ingest(intake)
            if case .reading = intake.content { outcomes.append(outcome) }
        }
        try writer.commit()
        return outcomes
    }

    /// A query for everything that is visible now.
    func everything() throws -> SampleQuery {
        var query = SampleQuery(types: Set(SampleType.allCases), newest: try reader.newestSeq())
        query.modalities = Set(Modality.allCases)
        query.qualities = Set(Quality.allCases)
        return query
    }

    /// The whole answer to a query, in pages of `size` samples.
    func answer(
        to query: SampleQuery, pagesOf size: Int = .max, between: () throws -> Void = {}
    ) throws -> (samples: [StoredSample], excluded: Int) {
        var answer: (samples: [StoredSample], excluded: Int) = ([], 0)
        var position: SamplePosition?
        repeat {
            let page = try reader.page(of: query, after: position, limit: size)
            answer.samples += page.samples
            answer.excluded += page.excluded
            position = page.next
            if position != nil { try between() }
        } while position != nil
        return answer
    }

    /// The first number that a statement gives.
    func number(_ sql: String) throws -> Int64? {
        try Database(path: path, mode: .readOnly).number(sql)
    }

    /// The first text that a statement gives.
    func text(_ sql: String) throws -> String? {
        try Database(path: path, mode: .readOnly).text(sql)
    }

    /// Changes the file behind the writer's back.
    func execute(_ sql: String) throws {
        try Database(path: path, mode: .readWrite).execute(sql)
    }

    /// Spoils the first page of the table of data that SQLite reads below its root.
    func spoilAPageOfData() throws {
        try execute("PRAGMA wal_checkpoint(TRUNCATE)")
        let size = Int(try #require(try number("PRAGMA page_size")))
        let root = Int(
            try #require(
                try number("SELECT rootpage FROM sqlite_schema WHERE name = 'block_data'")))
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
        func word(_ place: Int, _ count: Int) throws -> Int {
            try file.seek(toOffset: UInt64(place))
            return try #require(try file.read(upToCount: count)).reduce(0) { $0 << 8 | Int($1) }
        }
        let page = (root - 1) * size
        #expect(try word(page, 1) == 5, "the root has pages below it")
        let child = try word(page + (try word(page + 12, 2)), 4)
        try file.seek(toOffset: UInt64((child - 1) * size))
        try file.write(contentsOf: Data(repeating: 0xFF, count: 8))
        try file.close()
    }
}

extension [StoredSample] {
    /// The values as they print.
    var texts: [String] { map { $0.sample.value?.description ?? "-" } }
    /// The ids.
    var ids: [String] { map(\.id) }
}

extension StoreReader {
    /// The newest sample of a query, from whatever page it stands on.
    func newest(of query: SampleQuery) throws -> StoredSample? {
        var query = query
        query.order = .descending
        var page = try page(of: query, after: nil, limit: 1)
        while page.samples.isEmpty, let next = page.next {
            page = try self.page(of: query, after: next, limit: 1)
        }
        return page.samples.first
    }
}
