import Measurements
import Samples
import Testing

@testable import Storage

/// One damaged block costs that block, and nothing else.
@Suite struct BlockDamageTests {
    private let store: TemporaryStore

    /// Three quarters, each of them sealed; the second one is damaged.
    init() throws {
        store = try TemporaryStore()
        try store.run((0..<300).map { continuous(95, at: Int64($0) * 9000) })
        try store.seal()
        try store.execute(
            """
            UPDATE block_data SET data = zeroblob(length(data))
            WHERE id = (SELECT id FROM block ORDER BY quarter LIMIT 1 OFFSET 1)
            """)
    }

    private var rest: [String] {
        (1...300).filter { !(101...200).contains($0) }.flatMap { ["\($0).0", "\($0).1"] }
    }

    @Test(arguments: [SampleQuery.Order.ascending, .descending])
    func answersHaveTheRestAndSayWhatIsMissing(order: SampleQuery.Order) throws {
        var query = try store.everything()
        query.order = order
        let ids = try store.answer(to: query, pagesOf: 70).samples.ids
        #expect(ids == (order == .ascending ? rest : rest.reversed()))
        let damaged = try #require(store.reader.damagedBlocks.first)
        #expect(store.reader.damagedBlocks.count == 1)
        #expect(damaged.quarter == Quarter(containing: noon).next)
        #expect(damaged.seqs == 101...200)
        #expect(damaged.count == 100)
    }

    @Test func eachAnswerLearnsWhatItMissed() throws {
        let query = try store.everything()
        #expect(store.reader.takeMissed().isEmpty)
        _ = try store.answer(to: query)
        #expect(store.reader.takeMissed().map(\.count) == [100])
        #expect(store.reader.takeMissed().isEmpty)
        _ = try store.answer(to: query)
        #expect(store.reader.takeMissed().map(\.count) == [100])
    }

    @Test func theFeedHasTheRest() throws {
        let feed = try store.feed(
            FeedFilter(types: [.oxygenSaturation]), after: 0, rows: 30)
        #expect(feed.count == 200)
        #expect(store.reader.damagedBlocks.count == 1)
    }

    @Test func timedStatisticsHaveTheRest() throws {
        let interval = DateInterval(start: noon, end: noon.advanced(byMilliseconds: 3_600_000))
        var query = StatisticsQuery(.oxygenSaturation, [interval], newest: 300)
        query.functions = [.count, .coverage]
        var scan = StatisticsScan(query)
        while !scan.isDone { try scan.proceed(store.reader) }
        #expect(scan.result.groups[.all]?[0]?.statistics.count == 200)
    }

    @Test func theSameReadingsCanBeReplayed() throws {
        let outcomes = try store.run((0..<300).map { continuous(95, at: Int64($0) * 9000) })
        #expect(outcomes.count { $0 == .duplicate } == 200)
        let query = try store.everything()
        #expect(try store.answer(to: query).samples.count == 600)
    }

    @Test func aDeletedSpanTakesTheDamageAlong() throws {
        let stream = try #require(try store.reader.streams().first)
        let tally = try store.writer.delete(
            stream: stream.id, from: noon, until: noon.advanced(byMilliseconds: 3_600_000),
            at: noon)
        try store.writer.commit()
        #expect(tally.readings == 300)
        #expect(try store.number("SELECT count(*) FROM block") == 0)
        #expect(try store.number("SELECT count(*) FROM block_data") == 0)
        #expect(try store.number("SELECT count(*) FROM summary") == 0)
    }

    @Test func missingDataIsDamageToo() throws {
        try store.execute("DELETE FROM block_data WHERE id = 1")
        let query = try store.everything()
        #expect(try store.answer(to: query).samples.count == 200)
        #expect(store.reader.damagedBlocks.count == 2)
    }

    private func storeWithAMalformedPage() throws -> TemporaryStore {
        let store = try TemporaryStore()
        try store.run(
            (0..<2000).map { continuous(UInt16(80 + $0 * $0 % 19), at: Int64($0) * 9000) })
        try store.seal()
        try store.spoilAPageOfData()
        return store
    }

    @Test func blocksInAMalformedPageCanBeDeleted() throws {
        let store = try storeWithAMalformedPage()
        try store.restart()
        let stream = try #require(try store.reader.streams().first)
        let end = noon.advanced(byMilliseconds: 20_000_000)
        let delete = { () throws(StorageError) in
            try store.writer.delete(stream: stream.id, from: noon, until: end, at: noon)
        }
        #expect(throws: StorageError.self) { try delete() }
        try store.writer.rollBack()
        store.writer.leavesData = true
        let tally = try delete()
        try store.writer.commit()
        #expect(tally.readings == 2000)
        #expect(try store.number("SELECT count(*) FROM block") == 0)
        #expect(try store.number("SELECT count(*) FROM summary") == 0)
        let later = (0..<200).map { continuous(95, at: 30_000_000 + Int64($0) * 9000) }
        #expect(try store.run(later).allSatisfy { $0 != .deleted })
        let query = try store.everything()
        #expect(try store.answer(to: query).samples.count == 400)
    }

    @Test func aPageThatSQLiteCallsMalformedCostsTheBlocksInIt() throws {
        let store = try storeWithAMalformedPage()
        let reader = try StoreReader(path: store.path)
        var query = SampleQuery(types: [.oxygenSaturation], newest: try reader.newestSeq())
        var found = 0
        var position: SamplePosition?
        repeat {
            let page = try reader.page(of: query, after: position, limit: .max)
            found += page.samples.count
            position = page.next
        } while position != nil
        let lost = reader.takeMissed().reduce(0) { $0 + $1.count }
        #expect(lost > 0 && found > 0 && found + lost == 2000)
        query.device = try reader.devices().first?.id
        let interval = DateInterval(start: noon, end: noon.advanced(byMilliseconds: 20_000_000))
        var scan = OximetryScan(query, interval)
        while !scan.isDone { try scan.proceed(reader) }
        #expect(scan.report.statistics.count == found)
    }
}
