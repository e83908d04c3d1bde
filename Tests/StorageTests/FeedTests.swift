import Measurements
import Samples
import Testing

@testable import Storage

@Suite struct FeedTests {
    private let filter = FeedFilter(types: Set(SampleType.allCases))

    private func store(readings: Int) throws -> TemporaryStore {
        let store = try TemporaryStore()
        try store.run((0..<readings).map { continuous(95, at: Int64($0) * 1000) })
        return store
    }

    private func assign(_ store: TemporaryStore, to subject: String) throws {
        _ = try store.writer.assign(
            .sensor(RemoteDevice(DeviceAddress(bits: 1))), from: noon,
            until: noon.advanced(byMilliseconds: 10_000_000), to: subject, at: noon)
        try store.writer.commit()
    }

    private func delete(_ seqs: [Int64], from store: TemporaryStore) throws {
        _ = try store.writer.delete(readings: seqs, at: noon)
        try store.writer.commit()
    }

    @Test(arguments: 1...9)
    func pagesOfAnySizeAreTheWhole(rows: Int) throws {
        let store = try store(readings: 5)
        try delete([2, 4], from: store)
        try store.run([continuous(96, at: 100), continuous(96, at: 200)])
        try assign(store, to: "ann")
        try delete([1], from: store)
        let whole = try store.feed(filter, after: 0, rows: 1000)
        #expect(try store.feed(filter, after: 0, rows: rows) == whole)
        // Two of each: what is left of seven packets, three deletions, and four updates.
        #expect(whole.count == 2 * (4 + 3 + 4))
    }

    @Test func anythingCanBeResumedBehindAnySeq() throws {
        let store = try store(readings: 4)
        try delete([2], from: store)
        try assign(store, to: "ann")
        let whole = try store.feed(filter, after: 0, rows: 3)
        for seq in 0...store.writer.committed {
            let rest = whole.filter { (Int64($0.prefix { $0 != " " }) ?? 0) > seq }
            #expect(try store.feed(filter, after: seq, rows: 2) == rest)
        }
    }

    @Test func whatIsNotCommittedIsNotInTheFeed() throws {
        let store = try store(readings: 1)
        _ = try store.writer.delete(readings: [1], at: noon)
        let feed = try store.feed(filter, after: 0, rows: 9)
        #expect(feed.map { $0.prefix(5) } == ["1 add", "1 add"])
    }

    @Test func aSampleThatCameAndWentIsItsDeletionOnly() throws {
        let store = try store(readings: 1)
        try delete([1], from: store)
        #expect(
            try store.feed(filter, after: 0, rows: 9) == [
                "2 delete 1.0 oxygenSaturation 0", "2 delete 1.1 heartRate 0",
            ])
    }

    @Test func aDeletionIsToldOfWhatTheFilterWants() throws {
        let store = try store(readings: 1)
        try store.run([continuous(95, status: 1 << 15, at: 5000)])
        try delete([1, 2], from: store)
        var narrow = FeedFilter(types: [.heartRate])
        #expect(
            try store.feed(narrow, after: 0, rows: 9) == ["3 delete 1.1 heartRate 0"])
        narrow.qualities = [.invalid]
        #expect(
            try store.feed(narrow, after: 0, rows: 9) == ["4 delete 2.1 heartRate 5000"])
        narrow.modalities = [.spot]
        #expect(try store.feed(narrow, after: 0, rows: 9) == [])
    }

    @Test func anAssignmentUpdatesWhatIsOlderThanIt() throws {
        let store = try store(readings: 1)
        try assign(store, to: "ann")
        try store.run([continuous(97, at: 2000)])
        #expect(
            try store.feed(filter, after: 1, rows: 9) == [
                "2 update 1.0 oxygenSaturation 0 ann", "2 update 1.1 heartRate 0 ann",
                "3 add 3.0 oxygenSaturation 2000 ann", "3 add 3.1 heartRate 2000 ann",
            ])
    }

    @Test(arguments: [99, 100, 101, 250])
    func anAssignmentOfMoreThanAPageComesOnce(readings: Int) throws {
        let store = try store(readings: readings)
        try assign(store, to: "ann")
        try store.run([continuous(97, at: 9_000_000)])
        let feed = try store.feed(filter, after: Int64(readings), rows: 50)
        #expect(feed.count == 2 * readings + 2)
        #expect(Set(feed).count == feed.count)
        #expect(feed.dropLast(2).allSatisfy { $0.hasPrefix("\(readings + 1) update ") })
    }

    @Test func anAssignmentIsNotOverUntilAllOfItCame() throws {
        let store = try store(readings: 100)
        try assign(store, to: "ann")
        let page = try store.reader.feed(filter, after: FeedPosition(after: 100), rows: 50)
        #expect(page.records.count == 100)
        #expect(page.next.seq == 100)
        #expect(page.next.inside != nil)
        #expect(!page.isEnd)
    }

    @Test func seqsWithNothingWantedAreSkippedToTheEnd() throws {
        let store = try store(readings: 60)
        let narrow = FeedFilter(types: [.bodyTemperature])
        var position = FeedPosition(after: 0)
        var pages = 0
        while position.seq < 60, pages < 9 {
            position = try store.reader.feed(narrow, after: position, rows: 20).next
            pages += 1
        }
        #expect(position == FeedPosition(after: 60))
    }
}
