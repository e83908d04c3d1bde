import Measurements
import Samples
import Testing

@Suite struct ReadingTests {
    @Test func flagsKeepEveryCombinationOfTheirParts() {
        var seen: Set<Int> = []
        for quality in TimeQuality.allCases {
            for origin in [GATTEvent.Origin.ble, .replay, .import] {
                for (isAmbiguous, isFaulty) in [
                    (false, false), (false, true), (true, false), (true, true),
                ] {
                    let made = ReadingFlags(
                        timeQuality: quality, origin: origin, isAmbiguous: isAmbiguous,
                        isFaulty: isFaulty)
                    let flags = ReadingFlags(rawValue: made.rawValue)
                    #expect(flags.timeQuality == quality)
                    #expect(flags.origin == origin)
                    #expect(flags.isAmbiguous == isAmbiguous)
                    #expect(flags.isFaulty == isFaulty)
                    seen.insert(made.rawValue)
                }
            }
        }
        #expect(seen.count == 6 * 3 * 4)
    }

    @Test func timeQualitiesHaveTheNamesOfTheTable() {
        #expect(
            TimeQuality.allCases.map(\.name) == [
                "received", "mapped", "synced", "unverified", "untrusted", "manual",
            ])
    }

    @Test func aReadingLastsFromItsReceptionUnlessItSaysOtherwise() {
        let (early, middle, late) = (
            Instant(milliseconds: 1), Instant(milliseconds: 2), Instant(milliseconds: 3)
        )
        let flags = ReadingFlags(rawValue: 0)
        var reading = Reading(seq: 1, stream: 1, at: late, flags: flags, octets: [])
        #expect([reading.measuredFrom, reading.measuredTo] == [late, late])
        reading.start = early
        #expect([reading.measuredFrom, reading.measuredTo] == [early, early])
        reading.end = middle
        #expect([reading.measuredFrom, reading.measuredTo] == [early, middle])
    }

    @Test(arguments: MeasurementCharacteristic.allCases)
    func aCharacteristicIsFoundByItsName(of characteristic: MeasurementCharacteristic) {
        #expect(MeasurementCharacteristic(name: characteristic.name) == characteristic)
        #expect(MeasurementCharacteristic(name: "0000") == nil)
    }

    @Test func theCharacteristicsWithReadingsAreThese() {
        let known = (UInt16.min...UInt16.max).filter {
            MeasurementCharacteristic(BluetoothUUID($0)) != nil
        }
        #expect(known == [0x2A19, 0x2A1C, 0x2A1E, 0x2A37, 0x2A5E, 0x2A5F])
        #expect(
            MeasurementCharacteristic.allCases.filter(\.isStreaming)
                == [.plxContinuous, .intermediateTemperature, .heartRate])
    }
}
