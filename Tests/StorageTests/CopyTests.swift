import Foundation
import Measurements
import Samples
import Testing

@testable import Storage

@Suite struct CopyTests {
    private func copy(of store: TemporaryStore) throws -> String {
        let path = store.directory.appendingPathComponent("copy.db").path
        try store.reader.copy(to: path, epoch: "second")
        return path
    }

    @Test func aCopyHoldsTheSameUnderAnotherName() throws {
        let store = try TemporaryStore()
        try store.run((0..<50).map { continuous(95, at: Int64($0) * 1000) })
        _ = try store.writer.delete(readings: [7], at: noon)
        try store.writer.commit()
        let path = try copy(of: store)
        let copied = try StoreReader(path: path)
        let query = try store.everything()
        let right = try store.answer(to: query).samples.ids
        #expect(try copied.page(of: query, after: nil, limit: .max).samples.ids == right)
        #expect(try copied.newestSeq() == 51)
        #expect(try copied.damage() == nil)
        let writer = try StoreWriter(path: path, newEpoch: "third")
        #expect(writer.epoch == "second")
        #expect(writer.nextSeq == 52)
        #expect(store.writer.epoch == "first")
    }

    @Test func aCopyIsOneFile() throws {
        let store = try TemporaryStore()
        try store.run([battery(50, at: 0)])
        _ = try copy(of: store)
        let names = try FileManager.default.contentsOfDirectory(atPath: store.directory.path)
        #expect(names.filter { $0.hasPrefix("copy") } == ["copy.db"])
    }

    @Test func whatWasDeletedDoesNotComeBackInACopy() throws {
        let store = try TemporaryStore()
        try store.run([battery(50, at: 0)])
        _ = try store.writer.delete(readings: [1], at: noon)
        try store.writer.commit()
        let writer = try StoreWriter(path: try copy(of: store), newEpoch: "third")
        var assembler = ReadingAssembler(hostZone: .utc)
        #expect(try writer.ingest(assembler.handle(battery(50, at: 0))) == .deleted)
    }

    @Test func whatIsNotCommittedIsNotCopied() throws {
        let store = try TemporaryStore()
        var assembler = ReadingAssembler(hostZone: .utc)
        _ = try store.writer.ingest(assembler.handle(battery(50, at: 0)))
        let reader = try StoreReader(path: try copy(of: store))
        #expect(try reader.newestSeq() == 0)
    }
}
