import Measurements
import Samples
import Testing

/// How equal readings of one run are counted.
@Suite struct OrdinalTests {
    private var script: SensorScript

    init() throws {
        script = try SensorScript(hostZone: "UTC")
    }

    private mutating func continuous(_ pulse: UInt16 = 60, instance: Int = 0) throws -> Int {
        try script.reading(
            .plxContinuousMeasurement, plxContinuous((97, pulse)), instance: instance
        )
        .ordinal
    }

    private mutating func spotCheck(status: Int) throws -> Int {
        let stamp = dateTime(2026, 6, 1, 11)
        return try script.reading(
            .plxSpotCheckMeasurement, plxSpotCheck(stamp: stamp, status: status)
        ).ordinal
    }

    @Test mutating func equalPacketsOfOneMillisecondAreCounted() throws {
        #expect(try (1...4).map { _ in try continuous() } == [0, 1, 2, 3])
        #expect(try continuous(61) == 0)
        #expect(try continuous() == 4)
    }

    @Test mutating func anotherMillisecondCountsAnew() throws {
        _ = try continuous()
        script.now = script.now.advanced(byMilliseconds: 1)
        #expect(try continuous() == 0)
    }

    @Test mutating func aStampedPacketIsCountedByItsStamp() throws {
        let stamps = [11, 12, 11].map { dateTime(2026, 6, 1, $0) }
        let ordinals = try stamps.map { stamp in
            script.now = script.now.advanced(byMilliseconds: 1000)
            return try script.temperature(stamp: stamp).ordinal
        }
        #expect(ordinals == [0, 0, 1])
    }

    @Test mutating func aStampThatIsNotTrustedIsCountedByReception() throws {
        let first = try script.temperature(stamp: dateTime(2005, 6, 1))
        script.now = script.now.advanced(byMilliseconds: 1)
        let second = try script.temperature(stamp: dateTime(2005, 6, 1))
        #expect([first.ordinal, second.ordinal] == [0, 0])
    }

    @Test(arguments: [GATTEvent.Kind.connect, .disconnect])
    mutating func aLinkCountsAnew(kind: GATTEvent.Kind) throws {
        _ = try continuous()
        #expect(script.send(kind) == .link)
        #expect(try continuous() == 0)
    }

    @Test mutating func anAnswerOfTheRecordAccessControlPointCountsAnew() throws {
        _ = try spotCheck(status: 1 << 9)
        let answer = script.send(.indicate, .recordAccessControlPoint, [6, 0, 1, 1])
        #expect(answer == .link)
        #expect(try spotCheck(status: 1 << 9) == 0)
    }

    @Test mutating func aRequestToTheRecordAccessControlPointChangesNothing() throws {
        _ = try spotCheck(status: 1 << 9)
        #expect(script.send(.write, .recordAccessControlPoint, [1, 1]) == .link)
        #expect(try spotCheck(status: 1 << 9) == 1)
    }

    @Test mutating func anAnswerKeepsWhatIsKnownOfTheClock() throws {
        script.send(.read, .dateTime, dateTime(2026, 6, 1, 10))
        script.send(.indicate, .recordAccessControlPoint, [6, 0, 1, 1])
        let reading = try script.temperature(stamp: dateTime(2026, 6, 1, 9))
        #expect(reading.flags.timeQuality == .mapped)
    }

    @Test mutating func theBitOfStoredDataMakesAnotherPacket() throws {
        #expect(try spotCheck(status: 0) == 0)
        #expect(try spotCheck(status: 1 << 9) == 0)
        #expect(try spotCheck(status: 0) == 1)
        #expect(try spotCheck(status: 1 << 9) == 1)
    }

    @Test mutating func devicesInstancesAndCharacteristicsAreCountedApart() throws {
        _ = try continuous()
        #expect(try continuous(instance: 1) == 0)
        let sameOctets = try script.reading(.plxSpotCheckMeasurement, plxContinuous())
        #expect(sameOctets.ordinal == 0)
        script.device = RemoteDevice(DeviceAddress(bits: 2))
        #expect(try continuous() == 0)
        script.device = RemoteDevice(DeviceAddress(bits: 1), name: "the same")
        #expect(try continuous() == 1)
    }

    @Test mutating func aLinkOfAnotherDeviceChangesNothing() throws {
        _ = try continuous()
        script.device = RemoteDevice(DeviceAddress(bits: 2))
        script.send(.connect)
        script.device = RemoteDevice(DeviceAddress(bits: 1))
        #expect(try continuous() == 1)
    }

    @Test mutating func aPacketIsRememberedOver16383OthersOfItsRun() throws {
        let octets: (Int) -> [UInt8] = { [16] + littleEndian($0, 4) }
        for number in 0..<20_000 {
            #expect(try script.reading(.heartRateMeasurement, octets(number)).ordinal == 0)
        }
        for ordinal in 1...3 {
            let reading = try script.reading(.heartRateMeasurement, octets(20_000 - 16_384))
            #expect(reading.ordinal == ordinal)
        }
    }
}
