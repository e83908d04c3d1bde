import Measurements
import Samples
import Testing

@testable import Storage

/// Readings that are stored before their device's clock is read.
@Suite struct TimeCorrectingTests {
    private let store: TemporaryStore

    init() throws {
        store = try TemporaryStore()
    }

    /// A read of a clock that is so many minutes slow, ten minutes after noon.
    private func clock(slow minutes: Int) -> GATTEvent {
        let value = octets(2026) + [6, 1, 12, UInt8(10 - minutes), 0]
        return event(.read, .dateTime, value, at: 600_000)
    }

    private func link(slow minutes: Int) -> [GATTEvent] {
        [
            event(.connect, at: 599_000), temperature(366, minute: 2, at: 599_500),
            temperature(367, minute: 3, at: 599_600), clock(slow: minutes),
        ]
    }

    private func samples() throws -> [StoredSample] {
        try store.answer(to: try store.everything()).samples
    }

    private func minutes() throws -> [Int64] {
        try samples().map { ($0.reading.measuredFrom.milliseconds - noon.milliseconds) / 60_000 }
    }

    @Test func theyAreDatedByItAndKeepTheirIDs() throws {
        try store.run(link(slow: 4))
        #expect(try minutes() == [6, 7])
        #expect(try samples().map { $0.reading.flags.timeQuality } == [.mapped, .mapped])
        #expect(try samples().ids == ["1.0", "2.0"])
        #expect(try samples().map { $0.reading.seq } == [3, 4])
    }

    @Test func afterACommitTheFeedTellsIt() throws {
        try store.run(Array(link(slow: 4).dropLast()))
        var assembler = ReadingAssembler(hostZone: .utc)
        for event in link(slow: 4) { _ = try store.writer.ingest(assembler.handle(event)) }
        try store.writer.commit()
        let page = try store.reader.feed(
            FeedFilter(types: [.bodyTemperature]), after: FeedPosition(after: 2), rows: 100)
        let updates = page.records.compactMap { record -> String? in
            guard case .updated(let sample) = record.event else { return nil }
            return "\(record.seq) \(sample.id)"
        }
        #expect(updates == ["3 1.0", "4 2.0"])
        #expect(page.records.count == 2)
    }

    @Test func theSameAgainAddsNothingAndMovesNothing() throws {
        try store.run(link(slow: 4))
        let outcomes = try store.run(link(slow: 4))
        #expect(outcomes == [.duplicate, .duplicate])
        #expect(try samples().map { $0.reading.seq } == [3, 4])
    }

    @Test func aLaterReadOfTheClockDoesNotChangeThePast() throws {
        try store.run(link(slow: 4))
        try store.run(link(slow: 5))
        #expect(try minutes() == [6, 7])
    }

    @Test func theirOriginStays() throws {
        var events = link(slow: 4)
        for place in events.indices { events[place].origin = .ble }
        try store.run(events.dropLast() + [clock(slow: 4)])
        #expect(try samples().map { $0.reading.flags.origin } == [.ble, .ble])
    }

    @Test func aDeletedReadingIsNotBroughtBack() throws {
        try store.run(Array(link(slow: 4).dropLast()))
        _ = try store.writer.delete(readings: [1], at: noon)
        try store.run(link(slow: 4))
        #expect(try samples().ids == ["2.0"])
    }
}
