import Measurements
import Samples
import Storage
import Testing

/// Pages of an answer: none is lost, none comes twice, whatever the size.
@Suite struct PagingTests {
    private let store: TemporaryStore

    init() throws {
        store = try TemporaryStore()
    }

    /// Two devices and four streams with ties, gaps, disorder, exclusions and broken packets.
    private func fill() throws {
        var events: [GATTEvent] = []
        for number in 0..<20 {
            let time = Int64(number * 7 % 5)
            let device = UInt64(1 + number % 2)
            let status: UInt16? = [nil, 1 << 15, 1 << 14][number % 3]
            events.append(
                continuous(90 + UInt16(number % 4), status: status, at: time, device: device))
            events.append(battery(UInt8(number), at: time, device: device))
        }
        events.append(event(.notify, .plxContinuousMeasurement, [0], at: 2))
        try store.run(events)
    }

    @Test(arguments: 1...7, [SampleQuery.Order.ascending, .descending])
    func pagesOfAnySizeGiveTheSameSequence(size: Int, order: SampleQuery.Order) throws {
        try fill()
        var query = try store.everything()
        query.order = order
        query.qualities = Quality.standard
        let whole = try store.answer(to: query)
        let paged = try store.answer(to: query, pagesOf: size)
        #expect(whole.samples.count == 46)
        #expect(paged.samples.ids == whole.samples.ids)
        #expect(paged.excluded == whole.excluded)
        #expect(whole.excluded == 14)
    }

    @Test(arguments: [SampleQuery.Sort.start, .end])
    func descendingIsAscendingBackwards(sort: SampleQuery.Sort) throws {
        try fill()
        var query = try store.everything()
        query.sort = sort
        let ascending = try store.answer(to: query).samples.ids
        query.order = .descending
        #expect(try store.answer(to: query).samples.ids == ascending.reversed())
        #expect(ascending.count == 60)
    }

    @Test func samplesOfOneTimeGoBySeqAndThenByPlace() throws {
        try store.run([continuous(97, at: 0, device: 2), continuous(96, at: 0, device: 1)])
        #expect(
            try store.answer(to: store.everything()).samples.ids == ["1.0", "1.1", "2.0", "2.1"])
    }

    @Test func c10SamplesGoByTheTimeOfTheDevice() throws {
        let events = [52, 20, 27, 31].enumerated().map {
            temperature(360 + UInt16($0.offset), minute: $0.element, at: 3_600_000)
        }
        try store.run(events)
        #expect(
            try store.answer(to: store.everything()).samples.texts
                == ["36.1", "36.2", "36.3", "36.0"])
    }

    @Test(arguments: [1000, 1001, 2500])
    func c66EverySampleIsReachedAndTheNewestFirstIfAsked(count: Int) throws {
        try store.run((0..<count).map { battery(UInt8($0 % 100), at: Int64($0)) })
        var query = try store.everything()
        #expect(try store.answer(to: query).samples.ids == (1...count).map { "\($0).0" })
        #expect(try store.answer(to: query, pagesOf: 999).samples.count == count)
        query.order = .descending
        let page = try store.reader.page(of: query, after: nil, limit: 2)
        #expect(page.samples.ids == ["\(count).0", "\(count - 1).0"])
        #expect(try store.reader.newest(of: query)?.id == "\(count).0")
    }

    @Test func c66APageSaysThatThereIsMore() throws {
        try store.run((0..<1001).map { battery(50, at: Int64($0)) })
        let query = try store.everything()
        let first = try store.reader.page(of: query, after: nil, limit: 2000)
        #expect(first.samples.count == 1000)
        #expect(first.next != nil)
        #expect(!first.isFull)
        let second = try store.reader.page(of: query, after: first.next, limit: 2000)
        #expect(second.samples.count == 1)
        #expect(second.next == nil)
    }

    @Test func c68TheThreeNewestAreThree() throws {
        try store.run((1...10).map { battery(UInt8($0), at: Int64($0)) })
        var query = try store.everything()
        query.order = .descending
        let page = try store.reader.page(of: query, after: nil, limit: 3)
        #expect(page.samples.texts == ["10", "9", "8"])
        #expect(page.isFull)
    }

    @Test func aPageThatHoldsExactlyAllIsTheLast() throws {
        try store.run((1...3).map { battery(UInt8($0), at: Int64($0)) })
        let page = try store.reader.page(of: store.everything(), after: nil, limit: 3)
        #expect(page.samples.count == 3)
        #expect(page.next == nil)
        #expect(!page.isFull)
    }

    @Test(arguments: [SampleQuery.Order.ascending, .descending])
    func aPageWithoutRoomStaysWhereItIsAndSaysWhetherThereIsMore(
        order: SampleQuery.Order
    ) throws {
        try store.run([continuous(97, at: 0), continuous(96, at: 1)])
        var query = try store.everything()
        query.order = order
        for taken in 1...4 {
            let page = try store.reader.page(of: query, after: nil, limit: taken)
            let none = try store.reader.page(of: query, after: page.next, limit: 0)
            guard taken < 4 else { continue }
            #expect(none.samples.isEmpty)
            #expect(none.isFull)
            #expect(none.next == page.next)
        }
    }

    @Test func aTypeThatAStreamNeverHeldIsNotLookedFor() throws {
        try store.run((0..<1500).map { continuous(97, at: Int64($0)) })
        var query = try store.everything()
        query.types = [.perfusionIndex]
        #expect(try store.reader.page(of: query, after: nil, limit: 10).next == nil)
    }

    @Test func rowsThatHoldNothingWantedFillAPageTheSame() throws {
        try store.run((0..<1500).map { continuous(97, at: Int64($0)) } + [battery(50, at: 0)])
        var query = try store.everything()
        query.qualities = [.demo]
        let page = try store.reader.page(of: query, after: nil, limit: 10)
        #expect(page.samples.isEmpty)
        #expect(page.next != nil)
        #expect(try store.answer(to: query, pagesOf: 10).samples.isEmpty)
        #expect(try store.reader.newest(of: query) == nil)
    }
}
