import Foundation
import Measurements
import Samples
import Testing

@testable import Storage

@Suite struct CheckpointTests {
    private func size(_ store: TemporaryStore, _ suffix: String = "") throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: store.path + suffix)
        return attributes[.size] as? Int ?? -1
    }

    @Test func aCheckpointEmptiesTheLog() throws {
        let store = try TemporaryStore()
        try store.run((0..<100).map { battery(50, at: Int64($0)) })
        #expect(try size(store, "-wal") > 0)
        try store.checkpoint()
        #expect(try size(store, "-wal") == 0)
        #expect(try store.answer(to: store.everything()).samples.count == 100)
    }

    @Test func aCheckpointGivesFreePagesBack() throws {
        let store = try TemporaryStore()
        try store.run((0..<5000).map { battery(50, at: Int64($0)) })
        try store.checkpoint()
        let full = try size(store)
        try store.execute("BEGIN; DELETE FROM reading; COMMIT")
        try store.checkpoint()
        let left = try size(store)
        #expect(left < full / 2, "\(left) of \(full)")
        #expect(try store.number("PRAGMA freelist_count") == 0)
    }

    @Test func manyFreePagesAreGivenBackAtOnce() throws {
        let store = try TemporaryStore()
        // What stands behind the free pages is moved into them.
        for table in ["large", "moved"] {
            try store.execute(
                """
                CREATE TABLE \(table)(octets BLOB);
                WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 12000)
                INSERT INTO \(table) SELECT randomblob(900) FROM n
                """)
        }
        try store.execute("DROP TABLE large")
        #expect(try store.number("PRAGMA freelist_count") ?? 0 > 8000)
        try store.checkpoint()
        #expect(try store.number("PRAGMA freelist_count") == 0)
        #expect(try store.number("PRAGMA auto_vacuum") == 2)
        #expect(try size(store, "-wal") == 0)
        #expect(try store.number("SELECT count(*) FROM moved") == 12_000)
        #expect(try store.text("PRAGMA quick_check") == "ok")
    }

    @Test func aCheckpointCommitsWhatThereIs() throws {
        let store = try TemporaryStore()
        var assembler = ReadingAssembler(hostZone: .utc)
        _ = try store.writer.ingest(assembler.handle(battery(50, at: 0)))
        let durable = store.writer.durableCommits
        try store.checkpoint()
        #expect(store.writer.committed == 1)
        #expect(store.writer.durableCommits == durable + 1)
    }
}
