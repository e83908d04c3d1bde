import Measurements
import Samples
import Storage
import Testing

/// Order by end and intervals that samples last into, with readings that have an end of their own.
@Suite struct SortTests {
    private let store: TemporaryStore

    /// Five readings of one stream: starts 0...4, ends 9, 1, 5, 3, 4 ms after noon.
    init() throws {
        store = try TemporaryStore()
        try store.run((0..<5).map { battery(UInt8(10 + $0), at: Int64($0)) })
        for (seq, end) in [(1, 9), (3, 5)] {
            let end = noon.advanced(byMilliseconds: Int64(end)).milliseconds
            try store.execute("UPDATE reading SET \"end\" = \(end) WHERE seq = \(seq)")
        }
    }

    private func query(
        sort: SampleQuery.Sort, _ order: SampleQuery.Order = .ascending
    ) throws -> SampleQuery {
        var query = try store.everything()
        query.sort = sort
        query.order = order
        return query
    }

    @Test(arguments: 1...6)
    func samplesGoByTheirEndsIfAsked(size: Int) throws {
        let ascending = try store.answer(to: query(sort: .end), pagesOf: size)
        let descending = try store.answer(to: query(sort: .end, .descending), pagesOf: size)
        #expect(ascending.samples.texts == ["11", "13", "14", "12", "10"])
        #expect(descending.samples.texts == ["10", "12", "14", "13", "11"])
    }

    @Test func equalEndsGoBySeq() throws {
        let end = noon.advanced(byMilliseconds: 4).milliseconds
        try store.execute("UPDATE reading SET \"end\" = \(end) WHERE seq IN (1, 3)")
        #expect(
            try store.answer(to: query(sort: .end), pagesOf: 1).samples.ids
                == ["2.0", "4.0", "1.0", "3.0", "5.0"])
    }

    @Test func anEndDoesNotChangeTheOrderByStart() throws {
        #expect(
            try store.answer(to: query(sort: .start)).samples.texts
                == ["10", "11", "12", "13", "14"])
    }

    @Test(arguments: [SampleQuery.Sort.start, .end])
    func anIntervalTakesWhatStartsInItUnlessToldOtherwise(sort: SampleQuery.Sort) throws {
        var query = try query(sort: sort)
        query.start = noon.advanced(byMilliseconds: 1)
        query.end = noon.advanced(byMilliseconds: 3)
        #expect(Set(try store.answer(to: query).samples.texts) == ["11", "12"])
    }

    @Test(arguments: [SampleQuery.Sort.start, .end])
    func anIntervalTakesWhatLastsIntoItIfAsked(sort: SampleQuery.Sort) throws {
        var query = try query(sort: sort)
        query.match = .overlap
        query.start = noon.advanced(byMilliseconds: 4)
        query.end = noon.advanced(byMilliseconds: 5)
        #expect(Set(try store.answer(to: query).samples.texts) == ["10", "12", "14"])
    }
}
