import Measurements
import Storage
import Testing

/// What bears on whether readings come, as the store keeps it.
@Suite struct LedgerTests {
    private let store: TemporaryStore

    init() throws {
        store = try TemporaryStore()
    }

    private func row(
        _ event: String, _ detail: String = "", at milliseconds: Int64, device: UInt64? = 1
    ) -> LedgerRow {
        LedgerRow(
            at: noon.advanced(byMilliseconds: milliseconds),
            device: device.map { DeviceAddress(bits: $0) }, event: event, detail: detail)
    }

    private func note(_ rows: LedgerRow...) throws {
        for row in rows { try store.writer.note(row) }
        try store.writer.commit()
    }

    private func events(
        of device: Int64?, from start: Int64 = -1_000_000, until end: Int64 = 1_000_000,
        limit: Int = StoreReader.ledgerPage
    ) throws -> [String] {
        try store.reader.ledger(
            of: device, from: noon.advanced(byMilliseconds: start),
            until: noon.advanced(byMilliseconds: end), limit: limit
        ).map(\.event)
    }

    private func device(_ address: UInt64) throws -> Int64 {
        let text = DeviceAddress(bits: address).description
        return try #require(try store.reader.devices().first { $0.address == text }?.id)
    }

    @Test func eachDeviceHasItsEntriesInTheOrderOfTime() throws {
        try note(
            row("link-up", at: 2), row("adopted", at: 1), row("link-up", at: 3, device: 2),
            row("adapter-on", at: 0, device: nil))
        #expect(try events(of: device(1)) == ["adopted", "link-up"])
        #expect(try events(of: device(2)) == ["link-up"])
        #expect(try events(of: nil) == ["adapter-on"])
    }

    @Test func anEntryKeepsEverything() throws {
        let written = row("link-down", "Timeout", at: 7)
        try note(written)
        let rows = try store.reader.ledger(
            of: device(1), from: noon, until: noon.advanced(byMilliseconds: 8))
        #expect(rows == [written])
    }

    @Test func aSpanHoldsItsStartAndNotItsEnd() throws {
        try note(row("a", at: 0), row("b", at: 1), row("c", at: 2))
        #expect(try events(of: device(1), from: 0, until: 2) == ["a", "b"])
        #expect(try events(of: device(1), from: 0, until: 3, limit: 2) == ["a", "b"])
    }

    @Test func theNewestEntriesComeNewestFirst() throws {
        try note(row("a", at: 0), row("b", at: 1), row("c", at: 2))
        let rows = try store.reader.newestLedger(
            of: device(1), before: noon.advanced(byMilliseconds: 2), limit: 5)
        #expect(rows.map(\.event) == ["b", "a"])
    }

    @Test func whatIsSaidAgainIsCounted() throws {
        try note(
            row("silent", "x", at: 0), row("silent", "x", at: 5), row("silent", "y", at: 6),
            row("silent", "x", at: 7))
        let rows = try store.reader.ledger(
            of: device(1), from: noon, until: noon.advanced(byMilliseconds: 100))
        #expect(rows.map(\.count) == [2, 1, 1])
        #expect(rows.first?.last == noon.advanced(byMilliseconds: 5))
    }

    @Test func anHourLaterItIsAnotherEntry() throws {
        try note(row("silent", at: 0), row("silent", at: 3_600_000))
        #expect(try events(of: device(1), until: 4_000_000) == ["silent", "silent"])
    }

    @Test func theSameOfAnotherDeviceIsAnotherEntry() throws {
        try note(
            row("silent", at: 0), row("silent", at: 1, device: 2), row("silent", at: 2, device: nil)
        )
        #expect(try store.number("SELECT count(*) FROM ledger") == 3)
    }

    @Test func theOldestEntriesGoWhenThereAreTooMany() throws {
        try note(row("first", at: 0))
        try store.execute("UPDATE ledger SET id = id - 1 + \(StoreWriter.ledgerLimit)")
        try note(row("second", at: 1))
        #expect(try events(of: device(1)) == ["first", "second"])
        try store.execute(
            "INSERT INTO ledger SELECT 1, at, device, 'old', detail, last, count FROM ledger LIMIT 1"
        )
        try note(row("third", at: 2))
        #expect(try events(of: device(1)) == ["first", "second", "third"])
    }

    @Test func anEntryTakesNoSeqAndComesWithTheNextCommit() throws {
        try store.writer.note(row("link-up", at: 0))
        #expect(store.writer.hasUncommitted)
        #expect(try store.number("SELECT count(*) FROM ledger") == 0)
        try store.writer.commit()
        #expect(try store.number("SELECT count(*) FROM ledger") == 1)
        #expect(store.writer.committed == 0)
    }

    @Test func aStoreOfVersion2GetsALedger() throws {
        try store.run([battery(50, at: 0)])
        try store.execute(
            """
            DROP TABLE block; DROP TABLE block_data; DROP TABLE summary;
            DROP INDEX reading_redated; DROP INDEX change_span;
            DELETE FROM meta WHERE key IN ('decoder', 'summaries');
            DROP TABLE ledger; DROP INDEX reading_first; PRAGMA user_version = 2
            """)
        try store.restart()
        try note(row("link-up", at: 1))
        #expect(try events(of: device(1)) == ["link-up"])
        #expect(try store.number("PRAGMA user_version") == 5)
        #expect(try store.number("SELECT count(*) FROM reading") == 1)
    }
}
