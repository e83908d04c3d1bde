import Measurements
import Samples
import Testing

/// How the time of a reading comes about; the host stands in Berlin, at 14:00 local time.
@Suite struct TimeQualityTests {
    private var script: SensorScript

    init() throws {
        script = try SensorScript()
    }

    @Test mutating func aPacketWithoutStampIsMeasuredWhenReceived() throws {
        let stream = try script.reading(.plxContinuousMeasurement, plxContinuous())
        let plain = try script.reading(.temperatureMeasurement, thermometer(366, -1))
        for reading in [stream, plain] {
            #expect(reading.flags.timeQuality == .received)
            #expect(reading.start == nil)
            #expect(reading.stamp == nil)
        }
    }

    @Test mutating func aStampIsLocalTimeOfAClockThatNobodyCouldRead() throws {
        let reading = try script.temperature(stamp: dateTime(2026, 6, 1, 13, 59, 30))
        #expect(reading.flags.timeQuality == .unverified)
        #expect(reading.start == (try utc("2026-06-01T11:59:30Z")))
        #expect(reading.stamp == (try utc("2026-06-01T13:59:30Z")).milliseconds / 1000)
        #expect(!reading.flags.isAmbiguous)
    }

    @Test mutating func aClockThatWasReadMapsItsStamps() throws {
        script.now = try utc("2026-06-01T12:00:05.250Z")
        let clock = script.send(.read, .dateTime, dateTime(2023, 1, 2, 3, 4, 5))
        let behind =
            try utc("2026-06-01T12:00:05.250Z").milliseconds
            - utc("2023-01-02T03:04:05Z").milliseconds
        #expect(clock == .clock(offset: behind))
        let reading = try script.temperature(stamp: dateTime(2023, 1, 2, 3, 3, 5))
        #expect(reading.flags.timeQuality == .mapped)
        #expect(reading.start == (try utc("2026-06-01T11:59:05.250Z")))
    }

    @Test mutating func aCurrentTimeCountsWithItsFraction() throws {
        script.send(.read, .currentTime, dateTime(2026, 6, 1, 13, 0, 0) + [1, 128, 0])
        let reading = try script.temperature(stamp: dateTime(2026, 6, 1, 13, 0, 0))
        #expect(reading.flags.timeQuality == .mapped)
        #expect(reading.start == (try utc("2026-06-01T11:59:59.500Z")))
    }

    @Test mutating func aClockThatWeSetAndReadBackIsSynced() throws {
        #expect(script.send(.write, .dateTime, dateTime(2026, 6, 1, 14)) == .link)
        script.send(.read, .dateTime, dateTime(2026, 6, 1, 13, 59, 58))
        let reading = try script.temperature(stamp: dateTime(2026, 6, 1, 13, 59, 50))
        #expect(reading.flags.timeQuality == .synced)
        #expect(reading.start == (try utc("2026-06-01T11:59:50Z")))
        script.send(.read, .dateTime, dateTime(2026, 6, 1, 14))
        let later = try script.temperature(stamp: dateTime(2026, 6, 1, 13, 59, 51))
        #expect(later.flags.timeQuality == .synced)
    }

    @Test(arguments: [
        (UInt8(2), TimeQuality.synced), (0x01, .mapped), (0, .mapped), (0xFE, .synced),
    ])
    mutating func aClockThatAReferenceSetIsSynced(
        reason: UInt8, quality: TimeQuality
    ) throws {
        script.send(.read, .currentTime, dateTime(2026, 6, 1, 14) + [1, 0, reason])
        let reading = try script.temperature(stamp: dateTime(2026, 6, 1, 13))
        #expect(reading.flags.timeQuality == quality)
    }

    @Test mutating func aClockThatDidNotTakeTheTimeIsMapped() throws {
        script.send(.write, .currentTime, dateTime(2026, 6, 1, 14) + [1, 0, 2])
        script.send(.read, .currentTime, dateTime(2026, 6, 1, 13, 59, 57) + [1, 0, 2])
        let reading = try script.temperature(stamp: dateTime(2026, 6, 1, 13, 59, 57))
        #expect(reading.flags.timeQuality == .mapped)
        #expect(reading.start == script.now)
    }

    @Test mutating func aClockThatWasSetButNotReadBackIsUnverified() throws {
        script.send(.read, .dateTime, dateTime(2020, 6, 1, 14))
        script.send(.write, .dateTime, dateTime(2026, 6, 1, 14))
        let reading = try script.temperature(stamp: dateTime(2026, 6, 1, 13))
        #expect(reading.flags.timeQuality == .unverified)
    }

    @Test(arguments: [GATTEvent.Kind.connect, .disconnect])
    mutating func aLinkKnowsNothingOfTheClockInAnother(kind: GATTEvent.Kind) throws {
        script.send(.read, .dateTime, dateTime(2026, 6, 1, 12))
        script.send(kind)
        let reading = try script.temperature(stamp: dateTime(2026, 6, 1, 13))
        #expect(reading.flags.timeQuality == .unverified)
    }

    @Test mutating func aDeviceKnowsNothingOfTheClockOfAnother() throws {
        script.send(.read, .dateTime, dateTime(2026, 6, 1, 12))
        script.device = RemoteDevice(DeviceAddress(bits: 2))
        let reading = try script.temperature(stamp: dateTime(2026, 6, 1, 13))
        #expect(reading.flags.timeQuality == .unverified)
    }

    @Test mutating func aClockWithoutDateTellsNothing() throws {
        #expect(script.send(.read, .dateTime, dateTime(0, 6, 1, 14)) == .link)
        #expect(
            script.send(.read, .dateTime, dateTime(2026, 13, 1)) == .skipped(.malformedAttribute))
        let reading = try script.temperature(stamp: dateTime(2026, 6, 1, 13))
        #expect(reading.flags.timeQuality == .unverified)
    }
}
