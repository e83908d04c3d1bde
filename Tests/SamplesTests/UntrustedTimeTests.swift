import Measurements
import Samples
import Testing

/// Stamps that cannot be right; the host stands in Berlin, at 14:00 local time.
@Suite struct UntrustedTimeTests {
    private var script: SensorScript

    init() throws {
        script = try SensorScript()
    }

    @Test mutating func c01AnUnsetClockLeavesTheTimeOfReception() throws {
        let value = try octets("1761006000e10701010122132000200000")
        script.now = try utc("2022-02-25T20:00:00Z")
        let reading = try script.reading(.plxSpotCheckMeasurement, value, .indicate)
        #expect(reading.flags.timeQuality == .untrusted)
        #expect(reading.start == nil)
        #expect(reading.stamp == nil)
        #expect(reading.octets == value)
        #expect(reading.sampleCount == 2)
    }

    @Test mutating func anUnsetClockIsNotTrustedEvenIfItWasRead() throws {
        script.send(.read, .dateTime, dateTime(2026, 6, 1, 14))
        let value = plxSpotCheck(stamp: dateTime(2026, 6, 1, 13), isClockNotSet: true)
        let reading = try script.reading(.plxSpotCheckMeasurement, value)
        #expect(reading.flags.timeQuality == .untrusted)
        #expect(reading.start == nil)
    }

    @Test(arguments: [
        dateTime(2026, 13, 1), dateTime(2026, 2, 29), dateTime(2026, 4, 31),
        dateTime(2026, 6, 1, 24), dateTime(2026, 6, 1, 13, 60), dateTime(2026, 6, 1, 13, 0, 60),
        dateTime(1581, 6, 1), dateTime(10000, 6, 1), dateTime(0, 6, 1), dateTime(2026, 0, 1),
        dateTime(2026, 6, 0), dateTime(0, 0, 0), dateTime(2009, 12, 31, 23, 59, 59),
    ])
    mutating func anImpossibleUnknownOrAncientDateIsUntrusted(stamp: [UInt8]) throws {
        let reading = try script.temperature(stamp: stamp)
        #expect(reading.flags.timeQuality == .untrusted)
        #expect(reading.start == nil)
        #expect(reading.stamp == nil)
        #expect(reading.malformed == nil)
        #expect(reading.sampleCount == 1)
    }

    @Test mutating func theYear2010IsTheFirstThatCounts() throws {
        let reading = try script.temperature(stamp: dateTime(2010, 1, 1))
        #expect(reading.flags.timeQuality == .unverified)
        #expect(reading.start == (try utc("2009-12-31T23:00:00Z")))
    }

    @Test mutating func aStampADayAheadCountsAndASecondMoreDoesNot() throws {
        let day = try script.temperature(stamp: dateTime(2026, 6, 2, 14))
        let more = try script.temperature(stamp: dateTime(2026, 6, 2, 14, 0, 1))
        #expect(day.flags.timeQuality == .unverified)
        #expect(day.start == (try utc("2026-06-02T12:00:00Z")))
        #expect(more.flags.timeQuality == .untrusted)
        #expect(more.start == nil)
        #expect(more.stamp == (try utc("2026-06-02T14:00:01Z")).milliseconds / 1000)
    }

    @Test mutating func aStampIsJudgedAgainstReceptionAndNotAgainstToday() throws {
        script.now = try utc("2018-03-10T21:00:00Z")
        let then = try script.temperature(stamp: dateTime(2018, 3, 10, 21, 52))
        let future = try script.temperature(stamp: dateTime(2018, 3, 12))
        #expect(then.flags.timeQuality == .unverified)
        #expect(future.flags.timeQuality == .untrusted)
    }

    @Test mutating func aMappedStampMoreThanADayAheadIsUntrusted() throws {
        script.send(.read, .dateTime, dateTime(2026, 6, 1, 13))
        let day = try script.temperature(stamp: dateTime(2026, 6, 2, 13))
        let more = try script.temperature(stamp: dateTime(2026, 6, 2, 13, 0, 1))
        #expect(day.flags.timeQuality == .mapped)
        #expect(more.flags.timeQuality == .untrusted)
    }

    @Test mutating func aStampLongBeforeReceptionIsARecordFromMemory() throws {
        let reading = try script.temperature(stamp: dateTime(2016, 2, 29, 12))
        #expect(reading.flags.timeQuality == .unverified)
        #expect(reading.start == (try utc("2016-02-29T11:00:00Z")))
    }
}
