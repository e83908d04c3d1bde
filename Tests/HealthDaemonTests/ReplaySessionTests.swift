import JSON
import Samples
import Testing

@testable import HealthDaemon

@Suite struct ReplaySessionTests {
    private let text = """
        {"at":"2026-11-29T22:00:01Z","event":"notify","device":"00:1C:05:01:02:03",\
        "service":"1822","characteristic":"2a5f","value":"0061004800"}
        damaged\r
        {"at":"2026-11-29T22:00:02Z","event":"notify","device":"00:1C:05:01:02:03",\
        "service":"1822","characteristic":"2a5f","value":"0062004800"}
        .
        ping

        """

    /// What a session makes of octets that come in pieces of a size.
    private func read(_ octets: [UInt8], size: Int) -> Outcome {
        let session = ReplaySession(hostZone: .utc, subject: "ada", tee: nil)
        var outcome = Outcome()
        var rest = octets[...]
        while outcome.ending.isEmpty {
            let piece = session.feed(Array(rest.prefix(size)), isEnd: rest.count <= size)
            rest = rest.dropFirst(size)
            outcome.add(piece, unread: rest)
        }
        return outcome
    }

    private struct Outcome: Equatable {
        var intakes = 0
        var lines = 0
        var skipped = 0
        var report: [UInt8] = []
        var ending = ""

        mutating func add(_ piece: ReplayPiece, unread: ArraySlice<UInt8>) {
            intakes += piece.intakes.count
            lines += piece.lines
            skipped += piece.tally.skipped.values.reduce(0, +)
            report += piece.report.octets
            switch piece.ending {
            case nil: break
            case .endOfInput(let assignments): ending = "cut, \(assignments.spans.count)"
            case .dot(let rest, let assignments):
                let behind = String(decoding: rest + unread, as: UTF8.self)
                ending = "\(behind.debugDescription), \(assignments.spans.count)"
            }
        }
    }

    @Test func piecesOfEverySizeGiveTheSame() {
        let octets = Array(text.utf8)
        let whole = read(octets, size: octets.count)
        #expect(whole.intakes == 2)
        #expect(whole.lines == 3)
        #expect(whole.skipped == 1)
        #expect(whole.ending == "\"ping\\n\", 1")
        for size in 1..<octets.count { #expect(read(octets, size: size) == whole) }
    }

    @Test func aCutAnywhereIsTheEndOfTheInput() {
        let octets = Array(text.utf8)
        let dot = octets.count - "\nping\n".utf8.count
        for length in 0..<dot where octets[..<length].last != UInt8(ascii: ".") {
            let outcome = read(Array(octets[..<length]), size: 64)
            #expect(outcome.ending.hasPrefix("cut, "), "\(length)")
            #expect(outcome.intakes + outcome.skipped == outcome.lines, "\(length)")
        }
    }

    @Test func aDotWithoutALineEndIsAnEnd() {
        #expect(read(Array(".".utf8), size: 8).ending == "\"\", 0")
        #expect(read(Array(".\r".utf8), size: 8).ending == "\"\", 0")
        #expect(read(Array("..".utf8), size: 8).ending == "cut, 0")
    }

    @Test func aZoneThatIsNotKnownIsTold() {
        let session = ReplaySession(hostZone: .utc, subject: nil, tee: nil)
        let recording = text.replacing("damaged", with: "# Zone: Mars/Base")
        let piece = session.feed(Array(recording.utf8), isEnd: true)
        let report = String(decoding: piece.report.octets, as: UTF8.self)
        #expect(report.contains("unknown zone Mars/Base"))
        #expect(piece.intakes.count == 2)
    }
}
