import Foundation
import Measurements
import Samples
import Storage
import Testing

/// What a commit shows, what it keeps, and what giving up leaves.
@Suite struct StoreWriterTests {
    private let store: TemporaryStore

    init() throws {
        store = try TemporaryStore()
    }

    private func ingest(_ event: GATTEvent) throws -> StoreWriter.Outcome {
        var assembler = ReadingAssembler(hostZone: .utc)
        return try store.writer.ingest(assembler.handle(event))
    }

    private func visible() throws -> [String] {
        try store.answer(to: store.everything()).samples.texts
    }

    @Test func aReadingIsVisibleAfterItsCommitOnly() throws {
        #expect(try ingest(battery(50, at: 0)) == .stored(seq: 1))
        #expect(store.writer.hasUncommitted)
        #expect(store.writer.committed == 0)
        #expect(store.writer.nextSeq == 2)
        #expect(try visible() == [])
        try store.writer.commit()
        #expect(!store.writer.hasUncommitted)
        #expect(store.writer.committed == 1)
        #expect(try visible() == ["50"])
    }

    @Test func aWriterThatRolledBackIsAsGoodAsNew() throws {
        try store.run([battery(1, at: 1)])
        #expect(try ingest(battery(2, at: 2, device: 2)) == .stored(seq: 2))
        #expect(try ingest(battery(3, at: 3, device: 2)) == .stored(seq: 3))
        try store.writer.rollBack()
        #expect(!store.writer.hasUncommitted)
        #expect(try store.reader.devices().count == 1)
        #expect(try ingest(battery(2, at: 2, device: 2)) == .stored(seq: 2))
        #expect(try ingest(battery(1, at: 1)) == .duplicate)
        try store.writer.commit()
        #expect(try visible() == ["1", "2"])
        #expect(try store.reader.devices().count == 2)
    }

    @Test func rollingBackNothingDoesNothing() throws {
        try store.writer.rollBack()
        #expect(try store.run([battery(1, at: 1)]) == [.stored(seq: 1)])
        try store.writer.rollBack()
        #expect(try visible() == ["1"])
    }

    @Test func aDurableCommitChangesAValueEvenIfThereIsNothingNew() throws {
        let before = try store.number("SELECT value FROM meta WHERE key = 'synced'")
        #expect(before == 0)
        for count in 1...3 {
            let log = try logSize()
            try store.writer.commitDurably()
            #expect(
                try store.number("SELECT value FROM meta WHERE key = 'synced'") == Int64(count))
            #expect(try logSize() > log)
        }
    }

    @Test func aDurableCommitShowsWhatCameBefore() throws {
        _ = try ingest(battery(50, at: 0))
        try store.writer.commitDurably()
        #expect(try visible() == ["50"])
        #expect(!store.writer.hasUncommitted)
    }

    @Test func aCommitWithoutNewsWritesNothing() throws {
        let log = try logSize()
        try store.writer.commit()
        #expect(try logSize() == log)
    }

    @Test func aRestartKeepsEpochSeqAndReadings() throws {
        try store.run([battery(1, at: 1), battery(2, at: 2)])
        try store.restart()
        #expect(store.writer.epoch == "first")
        #expect(store.writer.nextSeq == 3)
        #expect(store.writer.committed == 2)
        #expect(try ingest(battery(3, at: 3)) == .stored(seq: 3))
        try store.writer.commit()
        #expect(try visible() == ["1", "2", "3"])
    }

    @Test func aRestartLosesWhatWasNotCommitted() throws {
        try store.run([battery(1, at: 1)])
        _ = try ingest(battery(2, at: 2))
        try store.restart()
        #expect(store.writer.nextSeq == 2)
        #expect(try visible() == ["1"])
    }

    @Test func aNewStoreHasTheEpochItIsGiven() throws {
        #expect(store.writer.epoch == "first")
        #expect(try store.text("SELECT value FROM meta WHERE key = 'epoch'") == "first")
        #expect(try StoreWriter(path: "", newEpoch: "other").epoch == "other")
    }

    @Test func aSegmentIsNotedAtTheNextSeq() throws {
        try store.run([battery(1, at: 1)])
        try store.writer.beginSegment(boot: "b", bootMilliseconds: 5, wall: noon)
        try store.writer.beginSegment(boot: "c", bootMilliseconds: 6, wall: noon)
        try store.writer.commit()
        #expect(try store.number("SELECT seq0 FROM segment") == 2)
        #expect(try store.text("SELECT boot FROM segment") == "c")
        #expect(try store.number("SELECT count(*) FROM segment") == 1)
    }

    private func logSize() throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: store.path + "-wal")
        return try #require(attributes[.size] as? Int)
    }
}
