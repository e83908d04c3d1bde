import Measurements
import Samples
import Storage
import Testing

/// An answer in pages is the set as of its first page.
@Suite struct SnapshotTests {
    private let store: TemporaryStore

    init() throws {
        store = try TemporaryStore()
        try store.run((0..<6).map { battery(UInt8($0), at: Int64($0 * 10)) })
    }

    @Test(arguments: [SampleQuery.Order.ascending, .descending])
    func readingsThatCameLaterAreNotInIt(order: SampleQuery.Order) throws {
        var query = try store.everything()
        query.order = order
        let whole = try store.answer(to: query).samples.ids
        var ids: [String] = []
        var position: SamplePosition?
        repeat {
            let page = try store.reader.page(of: query, after: position, limit: 1)
            ids += page.samples.ids
            position = page.next
            let count = Int64(ids.count)
            try store.run([battery(90, at: count * 10 + 5), battery(91, at: count * 10)])
        } while position != nil
        #expect(ids == whole)
        #expect(ids.count == 6)
    }

    @Test func theNewestSampleIsThatOfTheSet() throws {
        let query = try store.everything()
        try store.run([battery(90, at: 1000)])
        #expect(try store.reader.newest(of: query)?.id == "6.0")
        #expect(try store.reader.newest(of: store.everything())?.id == "7.0")
    }

    @Test func theNewestSampleIsTheLastMeasuredAndNotTheLastReceived() throws {
        try store.run([temperature(370, minute: 50, at: 7_200_000)])
        try store.run([temperature(366, minute: 10, at: 7_200_001)])
        var query = try store.everything()
        query.types = [.bodyTemperature]
        #expect(try store.reader.newest(of: query)?.sample.value?.description == "37.0")
    }

    @Test func anEmptyStoreHasNoNewestSample() throws {
        let empty = try TemporaryStore()
        #expect(try empty.reader.newestSeq() == 0)
        #expect(try empty.reader.newest(of: empty.everything()) == nil)
        #expect(try empty.answer(to: empty.everything()).samples.isEmpty)
    }

    @Test func anOpenTransactionOfTheWriterDoesNotStopAReader() throws {
        var assembler = ReadingAssembler(hostZone: .utc)
        _ = try store.writer.ingest(assembler.handle(battery(90, at: 1000)))
        #expect(try store.answer(to: store.everything()).samples.count == 6)
        try store.writer.commit()
        #expect(try store.answer(to: store.everything()).samples.count == 7)
    }

    @Test func theFileHasWholePages() throws {
        #expect(try store.reader.fileSize() % 1024 == 0)
        #expect(try store.reader.fileSize() > 4096)
    }
}
