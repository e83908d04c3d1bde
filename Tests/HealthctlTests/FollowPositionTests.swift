import Testing

@testable import healthctl

@Suite struct AnchorTests {
    @Test func anAnchorIsReadAsItIsWritten() {
        #expect(Anchor("957c:12") == Anchor(epoch: "957c", seq: 12))
        #expect(Anchor("957c:0")?.description == "957c:0")
    }

    @Test(arguments: [
        "", ":", ":1", "e:", "e:-1", "e:+1", "e:1 ", "e f:1", "e:f:1", "e",
        "e:99999999999999999999",
    ])
    func otherTextsAreNoAnchor(_ text: String) {
        #expect(Anchor(text) == nil)
    }

    private func line(_ text: String) -> ArraySlice<UInt8> { Array(text.utf8)[...] }

    @Test func aHeartbeatTellsItsAnchor() {
        #expect(
            heartbeat(line("# hb t=2026-11-29T22:00:00.000+00:00 anchor=e:7"))
                == Anchor(epoch: "e", seq: 7))
        #expect(heartbeat(line("# hb t=x")) == nil)
        #expect(heartbeat(line("# Zone: anchor=e:7")) == nil)
    }
}

@Suite struct FollowPositionTests {
    private let start = FollowPosition(after: Anchor(epoch: "e", seq: 7))

    private func taken(_ records: [(Int, String)], from start: FollowPosition? = nil)
        -> FollowPosition
    {
        var position = start ?? self.start
        for (seq, id) in records { _ = position.take(seq: seq, id: id) }
        return position
    }

    @Test func aSeqIsCompleteOnceAGreaterOneComes() {
        #expect(taken([(8, "8.0"), (8, "8.1")]).since == "e:7")
        #expect(taken([(8, "8.0"), (8, "8.1"), (11, "11.0")]).since == "e:8")
    }

    @Test func aSeqIsCompleteOnceAHeartbeatComes() {
        var position = taken([(8, "8.0")])
        position.complete(Anchor(epoch: "e", seq: 9))
        #expect(position.text == "e:9\n")
    }

    @Test func aHeartbeatBeforeAnOpenSeqLeavesItOpen() {
        var position = taken([(9, "9.0")])
        position.complete(Anchor(epoch: "e", seq: 8))
        #expect(position.text == "e:8\n9 9.0\n")
        #expect(position.take(seq: 9, id: "9.0") == false)
    }

    @Test func aHeartbeatNeverGoesBack() {
        var position = start
        position.complete(Anchor(epoch: "e", seq: 6))
        #expect(position == start)
    }

    @Test func whatWasPrintedIsNotPrintedAgain() {
        var position = taken([(8, "8.0"), (9, "9.0"), (9, "9.1")])
        #expect(position.since == "e:8")
        for (seq, id) in [(7, "7.0"), (8, "8.0"), (9, "9.0"), (9, "9.1")] {
            #expect(position.take(seq: seq, id: id) == false, "\(id)")
        }
        #expect(position.take(seq: 9, id: "9.2") == true)
        #expect(position.take(seq: 10, id: "9.0") == true)
    }

    @Test func theTextOfEveryPositionIsReadBack() {
        let records = [(8, "8.0"), (8, "8.1"), (9, "9.0"), (12, "8.1"), (12, "9.0")]
        for count in 0...records.count {
            let position = taken(Array(records[..<count]))
            #expect(FollowPosition(position.text) == position)
        }
    }

    @Test func theBeginningHasTheEpochOfTheDaemonThatAnswers() {
        var position = FollowPosition()
        #expect(position.text == "start\n")
        position.connect(toEpoch: "f")
        #expect(taken([(1, "1.0"), (2, "2.0")], from: position).text == "f:1\n2 2.0\n")
    }

    @Test func anAnchorKeepsItsEpoch() {
        var position = start
        position.connect(toEpoch: "other")
        #expect(taken([(8, "8.0"), (9, "9.0")], from: position).since == "e:8")
    }

    @Test(arguments: ["", "\n", "e", "now\n", "e:1\n2\n", "e:1\nx 2.0\n", "e:1\n2 2.0\n3 3.0\n"])
    func otherTextsAreNoPosition(_ text: String) {
        #expect(FollowPosition(text) == nil)
    }
}

@Suite struct OutageTests {
    @Test func theWaitDoublesUpToFiveSeconds() {
        var outage = Outage()
        #expect((0..<7).map { _ in outage.delay() } == [200, 400, 800, 1600, 3200, 5000, 5000])
    }

    @Test func anOutageIsToldOnceAndItsEndToo() {
        var outage = Outage()
        #expect(outage.end() == false)
        #expect(outage.begin() == true)
        #expect(outage.begin() == false)
        #expect(outage.end() == true)
        #expect(outage.end() == false)
    }

    @Test func afterAnOutageTheWaitIsShortAgain() {
        var outage = Outage()
        for _ in 0..<5 { _ = outage.delay() }
        _ = outage.end()
        #expect(outage.delay() == Outage.shortest)
    }
}
