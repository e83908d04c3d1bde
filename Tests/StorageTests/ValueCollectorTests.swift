import Measurements
import Samples
import Testing

@testable import Storage

/// What a walk reads of blocks, whole or by their heads, is what it reads of rows.
@Suite struct ValueCollectorTests {
    /// An hour of packets with all fields; in every second quarter some samples do not count.
    private static func packets(using random: inout SeededGenerator) -> [GATTEvent] {
        (0..<600).map { place in
            let time = Int64(place * 6000 + random.number(0...999))
            let isClean = time / 900_000 % 2 == 0
            let status: UInt16 = isClean || random.once(in: 3) ? 1 << 5 : 1 << 12
            let flags = UInt8(random.one(of: [0, 1, 2, 3, 4, 7, 31]))
            let pairs = 1 + Int(flags & 1) + Int(flags >> 1 & 1)
            var value = [flags]
            for _ in 0..<pairs {
                value += octets(UInt16(random.number(85...99))) + octets(60)
            }
            if flags & 4 != 0 { value += octets(status) }
            if flags & 8 != 0 { value += [0, UInt8(isClean ? 0 : random.number(0...255)), 0] }
            if flags & 16 != 0 { value += octets(9) }
            if random.once(in: 50) { value.removeLast() }
            return event(.notify, .plxContinuousMeasurement, value, at: time)
        }
    }

    private func statistics(
        _ store: TemporaryStore, _ modalities: Set<Modality>
    ) throws -> [String] {
        let interval = DateInterval(
            start: noon.advanced(byMilliseconds: 70_001),
            end: noon.advanced(byMilliseconds: 3_333_333))
        var query = StatisticsQuery(
            .oxygenSaturation, [interval], newest: try store.reader.newestSeq())
        query.functions = ["count", "twavg", "coverage", "median", "time-below90", "first", "last"]
            .compactMap { StatisticFunction(named: $0) }
        query.modalities = modalities
        var scan = StatisticsScan(query)
        while !scan.isDone { try scan.proceed(store.reader) }
        let bucket = try #require(scan.result.groups[.all]?[0])
        return query.functions.map { "\($0.name) \(bucket.answer(to: $0)?.description ?? "-")" }
            + ["excluded \(bucket.statistics.excluded)"]
    }

    private func report(_ store: TemporaryStore) throws -> [String] {
        let interval = DateInterval(start: noon, end: noon.advanced(byMilliseconds: 3_600_000))
        var scan = OximetryScan(try store.everything(), interval)
        while !scan.isDone { try scan.proceed(store.reader) }
        return ["\(scan.report.falls3)", "\(scan.report.timed)", "\(scan.report.statistics)"]
    }

    @Test(arguments: 0..<10 as Range<UInt64>)
    func sealingChangesNothing(seed: UInt64) throws {
        let store = try TemporaryStore()
        var random = SeededGenerator(seed: seed)
        try store.run(Self.packets(using: &random))
        let all = [Modality.standard, [.fast], Set(Modality.allCases)]
        let before = try all.map { try statistics(store, $0) }
        try store.seal(fewest: 1)
        #expect(try store.number("SELECT count(*) FROM reading") == 0)
        #expect(try all.map { try statistics(store, $0) } == before)
    }

    @Test func aReportIsTheSameOverRowsAndBlocks() throws {
        let store = try TemporaryStore()
        var random = SeededGenerator(seed: 1)
        try store.run(Self.packets(using: &random))
        let before = try report(store)
        try store.seal(fewest: 1)
        #expect(try report(store) == before)
    }
}
