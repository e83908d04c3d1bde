import Measurements
import Samples
import Testing

@testable import Storage

/// What another decoder left is not believed, and made anew.
@Suite struct ReprocessingTests {
    private let store: TemporaryStore

    init() throws {
        store = try TemporaryStore()
        try store.run((0..<300).map { continuous(95, at: Int64($0) * 9000) })
        try store.seal()
    }

    /// Makes the store look as if another decoder had found half of the readings.
    private func makeOld() throws {
        try store.execute(
            """
            BEGIN; UPDATE summary SET n = 1, min = 1, max = 1, first = 1, last = 1, sum = 1,
                histogram = NULL;
            UPDATE block SET decoder = 99; UPDATE meta SET value = 99 WHERE key = 'decoder';
            UPDATE meta SET value = 99 WHERE key = 'summaries'; COMMIT
            """)
        try store.restart()
    }

    private func average() throws -> String? {
        let interval = DateInterval(start: noon, end: noon.advanced(byMilliseconds: 3_600_000))
        var scan = StatisticsScan(StatisticsQuery(.oxygenSaturation, [interval], newest: 300))
        while !scan.isDone { try scan.proceed(store.reader) }
        let bucket = scan.result.groups[.all]?[0]
        return bucket.map { "\($0.statistics.count) \($0.statistics.average?.description ?? "-")" }
    }

    @Test func anothersSummariesAreNotBelieved() throws {
        try makeOld()
        #expect(try average() == "300 95.00")
        var query = try store.everything()
        query.types = [.oxygenSaturation]
        query.condition = ValueCondition(.greater, DecimalNumber(90))
        #expect(try store.answer(to: query).samples.count == 300)
    }

    @Test func theyAreMadeAnew() throws {
        let before = try store.text("SELECT group_concat(quote(histogram)) FROM summary")
        try makeOld()
        while try store.writer.renewSummaries() {}
        try store.writer.commit()
        #expect(try store.reader.hasCurrentSummaries())
        #expect(try store.text("SELECT group_concat(quote(histogram)) FROM summary") == before)
        #expect(try average() == "300 95.00")
        #expect(try store.number("SELECT count(*) FROM block WHERE decoder <> 1") == 0)
    }

    @Test func whatWouldComeOutDifferentIsTold() throws {
        #expect(try store.reader.checkSummaries(behind: 0).differences.isEmpty)
        try store.execute(
            """
            UPDATE summary SET n = 99, max = 96 WHERE type = 0 AND quarter =
                (SELECT max(quarter) FROM summary);
            DELETE FROM summary WHERE type = 1 AND quarter = (SELECT min(quarter) FROM summary)
            """)
        let check = try store.reader.checkSummaries(behind: 0)
        #expect(check.blocks == 3)
        #expect(check.differences.map(\.type) == [.heartRate, .oxygenSaturation])
        #expect(check.differences.map(\.before?.count) == [nil, 99])
        #expect(check.differences.map(\.after?.count) == [100, 100])
        #expect(check.differences[1].before?.max == DecimalNumber(96))
        #expect(check.differences[1].after?.max == DecimalNumber(95))
        #expect(try store.reader.checkSummaries(behind: check.next ?? 0).next == nil)
    }

    @Test func onDemandAllAreMadeAnew() throws {
        try store.execute("UPDATE summary SET n = 99")
        try store.writer.outdateSummaries()
        try store.writer.commit()
        #expect(try average() == "300 95.00")
        while try store.writer.renewSummaries() {}
        try store.writer.commit()
        #expect(try store.reader.checkSummaries(behind: 0).differences.isEmpty)
        #expect(try store.reader.hasCurrentSummaries())
    }

    @Test func aStreamMayHoldAnyTypeThen() throws {
        try makeOld()
        #expect(try store.number("SELECT min(types) FROM stream") == -1)
        #expect(try store.number("SELECT value FROM meta WHERE key = 'decoder'") == 1)
    }

    @Test func nothingIsToBeDoneOtherwise() throws {
        let commits = store.writer.commits
        #expect(try !store.writer.renewSummaries())
        try store.writer.commit()
        #expect(store.writer.commits == commits)
    }

    @Test func aDamagedBlockIsLeftAsItIs() throws {
        try store.execute("UPDATE block SET crc = crc + 1 WHERE id = 1")
        try makeOld()
        while try store.writer.renewSummaries() {}
        try store.writer.commit()
        #expect(try store.number("SELECT count(*) FROM block WHERE decoder <> 1") == 0)
    }
}
