import Measurements
import Samples
import Testing

@testable import Storage

/// Sums of steps over sources that overlap, by bucket and group.
@Suite struct AmountTests {
    private let store: TemporaryStore
    private static let minute: Int64 = 60_000

    /// A watch that counts 10 steps a minute in pieces of ten minutes, and a phone with 9 in pieces of
    /// six, each for an hour from noon on.
    init() throws {
        store = try TemporaryStore()
        for start in stride(from: Int64(0), to: 60, by: 10) {
            try take(100, from: "Watch", start, 10)
        }
        for start in stride(from: Int64(0), to: 60, by: 6) {
            try take(54, from: "Phone", start, 6)
        }
        try store.writer.commit()
    }

    private func take(
        _ steps: Int, from source: String, _ start: Int64, _ minutes: Int64
    ) throws {
        var assembler = ImportAssembler()
        let sample = ImportedSample(
            .stepCount, .finite(DecimalNumber(steps)), .count, duration: minutes * Self.minute)
        _ = try store.writer.ingest(
            assembler.take(
                sample, from: source,
                start: noon.advanced(byMilliseconds: start * Self.minute)))
    }

    private func id(_ source: String) throws -> Int64 {
        try #require(try store.reader.devices().first { $0.address == source }).id
    }

    /// The sums of pieces of an hour, in minutes after noon.
    private func sums(
        _ edges: [Int64], _ priority: [String] = [], by grouping: StatisticsQuery.Grouping = .none
    ) throws -> [String] {
        let times = edges.map { noon.advanced(byMilliseconds: $0 * Self.minute) }
        let buckets = zip(times, times.dropFirst()).map { DateInterval(start: $0, end: $1) }
        var query = StatisticsQuery(.stepCount, buckets, newest: try store.reader.newestSeq())
        query.functions = [.count, .sum]
        query.grouping = grouping
        query.priority = try priority.map(id)
        var scan = StatisticsScan(query)
        while !scan.isDone { try scan.proceed(store.reader) }
        let groups = scan.result.groups.sorted { "\($0.key)" < "\($1.key)" }
        return groups.flatMap { group in
            buckets.indices.map { place in
                let bucket = group.value[place]
                return query.functions.map {
                    bucket?.answer(to: $0)?.description ?? "-"
                }.joined(separator: ":")
            }
        }
    }

    @Test func thePreferredSourceCounts() throws {
        #expect(try sums([0, 60], ["Watch"]) == ["16:600"])
        #expect(try sums([0, 60], ["Phone", "Watch"]) == ["16:540"])
    }

    @Test func withoutAnOrderTheSourceThatCameFirstCounts() throws {
        #expect(try sums([0, 60]) == ["16:600"])
    }

    @Test func piecesAddUpToTheWhole() throws {
        #expect(try sums([0, 30, 60], ["Phone"]) == ["8:270", "8:270"])
        // The watch's piece from 20 on belongs to before, and still covers the phone's from 24 to 30.
        #expect(try sums([21, 60], ["Watch"]) == ["9:300"])
    }

    @Test func eachSourceByItselfHasAllOfItsOwn() throws {
        #expect(try sums([0, 60], by: .device).sorted() == ["10:540", "6:600"])
    }

    @Test func whatTwoPeopleWalkedIsTwoWalks() throws {
        _ = try store.writer.assign(
            .imported("Phone"), from: noon, until: noon.advanced(byMilliseconds: 3_600_000),
            to: "ann", at: noon)
        try store.writer.commit()
        #expect(try sums([0, 60]) == ["16:1140"])
        #expect(try sums([0, 60], by: .subject).sorted() == ["10:540", "6:600"])
    }

    @Test func whatOneSourceHasAloneCountsToo() throws {
        try take(77, from: "Phone", 90, 5)
        try store.writer.commit()
        #expect(try sums([0, 120], ["Watch"]) == ["17:677"])
        #expect(try sums([60, 90, 120], ["Watch"]) == ["-:-", "1:77"])
    }
}
