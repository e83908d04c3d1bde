import Measurements
import Samples
import Testing

@testable import Storage

/// What is dropped because of its age, and what is left of it.
@Suite struct RetentionTests {
    private let store: TemporaryStore

    /// Four quarters with 100 readings each, and one with 10; the first three quarters are sealed.
    init() throws {
        store = try TemporaryStore()
        try store.run((0..<400).map { continuous(UInt16(90 + $0 % 9), at: Int64($0) * 9000) })
        try store.run((0..<10).map { continuous(88, at: 3_600_000 + Int64($0)) })
        try store.run([spotCheck(97, minute: 2, at: 180_000)])
        while try store.writer.seal(until: Self.end(of: 3)) {}
        try store.writer.commit()
    }

    private static func end(of quarters: Int64) -> Instant {
        noon.advanced(byMilliseconds: quarters * 900_000)
    }

    private func drop(before end: Instant, keepingSummaries: Bool) throws {
        while try store.writer.drop(before: end, keepingSummaries: keepingSummaries) {}
        try store.writer.commit()
    }

    private func count(_ quarters: Range<Int64>, cut: Int64 = 0) throws -> (Int, lost: Int) {
        let interval = DateInterval(
            start: Self.end(of: quarters.lowerBound).advanced(byMilliseconds: cut),
            end: Self.end(of: quarters.upperBound))
        var query = StatisticsQuery(.oxygenSaturation, [interval], newest: .max)
        query.modalities = [.continuous]
        var scan = StatisticsScan(query)
        while !scan.isDone { try scan.proceed(store.reader) }
        return (scan.result.groups[.all]?[0]?.statistics.count ?? 0, scan.result.lost)
    }

    @Test func everythingOldGoesAndTheRestStays() throws {
        try drop(before: Self.end(of: 2).advanced(byMilliseconds: 60_000), keepingSummaries: false)
        #expect(try count(0..<2).0 == 0)
        #expect(try count(0..<9).0 == 210)
        #expect(try store.number("SELECT count(*) FROM summary") == 2)
        #expect(try store.answer(to: store.everything()).samples.count == 420)
    }

    @Test func summariesStillAnswerForWholeQuarters() throws {
        try drop(before: Self.end(of: 5), keepingSummaries: true)
        #expect(try store.number("SELECT count(*) FROM block") == 0)
        #expect(try store.answer(to: store.everything()).samples.ids.count == 2)
        #expect(try count(0..<5) == (410, lost: 0))
        #expect(try count(1..<2) == (100, lost: 0))
        #expect(try count(4..<5) == (10, lost: 0))
    }

    @Test func whatAnEdgeCutsOfASummaryIsSaid() throws {
        try drop(before: Self.end(of: 5), keepingSummaries: true)
        #expect(try count(0..<2, cut: 1) == (100, lost: 100))
    }

    @Test(arguments: [true, false])
    func summariesDoNotAnswerWhatTheyDoNotCount(isUnit: Bool) throws {
        try drop(before: Self.end(of: 5), keepingSummaries: true)
        let interval = DateInterval(start: noon, end: Self.end(of: 5))
        var query = StatisticsQuery(.oxygenSaturation, [interval], newest: .max)
        query.modalities = [.continuous]
        if isUnit { query.unit = .fraction } else { query.qualities = [.invalid] }
        var scan = StatisticsScan(query)
        while !scan.isDone { try scan.proceed(store.reader) }
        #expect(scan.result.groups.isEmpty)
        #expect(scan.result.lost == 410)
    }

    @Test func summariesCanGoLater() throws {
        try drop(before: Self.end(of: 5), keepingSummaries: true)
        try drop(before: Self.end(of: 2), keepingSummaries: false)
        #expect(try count(0..<5) == (210, lost: 0))
    }

    @Test(arguments: [true, false])
    func whatWasDroppedDoesNotComeBack(keepingSummaries: Bool) throws {
        try drop(before: Self.end(of: 2), keepingSummaries: keepingSummaries)
        try store.restart()
        let events = (0..<400).map { continuous(UInt16(90 + $0 % 9), at: Int64($0) * 9000) }
        var assembler = ReadingAssembler(hostZone: .utc)
        let verdict = try store.writer.verdict(on: assembler.handle(events[0]))
        let outcomes = try store.run(events)
        #expect(verdict == .deleted)
        #expect(outcomes.count { $0 == .deleted } == 200)
        #expect(outcomes.count { $0 == .duplicate } == 200)
    }

    @Test func dropsTakeSlices() throws {
        try store.run((0..<60).map { continuous(95, at: 9_000_000 + Int64($0) * 900_000) })
        try store.seal()
        var slices = 1
        while try store.writer.drop(before: Instant.range.upperBound, keepingSummaries: false) {
            slices += 1
        }
        #expect(slices > 2)
        try store.writer.commit()
        #expect(try store.number("SELECT count(*) FROM block") == 0)
        #expect(try store.number("SELECT count(*) FROM reading") == 0)
        #expect(try store.number("SELECT count(*) FROM summary") == 0)
    }
}
