import Measurements
import Samples
@testable import Storage
import Testing

/// What counts as the same reading, and is dropped.
@Suite struct DuplicateTests {
    private let store: TemporaryStore

    init() throws {
        store = try TemporaryStore()
    }

    private let recording =
        [event(.connect, at: 0)]
        + (0..<50).map { continuous(90 + UInt16($0 % 8), at: Int64($0 / 2)) }
        + [spotCheck(97, minute: 1, at: 90), temperature(366, minute: 2, at: 91)]
        + [event(.disconnect, at: 100)]

    private func stored(_ outcomes: [StoreWriter.Outcome]) -> [Int64?] {
        outcomes.map { if case .stored(let seq) = $0 { seq } else { nil } }
    }

    private func readings() throws -> Int64? { try store.number("SELECT count(*) FROM reading") }

    @Test func c71ARecordingReplayedTwiceAddsNothing() throws {
        #expect(stored(try store.run(recording)) == (1...52).map { $0 })
        #expect(try store.run(recording) == Array(repeating: .duplicate, count: 52))
        #expect(try readings() == 52)
    }

    @Test func aRecordingOfWhatWasReceivedLiveAddsNothing() throws {
        let live = recording.map { event in
            var event = event
            event.origin = .ble
            return event
        }
        try store.run(live)
        #expect(try store.run(recording) == Array(repeating: .duplicate, count: 52))
    }

    @Test func aPartOfARecordingAddsNothing() throws {
        try store.run(recording)
        #expect(try store.run(Array(recording[10..<41])) == Array(repeating: .duplicate, count: 31))
    }

    @Test func aReplayAfterARestartAddsNothing() throws {
        try store.run(recording)
        try store.restart()
        #expect(try store.run(recording) == Array(repeating: .duplicate, count: 52))
        #expect(try readings() == 52)
    }

    @Test func aMemoryThatIsSentAtEveryLinkAddsOnlyWhatIsNew() throws {
        for link in 1...5 {
            let start = Int64(link) * 10_000
            let memory = (1...link).map {
                spotCheck(90 + UInt16($0), minute: $0, status: fromStorage, at: start + Int64($0))
            }
            let outcomes = try store.run([event(.connect, at: start)] + memory)
            #expect(outcomes.dropLast() == Array(repeating: .duplicate, count: link - 1)[...])
            #expect(outcomes.last == .stored(seq: Int64(link)))
        }
    }

    @Test func aMemoryThatIsSentTwiceInOneLinkAddsNothingAfterAnAnswer() throws {
        let memory = [1, 2, 2].map { spotCheck(97, minute: $0, status: fromStorage, at: 0) }
        let answer = event(.indicate, .recordAccessControlPoint, [6, 0, 1, 1], at: 1)
        let outcomes = try store.run(memory + [answer] + memory)
        #expect(stored(outcomes) == [1, 2, 3, nil, nil, nil])
    }

    @Test func aLiveValueThatComesAgainFromMemoryIsTheSame() throws {
        let live = spotCheck(97, minute: 1, at: 0)
        let again = spotCheck(97, minute: 1, status: fromStorage, at: 5000)
        #expect(try store.run([live, again]) == [.stored(seq: 1), .duplicate])
        #expect(try store.run([again, live]) == [.duplicate, .duplicate])
    }

    @Test func theOctetsKeepTheirBitThoughItIsMasked() throws {
        try store.run([spotCheck(97, minute: 1, status: fromStorage, at: 0)])
        let sample = try #require(try store.answer(to: store.everything()).samples.first)
        #expect(sample.sample.status.names == ["from_measurement_storage"])
    }

    @Test func anyOtherStatusBitMakesAnotherReading() throws {
        let events = (5...15).map { spotCheck(97, minute: 1, status: 1 << $0, at: 0) }
        let plain = spotCheck(97, minute: 1, at: 0)
        let outcomes = stored(try store.run([plain] + events))
        #expect(outcomes == [1, 2, 3, 4, 5, nil, 6, 7, 8, 9, 10, 11])
    }

    @Test func equalPacketsOfOneRunAreAllKept() throws {
        let events = [continuous(97, at: 0), continuous(97, at: 0), continuous(97, at: 0)]
        #expect(stored(try store.run(events)) == [1, 2, 3])
        #expect(stored(try store.run(events)) == [nil, nil, nil])
        #expect(stored(try store.run(events + [continuous(97, at: 0)])) == [nil, nil, nil, 4])
    }

    @Test func twoValuesOfOneMinuteAreBothKept() throws {
        let events = [temperature(366, minute: 3, at: 0), temperature(368, minute: 3, at: 9000)]
        #expect(stored(try store.run(events)) == [1, 2])
        #expect(stored(try store.run(events.reversed())) == [nil, nil])
    }

    @Test func aStampedPacketIsTheSameWheneverItArrives() throws {
        try store.run([temperature(366, minute: 3, at: 0)])
        let later = temperature(366, minute: 3, at: 3_600_000)
        #expect(try store.run([later]) == [.duplicate])
    }

    @Test func aPacketWithoutStampIsAnotherOneAMillisecondLater() throws {
        try store.run([temperature(366, at: 0)])
        #expect(stored(try store.run([temperature(366, at: 1)])) == [2])
        #expect(stored(try store.run([temperature(366, at: 0)])) == [nil])
    }

    @Test func streamsAreKeptApart() throws {
        let events = [
            continuous(97, at: 0), continuous(97, at: 0, device: 2),
            continuous(97, at: 0, instance: 1),
            event(.notify, .plxSpotCheckMeasurement, [0, 97, 0, 60, 0], at: 0),
        ]
        #expect(stored(try store.run(events)) == [1, 2, 3, 4])
        #expect(stored(try store.run(events)) == [nil, nil, nil, nil])
    }

    @Test func aPacketThatDoesNotDecodeIsStoredOnce() throws {
        let broken = event(.notify, .plxContinuousMeasurement, [0, 97], at: 0)
        let empty = event(.notify, .plxContinuousMeasurement, [], at: 0)
        #expect(stored(try store.run([broken, empty])) == [1, 2])
        #expect(stored(try store.run([broken, empty])) == [nil, nil])
        #expect(try store.answer(to: store.everything()).samples.isEmpty)
    }

    @Test func askingWhetherAReadingIsKnownStoresNothing() throws {
        var assembler = ReadingAssembler(hostZone: .utc)
        let intake = assembler.handle(battery(50, at: 0))
        #expect(try store.writer.verdict(on: intake) == nil)
        #expect(try store.writer.verdict(on: intake) == nil)
        #expect(!store.writer.hasUncommitted)
        #expect(try store.reader.devices().isEmpty)
        #expect(try store.writer.ingest(intake) == .stored(seq: 1))
        #expect(try store.writer.verdict(on: intake) == .duplicate)
        try store.writer.rollBack()
        #expect(try store.writer.verdict(on: intake) == nil)
    }

    @Test func aStreamTakesAsManyReadingsOfOneTimeAsTheLimitAndStillKnowsThem() throws {
        let events = (0...DuplicateLookup.limit).map {
            let value = octets(UInt16($0 & 0xFFFF)) + [UInt8($0 >> 16)]
            return event(.notify, .heartRateMeasurement, value, at: 0)
        }
        let outcomes = try store.run(events)
        #expect(outcomes.dropLast().allSatisfy { if case .stored = $0 { true } else { false } })
        #expect(outcomes.last == .tooManyAtOneTime)
        #expect(try store.run(Array(events.prefix(3))) == [.duplicate, .duplicate, .duplicate])
        try store.restart()
        #expect(try store.run(Array(events.prefix(2))) == [.duplicate, .duplicate])
        #expect(try store.run(Array(events.suffix(1))) == [.tooManyAtOneTime])
    }
}
