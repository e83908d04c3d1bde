import Measurements
import Samples
import Storage
import Testing

/// Readings that were received while the host's clock was wrong.
@Suite struct RedatingTests {
    private let store: TemporaryStore
    /// By how much the clock was wrong, in ms.
    private let error: Int64 = 86_400_000

    init() throws {
        store = try TemporaryStore()
    }

    /// Begins a stretch at so many ms after the machine's start, as its clock shows it.
    private func begin(at boot: Int64, shown: Int64, of name: String = "boot") throws {
        try store.writer.beginSegment(
            boot: name, bootMilliseconds: boot, wall: noon.advanced(byMilliseconds: shown))
    }

    private func note(_ isSynchronised: Bool, distance: Int64 = 0) throws -> Int {
        let count = try store.writer.noteClock(
            isSynchronised: isSynchronised, boot: "boot",
            distance: noon.milliseconds + distance)
        try store.writer.commit()
        return count
    }

    private func times() throws -> [Int64] {
        try store.answer(to: store.everything()).samples.map {
            $0.reading.measuredFrom.milliseconds - noon.milliseconds
        }
    }

    @Test("I3: what came before the clock was right is dated anew, and keeps its id")
    func whatCameBeforeTheClockWasRightIsDatedAnew() throws {
        try begin(at: 0, shown: -error)
        try store.run([battery(50, at: 1000 - error, origin: .ble)])
        #expect(try note(false) == 0)
        #expect(try times() == [1000 - error])
        try begin(at: 2000, shown: 2000)
        try store.run([battery(51, at: 3000, origin: .ble)])
        #expect(try note(true) == 1)
        #expect(try times() == [1000, 3000])
        #expect(try store.answer(to: store.everything()).samples.ids == ["1.0", "2.0"])
        #expect(try store.reader.reading(first: 1)?.0.at == noon.advanced(byMilliseconds: 1000))
        #expect(try store.reader.reading(first: 3) == nil)
    }

    @Test("I3: what is sealed already is dated anew as well, and what was replayed is not")
    func whatIsSealedIsDatedAnew() throws {
        try begin(at: 0, shown: -error)
        try store.run(
            (0..<70).map { second in
                event(
                    .notify, .plxContinuousMeasurement, [0, 97, 0, 60, 0],
                    at: second * 1000 - error, origin: second == 7 ? .replay : .ble)
            })
        _ = try note(false)
        try store.seal()
        #expect(try store.number("SELECT count(*) FROM reading") == 0)
        try begin(at: 80_000, shown: 80_000)
        #expect(try note(true) == 69)
        let right = (0..<70).filter { $0 != 7 }.map { Int64($0) * 1000 }
        #expect(Set(try times()) == Set([7000 - error] + right))
        #expect(try store.reader.reading(first: 1)?.0.seq == 71)
        #expect(try store.reader.reading(first: 8)?.0.seq == 8)
    }

    @Test("I3: whoever follows is told of it as an update")
    func whoFollowsIsToldOfIt() throws {
        try begin(at: 0, shown: -error)
        try store.run([battery(50, at: 1000 - error, origin: .ble)])
        _ = try note(false)
        try begin(at: 2000, shown: 2000)
        _ = try note(true)
        let page = try store.reader.feed(
            FeedFilter(types: [.batteryLevel]), after: FeedPosition(after: 1), rows: 10)
        #expect(page.records.map(\.seq) == [2])
        guard case .updated(let sample)? = page.records.first?.event else {
            Issue.record("no update")
            return
        }
        #expect(sample.id == "1.0")
    }

    @Test func itIsDoneOnce() throws {
        try begin(at: 0, shown: -error)
        try store.run([battery(50, at: 1000 - error, origin: .ble)])
        _ = try note(false)
        try begin(at: 2000, shown: 2000)
        #expect(try note(true) == 1)
        #expect(try note(true) == 0)
        try begin(at: 9000, shown: 9000)
        #expect(try note(true) == 0)
    }

    @Test func severalStepsAddUp() throws {
        try begin(at: 0, shown: -error)
        try store.run([battery(50, at: 1000 - error, origin: .ble)])
        _ = try note(false)
        try begin(at: 2000, shown: 2000 - 50_000)
        try store.run([battery(51, at: 3000 - 50_000, origin: .ble)])
        _ = try note(false)
        try begin(at: 4000, shown: 4000)
        #expect(try note(true) == 2)
        #expect(try times() == [1000, 3000])
    }

    @Test func whatWasRightOrRecordedOrOfAnotherBootStays() throws {
        try begin(at: 0, shown: -error, of: "before")
        try store.run([battery(50, at: 1000 - error, origin: .ble)])
        _ = try note(false)
        try begin(at: 0, shown: 0)
        try store.run([battery(51, at: 2000, origin: .ble)])
        #expect(try note(true, distance: 5000) == 0)
        try begin(at: 5000, shown: 3000 - error)
        try store.run([battery(52, at: 3000 - error)])
        _ = try note(false)
        try begin(at: 6000, shown: 6000)
        #expect(try note(true) == 0)
        #expect(try times() == [1000 - error, 3000 - error, 2000])
    }

    @Test func whatNobodyKnewToBeWrongStays() throws {
        try begin(at: 0, shown: -error)
        try store.run([battery(50, at: 1000 - error, origin: .ble)])
        try begin(at: 2000, shown: 2000)
        #expect(try note(true) == 0)
    }

    @Test func theSensorsOwnTimeStays() throws {
        try begin(at: 0, shown: -error)
        try store.run([
            GATTEvent(
                .indicate, origin: .ble, device: RemoteDevice(DeviceAddress(bits: 1)),
                characteristic: .temperatureMeasurement,
                value: [2, 0x6D, 1, 0, 0xFF, 0xEA, 7, 6, 1, 11, 0, 0],
                at: noon.advanced(byMilliseconds: -1000))
        ])
        let before = try times()
        #expect(before == [-3_600_000])
        _ = try note(false)
        try begin(at: 2000, shown: 2000)
        #expect(try note(true) == 1)
        #expect(try times() == before)
    }

    @Test func aReadingThatHasMovedIsStillKnown() throws {
        try begin(at: 0, shown: -error)
        try store.run([battery(50, at: 1000 - error, origin: .ble)])
        _ = try note(false)
        try begin(at: 2000, shown: 2000)
        _ = try note(true)
        #expect(try store.run([battery(50, at: 1000)]) == [.duplicate])
    }

    @Test func entriesOfTheLedgerMoveByTheirNumbers() throws {
        for time in [1, 2, 3] as [Int64] {
            try store.writer.note(
                LedgerRow(
                    at: noon.advanced(byMilliseconds: time), device: nil, event: "\(time)",
                    detail: ""))
        }
        #expect(try store.writer.nextLedgerID() == 4)
        try store.writer.shiftLedger(2..<3, by: 5000)
        try store.writer.commit()
        let rows = try store.reader.ledger(
            of: nil, from: noon, until: noon.advanced(byMilliseconds: 10_000))
        #expect(rows.map(\.event) == ["1", "3", "2"])
        #expect(rows.last?.last == noon.advanced(byMilliseconds: 5002))
    }
}
