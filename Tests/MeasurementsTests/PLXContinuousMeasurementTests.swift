import Measurements
import Testing

@Suite struct PLXContinuousMeasurementTests {
    @Test func everyFieldIsReadInTheOrderOfTheStandard() throws {
        let value = try PLXContinuousMeasurement(
            decoding: octets("1f d4f36300 d4f36000 caf36300 0001 000000 cee2"))
        #expect(value.normal.spo2.number?.description == "98.0")
        #expect(value.normal.pulseRate.number?.description == "99")
        #expect(value.fast?.pulseRate.number?.description == "96")
        #expect(value.slow?.spo2.number?.description == "97.0")
        #expect(value.measurementStatus == .fullyQualifiedData)
        #expect(value.deviceAndSensorStatus == [])
        #expect(value.pulseAmplitudeIndex?.number?.description == "7.18")
        #expect(value.reservedFlags == 0 && value.trailing == 0)
    }

    @Test func anAbsentFieldIsNotAClearOne() throws {
        let absent = try PLXContinuousMeasurement(decoding: octets("00 61004800"))
        let clear = try PLXContinuousMeasurement(decoding: octets("0c 61004800 0000 000000"))
        #expect(absent.measurementStatus == nil && absent.deviceAndSensorStatus == nil)
        #expect(clear.measurementStatus == [] && clear.deviceAndSensorStatus == [])
        #expect(absent.fast == nil && absent.slow == nil && absent.pulseAmplitudeIndex == nil)
    }

    @Test func everyFlagsOctetNeedsItsLength() {
        for flags in UInt8.min...UInt8.max {
            let sizes = [4, 4, 2, 3, 2]
            let needed = sizes.enumerated().reduce(5) { $0 + (flags >> $1.0 & 1 == 1 ? $1.1 : 0) }
            let whole = [flags] + [UInt8](repeating: 1, count: needed - 1)
            #expect((try? PLXContinuousMeasurement(decoding: whole))?.trailing == 0)
            #expect((try? PLXContinuousMeasurement(decoding: whole.dropLast())) == nil)
            let value = try? PLXContinuousMeasurement(decoding: whole + [9, 9])
            #expect(value?.trailing == 2 && value?.reservedFlags == flags & 0xE0)
        }
    }

    @Test func aTruncatedValueSaysWhichFieldIsMissing() {
        let reason = reason { () throws(MalformedValue) in
            _ = try PLXContinuousMeasurement(decoding: octets("01 61004800 6100"))
        }
        #expect(
            reason == .truncated(field: "SpO2PR-Fast", offset: 7, needed: 2, have: 7))
        #expect(reason?.symbol == "truncated")
    }
}
