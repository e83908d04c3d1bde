import Foundation
import Measurements
import Samples
import Testing

@testable import Storage

@Suite struct DeletionTests {
    private func delete(_ seqs: [Int64], from store: TemporaryStore) throws -> DeletionTally {
        let tally = try store.writer.delete(readings: seqs, at: noon)
        try store.writer.commit()
        return tally
    }

    @Test func aWholePacketGoes() throws {
        let store = try TemporaryStore()
        try store.run([continuous(95, at: 0), continuous(96, at: 1000)])
        let tally = try delete([1], from: store)
        #expect(tally.readings == 1)
        #expect(tally.samples == 2)
        #expect(try store.answer(to: store.everything()).samples.ids == ["2.0", "2.1"])
    }

    @Test func whatIsNotThereIsNotCounted() throws {
        let store = try TemporaryStore()
        try store.run([continuous(95, at: 0)])
        #expect(try delete([7, 1, 1], from: store).readings == 1)
        #expect(try delete([1], from: store) == DeletionTally())
        #expect(store.writer.committed == 2)
    }

    @Test func aDeletedReadingDoesNotComeBack() throws {
        let store = try TemporaryStore()
        let events = [continuous(95, at: 0), spotCheck(96, minute: 1, at: 1000)]
        try store.run(events)
        _ = try delete([1, 2], from: store)
        #expect(try store.run(events) == [.deleted, .deleted])
        try store.restart()
        #expect(try store.run(events) == [.deleted, .deleted])
        #expect(try store.answer(to: store.everything()).samples.isEmpty)
    }

    @Test func itsCopyFromTheMemoryOfTheSensorDoesNotComeEither() throws {
        let store = try TemporaryStore()
        try store.run([spotCheck(96, minute: 1, at: 1000)])
        _ = try delete([1], from: store)
        let copy = spotCheck(96, minute: 1, status: fromStorage, at: 500_000)
        #expect(try store.run([event(.connect, at: 400_000), copy]) == [.deleted])
    }

    @Test func othersOfItsTimeStay() throws {
        let store = try TemporaryStore()
        let twins = [continuous(95, at: 0), continuous(95, at: 0), continuous(96, at: 0)]
        try store.run(twins)
        _ = try delete([2], from: store)
        #expect(try store.run(twins) == [.duplicate, .deleted, .duplicate])
    }

    @Test func anotherSensorMaySaySoToo() throws {
        let store = try TemporaryStore()
        try store.run([continuous(95, at: 0)])
        _ = try delete([1], from: store)
        #expect(
            try store.run([
                continuous(95, at: 0, device: 2), continuous(95, at: 0, instance: 1),
            ]) == [.stored(seq: 3), .stored(seq: 4)])
    }

    @Test func aDeletionThatIsRolledBackNeverWas() throws {
        let store = try TemporaryStore()
        try store.run([continuous(95, at: 0)])
        _ = try store.writer.delete(readings: [1], at: noon)
        try store.writer.rollBack()
        #expect(try store.run([continuous(95, at: 0)]) == [.duplicate])
        #expect(try store.answer(to: store.everything()).samples.count == 2)
    }

    @Test func aReadingCanGoBeforeItWasSeen() throws {
        let store = try TemporaryStore()
        _ = try store.writer.ingest(
            ReadingAssembler.first(continuous(95, at: 0)))
        _ = try store.writer.delete(readings: [1], at: noon)
        try store.writer.commit()
        #expect(try store.run([continuous(95, at: 0)]) == [.deleted])
    }

    @Test func nothingOfItsOctetsIsLeftInTheFiles() throws {
        let store = try TemporaryStore()
        let marks: [UInt8] = [0xDE, 0xAD, 0xBE, 0xEF, 0x5A, 0xA5, 0x5A, 0xA5]
        let events = (0..<300).map { number in
            event(
                .notify, .plxContinuousMeasurement,
                [0] + octets(95) + octets(60) + marks, at: Int64(number) * 1000)
        }
        try store.run(events)
        #expect(try store.holds(marks))
        _ = try store.writer.delete(readings: Array(1...300), at: noon)
        try store.checkpoint()
        #expect(try !store.holds(marks))
        #expect(try store.number("SELECT count(*) FROM change") == 300)
    }

    @Test func aPageOfAnAnswerThatWasBegunGoesOnBehindWhatIsGone() throws {
        let store = try TemporaryStore()
        try store.run((0..<6).map { battery(UInt8($0), at: Int64($0) * 1000) })
        let query = try store.everything()
        let first = try store.reader.page(of: query, after: nil, limit: 2)
        _ = try delete([2, 3, 5], from: store)
        let rest = try store.reader.page(of: query, after: first.next, limit: 9)
        #expect(first.samples.ids == ["1.0", "2.0"])
        #expect(rest.samples.ids == ["4.0", "6.0"])
    }
}

extension ReadingAssembler {
    /// What an event gives that is the first of its run.
    fileprivate static func first(_ event: GATTEvent) -> Intake {
        var assembler = ReadingAssembler(hostZone: .utc)
        return assembler.handle(event)
    }
}

extension TemporaryStore {
    /// Whether octets stand in the store's file or its log.
    fileprivate func holds(_ octets: [UInt8]) throws -> Bool {
        let files = ["", "-wal"].compactMap { FileManager.default.contents(atPath: path + $0) }
        return files.contains { $0.range(of: Data(octets)) != nil }
    }
}
