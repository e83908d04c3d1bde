import DaemonHarness
import Testing

@Suite struct PagingTests {
    private func daemon(seconds: Int) throws -> DaemonUnderTest {
        let daemon = try DaemonUnderTest()
        let reply = try daemon.replay(RecordingText.oximeter(seconds: seconds))
        try #require(reply.count("stored") == seconds)
        return daemon
    }

    @Test(arguments: [1000, 1001, 2500])
    func C66_allSamplesComeWhereNoLimitIsSet(count: Int) throws {
        let daemon = try daemon(seconds: count)
        let reply = try daemon.request("samples spo2 format=tsv")
        #expect(reply.end == "OK n=\(count) more=0")
        #expect(reply.rows.count == count)
        #expect(reply.column("start") == reply.column("start").sorted())
        #expect(Set(reply.column("id")).count == count)
    }

    @Test func C66_theNewestIsInReach() throws {
        let daemon = try daemon(seconds: 2500)
        let newest = try daemon.request("samples spo2 limit=1 order=desc format=tsv")
        #expect(newest.column("seq") == ["2500"])
    }

    @Test func C68_aLimitInDescendingOrderTakesTheNewest() throws {
        let daemon = try daemon(seconds: 10)
        let reply = try daemon.request("samples spo2 limit=3 order=desc format=tsv")
        #expect(reply.column("seq") == ["10", "9", "8"])
        #expect(reply["n"] == "3")
        #expect(reply["more"] == "1")
        #expect(reply["next"] != nil)
    }

    @Test(arguments: ["asc", "desc"], [1, 7, 100, 1000])
    func pagesByCursorAreTheWhole(order: String, limit: Int) throws {
        let daemon = try daemon(seconds: 150)
        let request = "samples spo2 hr format=tsv order=\(order)"
        let whole = try daemon.request(request).column("id")
        #expect(try ids(of: request, limit: limit, daemon) == whole)
        #expect(whole.count == 300)
    }

    private func ids(
        of request: String, limit: Int, _ daemon: DaemonUnderTest,
        betweenPages: () throws -> Void = {}
    ) throws -> [String] {
        let client = try daemon.connect()
        var ids: [String] = []
        var after = ""
        while true {
            let page = try client.request("\(request) limit=\(limit)\(after)")
            ids += page.column("id")
            guard let next = page["next"] else { return ids }
            #expect(page["more"] == "1")
            after = " after=\(next)"
            try betweenPages()
        }
    }

    @Test func pagesAreTheSetAsItWasAtTheFirst() throws {
        let daemon = try daemon(seconds: 50)
        let request = "samples spo2 format=tsv"
        let whole = try daemon.request(request).column("id")
        var batch = 0
        let ids = try ids(of: request, limit: 10, daemon) {
            batch += 1
            // Before, between and behind what is being paged through.
            for start in [1_600_000_000, 1_700_000_005, 1_800_000_000] {
                try daemon.replay(
                    RecordingText.oximeter(
                        seconds: 5, from: start + batch * 5, device: "00:1C:05:00:00:01"))
            }
        }
        #expect(ids == whole)
        #expect(try daemon.request(request)["n"] == "\(50 + batch * 15)")
    }

    @Test func theCursorOfAnotherStoreIsForeign() throws {
        let next = try #require(try daemon(seconds: 5).request("samples spo2 limit=2")["next"])
        let other = try daemon(seconds: 5)
        #expect(try other.request("samples spo2 after=\(next)").failure == "410 anchor-foreign")
    }

    @Test func aLimitThatIsExactlyTheWholeLeavesNoMore() throws {
        let daemon = try daemon(seconds: 5)
        #expect(try daemon.request("samples spo2 limit=5").end == "OK n=5 more=0")
    }
}
