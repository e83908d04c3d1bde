import Measurements
import Testing

@Suite struct HeartRateMeasurementTests {
    @Test func everyFieldIsReadInTheOrderOfTheStandard() throws {
        let value = try HeartRateMeasurement(decoding: octets("1f 0101 3201 0100 0201 ffff"))
        #expect(value.heartRate == 257 && value.is16Bit)
        #expect(value.contact == .detected)
        #expect(value.energyExpended == 306)
        #expect(value.rrIntervals == [1, 258, 65_535])
    }

    @Test func everyFlagsOctetNeedsItsLength() {
        for flags in UInt8.min...UInt8.max {
            let needed = (flags & 1 != 0 ? 2 : 1) + (flags & 8 != 0 ? 2 : 0)
            let whole = [flags] + [UInt8](repeating: 7, count: needed)
            let value = try? HeartRateMeasurement(decoding: whole)
            #expect(value?.reservedFlags == flags & 0xE0)
            #expect(value?.rrIntervals == (flags & 0x10 != 0 ? [] : nil))
            #expect((try? HeartRateMeasurement(decoding: whole.dropLast())) == nil)
        }
    }

    @Test func contactIsUnsupportedUnlessItsBitSaysSo() throws {
        let contacts = try [0, 2, 4, 6].map {
            try HeartRateMeasurement(decoding: [$0, 60]).contact
        }
        #expect(contacts == [.unsupported, .unsupported, .notDetected, .detected])
    }

    @Test func halfAnIntervalTrails() throws {
        let value = try HeartRateMeasurement(decoding: octets("10 48 0004 ff"))
        #expect(value.rrIntervals == [1024] && value.trailing == 1)
    }

    @Test func withoutTheIntervalFlagTheOctetsTrail() throws {
        let value = try HeartRateMeasurement(decoding: octets("00 48 0004"))
        #expect(value.rrIntervals == nil && value.trailing == 2)
    }

    @Test func aLongValueHasAllItsIntervals() throws {
        let value = try HeartRateMeasurement(
            decoding: [0x10, 72] + [UInt8](repeating: 3, count: 100_000))
        #expect(value.rrIntervals?.count == 50_000)
    }
}

@Suite struct BodySensorLocationTests {
    @Test func onlyZeroToSixHaveNames() {
        let named = (UInt8.min...UInt8.max).filter {
            (try? BodySensorLocation(decoding: [$0]))?.name != nil
        }
        #expect(named == Array(0...6))
    }
}

@Suite struct BatteryLevelTests {
    @Test func aLevelAboveOneHundredIsReserved() throws {
        for octet in UInt8.min...UInt8.max {
            let value = try BatteryLevel(decoding: [octet])
            #expect(value.raw == octet)
            #expect(value.level == (octet <= 100 ? octet : nil))
        }
        #expect(try BatteryLevel(decoding: [100, 0]).trailing == 1)
    }
}
