import Measurements
import Samples
import Testing

/// A clock that is read after stamped readings of the same link; the host stands in Berlin, at 14:00.
@Suite struct TimeCorrectionTests {
    private var script: SensorScript

    init() throws {
        script = try SensorScript()
    }

    /// Reads the device's clock; what that says of readings before.
    private mutating func read(_ clock: [UInt8], reference: Bool = false) -> [TimeCorrection] {
        script.assembler.handle(
            GATTEvent(
                .read, origin: .replay, device: script.device,
                characteristic: reference ? .currentTime : .dateTime,
                value: clock + (reference ? [1, 0, 2] : []), at: script.now, zone: script.zone)
        ).corrections
    }

    @Test mutating func itDatesThemAsIfItHadBeenReadBefore() throws {
        let late = try script.temperature(stamp: dateTime(2026, 6, 1, 13, 40))
        let corrections = read(dateTime(2026, 6, 1, 13, 50))
        #expect(corrections.map(\.timeQuality) == [.mapped])
        #expect(corrections.map(\.stamp) == [late.stamp])
        #expect(corrections.map(\.octets) == [late.octets])
        let known = try script.temperature(stamp: dateTime(2026, 6, 1, 13, 40))
        #expect(corrections.map(\.start) == [known.start])
        #expect(known.start == (try utc("2026-06-01T11:50:00Z")))
        #expect(known.start != late.start)
    }

    @Test mutating func whatWasDatedOnceStays() throws {
        _ = try script.temperature(stamp: dateTime(2026, 6, 1, 13, 40))
        #expect(read(dateTime(2026, 6, 1, 13, 50)).count == 1)
        _ = try script.temperature(stamp: dateTime(2026, 6, 1, 13, 41))
        #expect(read(dateTime(2026, 6, 1, 13, 51)).isEmpty)
    }

    @Test mutating func aClockThatSaysThatItIsRightMakesThemSynced() throws {
        let late = try script.temperature(stamp: dateTime(2026, 6, 1, 13, 40))
        let corrections = read(dateTime(2026, 6, 1, 14), reference: true)
        #expect(corrections.map(\.timeQuality) == [.synced])
        #expect(corrections.map(\.start) == [late.start])
    }

    @Test mutating func aClockThatWasSetMeanwhileTellsNothing() throws {
        _ = try script.temperature(stamp: dateTime(2026, 6, 1, 13, 40))
        script.send(.write, .dateTime, dateTime(2026, 6, 1, 14))
        #expect(read(dateTime(2026, 6, 1, 14)).isEmpty)
    }

    @Test mutating func anotherLinkTellsNothing() throws {
        _ = try script.temperature(stamp: dateTime(2026, 6, 1, 13, 40))
        script.send(.disconnect)
        #expect(read(dateTime(2026, 6, 1, 13, 50)).isEmpty)
    }

    @Test mutating func readingsWithoutAStampStayWhereTheyAre() throws {
        _ = try script.reading(.plxContinuousMeasurement, plxContinuous())
        _ = try script.reading(.temperatureMeasurement, thermometer(366, -1))
        #expect(read(dateTime(2026, 6, 1, 13, 50)).isEmpty)
    }

    @Test mutating func aLinkRemembersAsMuchAsAMemoryHolds() throws {
        for _ in 0..<4100 { _ = try script.temperature(stamp: dateTime(2026, 6, 1, 13, 40)) }
        #expect(read(dateTime(2026, 6, 1, 13, 50)).count == 4096)
    }
}
