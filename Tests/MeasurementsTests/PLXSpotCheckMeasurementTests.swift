import Measurements
import Testing

@Suite struct PLXSpotCheckMeasurementTests {
    @Test func everyFieldIsReadInTheOrderOfTheStandard() throws {
        let value = try PLXSpotCheckMeasurement(
            decoding: octets("0f acf3bef5 e8070b1d170839 2040 220000 66e3"))
        #expect(value.spo2.number?.description == "94.0")
        #expect(value.pulseRate.number?.description == "147.0")
        #expect(
            value.timeStamp?.civilTime
                == CivilTime(year: 2024, month: 11, day: 29, hour: 23, minute: 8, second: 57))
        #expect(value.measurementStatus == [.measurementOngoing, .questionableMeasurement])
        #expect(value.deviceAndSensorStatus == [.equipmentMalfunction, .lowPerfusion])
        #expect(value.pulseAmplitudeIndex?.number?.description == "8.70")
        #expect(!value.isClockNotSet)
    }

    @Test func everyFlagsOctetNeedsItsLength() {
        for flags in UInt8.min...UInt8.max {
            let whole = value(flags: flags)
            let decoded = try? PLXSpotCheckMeasurement(decoding: whole + [9])
            #expect(decoded?.trailing == 1 && decoded?.reservedFlags == flags & 0xE0)
            #expect(decoded?.isClockNotSet == (flags & 0x10 != 0))
            #expect((try? PLXSpotCheckMeasurement(decoding: whole.dropLast())) == nil)
        }
    }

    @Test func anImpossibleTimeStampKeepsTheMeasurement() throws {
        let value = try PLXSpotCheckMeasurement(decoding: octets("01 6200 4800 ea07041f010203"))
        #expect(value.timeStamp == .impossible(octets("ea07041f010203")))
        #expect(value.timeStamp?.civilTime == nil)
        #expect(value.spo2.number == DecimalNumber(98))
    }

    @Test func maskingClearsTheStorageBitAlone() throws {
        for flags in UInt8.min...UInt8.max where flags & 2 != 0 {
            let stored = value(flags: flags)
            let masked = PLXSpotCheckMeasurement.maskingStorageBit(stored)
            let before = try PLXSpotCheckMeasurement(decoding: stored)
            let after = try PLXSpotCheckMeasurement(decoding: masked)
            #expect(before.measurementStatus?.contains(.fromMeasurementStorage) == true)
            #expect(
                after.measurementStatus
                    == before.measurementStatus?.subtracting(.fromMeasurementStorage))
            #expect(zip(stored, masked).filter { $0 != $1 }.count == 1)
            #expect(PLXSpotCheckMeasurement.maskingStorageBit(masked) == masked)
        }
    }

    @Test func maskingLeavesOctetsWithoutAStatusAlone() {
        for flags in UInt8.min...UInt8.max where flags & 2 == 0 {
            #expect(
                PLXSpotCheckMeasurement.maskingStorageBit(value(flags: flags))
                    == value(flags: flags))
        }
    }

    @Test func maskingLeavesTruncatedOctetsAlone() {
        for flags in UInt8.min...UInt8.max {
            let whole = value(flags: flags)
            for length in 0..<whole.count {
                let part = Array(whole.prefix(length))
                #expect(PLXSpotCheckMeasurement.maskingStorageBit(part) == part)
            }
        }
    }

    /// A value with all bits set behind its flags.
    private func value(flags: UInt8) -> [UInt8] {
        let sizes = [7, 2, 3, 2]
        let needed = sizes.enumerated().reduce(4) { $0 + (flags >> $1.0 & 1 == 1 ? $1.1 : 0) }
        return [flags] + [UInt8](repeating: 0xFF, count: needed)
    }
}
