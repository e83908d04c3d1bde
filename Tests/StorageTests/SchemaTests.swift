import Foundation
import Testing

@testable import Storage

/// The file: its settings, versions and damages.
@Suite struct SchemaTests {
    private let store: TemporaryStore

    init() throws {
        store = try TemporaryStore()
    }

    private func open() throws -> StoreWriter {
        try StoreWriter(path: store.path, newEpoch: "another")
    }

    @Test(arguments: [
        ("page_size", "1024"), ("auto_vacuum", "2"), ("journal_mode", "wal"),
        ("user_version", "5"), ("encoding", "UTF-8"), ("integrity_check", "ok"),
    ])
    func aNewFileHasTheSetting(pragma: String, value: String) throws {
        #expect(try store.text("PRAGMA \(pragma)") == value)
    }

    @Test(arguments: [
        "reading_time", "reading_stamp", "reading_end", "reading_first", "reading_redated",
        "ledger_device", "change_span", "block_quarter", "block_seq",
    ])
    func anIndexIsThere(name: String) throws {
        let sql = "SELECT count(*) FROM sqlite_schema WHERE type = 'index' AND name = '\(name)'"
        #expect(try store.number(sql) == 1)
    }

    @Test(arguments: [
        "SELECT n FROM summary WHERE \(SummaryRow.areOfBlock)",
        "DELETE FROM summary WHERE \(SummaryRow.areOfBlock)",
        "SELECT n FROM summary WHERE \(SummaryRow.isOfKind)",
    ])
    func aSummaryIsFoundByTheWholeKey(sql: String) throws {
        let plan = try store.reader.database.prepare("EXPLAIN QUERY PLAN \(sql)")
        #expect(try plan.step())
        #expect(
            plan.text(3)?.contains("type=? AND modality=? AND quarter=? AND seq0=?") == true)
    }

    @Test func aNewerVersionIsRefusedInPlainWords() throws {
        try store.execute("PRAGMA user_version = 99")
        let error = #expect(throws: StorageError.self) { try open() }
        #expect(error?.message.contains("version 99") == true)
        #expect(error?.message.contains("newer healthd") == true)
        #expect(error?.isDamage == false)
        #expect(try store.number("PRAGMA user_version") == 99)
    }

    @Test func aFileWithoutTablesIsMadeToTheLastVersion() throws {
        let empty = store.directory.appendingPathComponent("empty.db").path
        #expect(FileManager.default.createFile(atPath: empty, contents: Data()))
        let writer = try StoreWriter(path: empty, newEpoch: "made")
        #expect(writer.epoch == "made")
        #expect(writer.nextSeq == 1)
    }

    @Test func aMigrationThatFailsLeavesTheFileAsItWas() throws {
        try store.execute("PRAGMA user_version = 0")
        let error = #expect(throws: StorageError.self) { try open() }
        #expect(error?.message.contains("already exists") == true)
        #expect(try store.number("PRAGMA user_version") == 0)
        #expect(try store.text("SELECT value FROM meta WHERE key = 'epoch'") == "first")
    }

    @Test func garbageIsDamage() throws {
        let path = store.directory.appendingPathComponent("garbage.db").path
        let garbage = Data((0..<20_000).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 7) })
        try garbage.write(to: URL(fileURLWithPath: path))
        let error = #expect(throws: StorageError.self) {
            try StoreWriter(path: path, newEpoch: "none")
        }
        #expect(error?.isDamage == true)
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == garbage)
    }

    @Test(arguments: [100, 1000, 4096, 10_000])
    func aTruncatedFileIsDamage(size: UInt64) throws {
        try store.run((0..<500).map { battery(50, at: Int64($0)) })
        let path = store.directory.appendingPathComponent("truncated.db").path
        try store.execute("VACUUM INTO '\(path)'")
        let file = try #require(FileHandle(forWritingAtPath: path))
        try file.truncate(atOffset: size)
        try file.close()
        let error = #expect(throws: StorageError.self) {
            try StoreWriter(path: path, newEpoch: "none")
        }
        #expect(error?.isDamage == true)
    }

    @Test func aMissingDirectoryIsNoDamage() throws {
        let path = store.directory.appendingPathComponent("missing/healthd.db").path
        let error = #expect(throws: StorageError.self) {
            try StoreWriter(path: path, newEpoch: "none")
        }
        #expect(error?.primaryCode == 14)
        #expect(error?.isDamage == false)
        #expect(error?.message.contains(path) == true)
    }

    @Test func aReaderNeedsAStore() throws {
        let path = store.directory.appendingPathComponent("none.db").path
        #expect(throws: StorageError.self) { try StoreReader(path: path) }
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test func anErrorNamesItsCodeAndStatement() {
        let error = StorageError(code: 0x10D, message: "disk full", sql: "COMMIT")
        #expect(error.description == "disk full (SQLite 269), in «COMMIT»")
        #expect(error.isFull)
        #expect(!error.isDamage)
        #expect(StorageError(code: 11 | 2 << 8, message: "").isDamage)
        #expect(StorageError(code: 26, message: "").isDamage)
        #expect(StorageError(code: 8 | 1 << 8, message: "").isReadOnly)
        #expect(StorageError(code: 5 | 1 << 8, message: "").isBusy)
        #expect(StorageError(code: 6, message: "").isBusy)
    }
}
