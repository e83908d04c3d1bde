import Testing

@testable import healthctl

@Suite struct SampleOrderTests {
    private func order(
        _ limit: String?, newestFirst: Bool = false, continues: Bool = false
    ) throws -> SampleOrder {
        try SampleOrder(limit: limit, newestFirst: newestFirst, continues: continues)
    }

    @Test func withoutANumberSamplesComeAsTheyAreAskedFor() throws {
        #expect(try order(nil).isDescending == false)
        #expect(try order(nil, newestFirst: true).isDescending)
        #expect(try order(nil, newestFirst: true).isTurned == false)
    }

    @Test func aNumberMeansTheNewestPrintedOldestFirst() throws {
        let order = try order("20")
        #expect(order.limit == 20 && order.isDescending && order.isTurned)
    }

    @Test func theNewestCanBePrintedNewestFirst() throws {
        let order = try order("20", newestFirst: true)
        #expect(order.limit == 20 && order.isDescending && !order.isTurned)
    }

    @Test func aPlusMeansTheOldest() throws {
        #expect(try order("+20").isDescending == false)
        #expect(try order("+20").isTurned == false)
        #expect(try order("+20", newestFirst: true).isTurned)
    }

    @Test(arguments: ["0", "-1", "", "+", "+0", "++1", "1.5", "x", "99999999999999999999"])
    func whatIsNoNumberFromOneOnIsRefused(_ text: String) {
        #expect(throws: Failure.self) { try order(text) }
    }

    @Test func onlySoManyAreTurnedInMemory() throws {
        #expect(try order("1000000").limit == 1_000_000)
        #expect(throws: Failure.self) { try order("1000001") }
        #expect(try order("1000001", newestFirst: true).limit == 1_000_001)
        #expect(try order("+1000001").limit == 1_000_001)
    }

    @Test func aPageIsNotTurned() throws {
        #expect(throws: Failure.self) { try order("20", continues: true) }
        #expect(try order("+20", continues: true).isTurned == false)
        #expect(try order("20", newestFirst: true, continues: true).isDescending)
    }
}
