import Measurements
import Testing

@testable import healthctl

@Suite struct RecordingGapsTests {
    private func time(_ second: Int64) -> Instant { Instant(milliseconds: second * 1000) }

    private func gap(_ from: Int, _ until: Int) -> String {
        "nothing was recorded from 1970-01-01T00:00:0\(from).000+00:00"
            + " to 1970-01-01T00:00:0\(until).000+00:00"
    }

    @Test func nothingIsMissingBeforeTheFirst() {
        var gaps = RecordingGaps()
        #expect(gaps.begin(at: time(1)) == nil)
        #expect(gaps.accounts.isEmpty)
    }

    @Test func whatIsMissingIsBetweenTheLastLineAndTheNextBeginning() {
        var gaps = RecordingGaps()
        _ = gaps.begin(at: time(1))
        gaps.hear(at: time(2))
        gaps.hear(at: time(4))
        #expect(gaps.begin(at: time(7)) == gap(4, 7))
        #expect(gaps.begin(at: time(9)) == gap(7, 9))
        #expect(gaps.accounts == [gap(4, 7), gap(7, 9)])
    }

    @Test func whoWasCutOffHasReadWhatCameBefore() {
        var gaps = RecordingGaps()
        _ = gaps.begin(at: time(1))
        gaps.hear(at: time(5))
        gaps.cut(at: time(3))
        gaps.hear(at: time(6))
        #expect(gaps.begin(at: time(8)) == gap(3, 8))
        #expect(gaps.begin(at: time(9)) == gap(8, 9))
    }

    @Test func manyAreCounted() {
        var gaps = RecordingGaps()
        for second in 0..<14 { _ = gaps.begin(at: time(Int64(second))) }
        #expect(gaps.accounts.count == 11)
        #expect(gaps.accounts.last == "3 more of these")
    }

    @Test(arguments: [
        ("# cut t=1970-01-01T00:00:03.000+00:00", 3000 as Int64?),
        ("# cut t=1970-01-01T01:00:03.000+01:00", 3000), ("# cut t=soon", nil),
        ("# hb t=1970-01-01T00:00:03.000+00:00 n=3", nil),
    ])
    func theDaemonSaysSinceWhen(_ line: String, _ time: Int64?) {
        #expect(cutTime(Array(line.utf8)[...])?.milliseconds == time)
    }
}
