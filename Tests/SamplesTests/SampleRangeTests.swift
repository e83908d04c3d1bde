import Measurements
import Samples
import Testing

/// The ends of each type's range, as packets hold them.
@Suite struct SampleRangeTests {
    private func quality(
        _ characteristic: MeasurementCharacteristic, _ octets: [UInt8], at place: Int = 0
    ) throws -> Quality {
        try samples(characteristic, octets)[place].quality
    }

    @Test(arguments: [
        (sfloat(0), Quality.outOfRange), (sfloat(9, -1), .outOfRange), (sfloat(1), .ok),
        (sfloat(10, -1), .ok), (sfloat(100), .ok), (sfloat(1, 2), .ok),
        (sfloat(1000, -1), .ok), (sfloat(1001, -1), .outOfRange), (sfloat(101), .outOfRange),
        (sfloat(-97), .outOfRange),
    ])
    func saturationIsOneToAHundredPercent(word: UInt16, quality: Quality) throws {
        #expect(try self.quality(.plxContinuous, plxContinuous((word, 60))) == quality)
    }

    @Test(arguments: [
        (sfloat(0), Quality.outOfRange), (sfloat(1), .ok), (sfloat(511), .ok),
        (sfloat(512), .outOfRange), (sfloat(-1), .outOfRange), (sfloat(51, 1), .ok),
        (sfloat(52, 1), .outOfRange),
    ])
    func anOximetersPulseIsOneTo511(word: UInt16, quality: Quality) throws {
        #expect(try self.quality(.plxContinuous, plxContinuous((97, word)), at: 1) == quality)
    }

    @Test(arguments: [
        (0, Quality.outOfRange), (1, .ok), (511, .ok), (512, .outOfRange), (65535, .outOfRange),
    ])
    func aStrapsRateIsOneTo511(rate: Int, quality: Quality) throws {
        #expect(try self.quality(.heartRate, strap(rate)) == quality)
    }

    @Test(arguments: [
        (sfloat(0), Quality.ok), (sfloat(-1, -1), .outOfRange), (sfloat(100), .ok),
        (sfloat(1001, -1), .outOfRange),
    ])
    func thePulseAmplitudeIsZeroToAHundredPercent(word: UInt16, quality: Quality) throws {
        let octets = plxContinuous(amplitude: word)
        #expect(try self.quality(.plxContinuous, octets, at: 2) == quality)
    }

    @Test(arguments: [
        (999, -2, false, Quality.outOfRange), (1000, -2, false, .ok), (1, 1, false, .ok),
        (50, 0, false, .ok), (5000, -2, false, .ok), (5001, -2, false, .outOfRange),
        (4999, -2, true, .outOfRange), (50, 0, true, .ok), (122, 0, true, .ok),
        (1220, -1, true, .ok), (1221, -1, true, .outOfRange), (370, -1, true, .outOfRange),
        (1, 127, false, .outOfRange), (1, -128, true, .outOfRange),
    ])
    func aTemperatureIsTenToFiftyDegreesInItsOwnUnit(
        mantissa: Int, exponent: Int, fahrenheit: Bool, quality: Quality
    ) throws {
        let octets = thermometer(mantissa, exponent, fahrenheit: fahrenheit)
        #expect(try self.quality(.temperature, octets) == quality)
        #expect(try self.quality(.intermediateTemperature, octets) == quality)
    }

    @Test(arguments: [
        (UInt16(102), Quality.outOfRange), (103, .ok), (5120, .ok), (5121, .outOfRange),
        (0, .outOfRange), (65535, .outOfRange),
    ])
    func anIntervalIsAHundredMillisecondsToFiveSeconds(raw: UInt16, quality: Quality) throws {
        #expect(try self.quality(.heartRate, strap(intervals: [raw]), at: 1) == quality)
    }

    @Test func aBatteryHasZeroToAHundredPercent() throws {
        for level in UInt8.min...UInt8.max {
            let expected: Quality = level <= 100 ? .ok : .outOfRange
            #expect(try quality(.batteryLevel, [level]) == expected, "\(level)")
        }
    }

    @Test(arguments: SampleType.allCases)
    func everySFLOATIsInTheRangeThatItsNumberIsIn(type: SampleType) {
        let (lower, upper) = type.range
        for word in UInt16.min...UInt16.max {
            guard let number = MedicalFloat(sfloat: word).number else { continue }
            let isInside =
                number >= DecimalNumber(lower)
                && upper.map { number <= DecimalNumber($0) } ?? true
            if type.contains(number, in: type.defaultUnit) != isInside {
                Issue.record("\(word): \(number)")
            }
        }
    }

    @Test func aValueOutOfRangeKeepsItsDigits() throws {
        let sample = try samples(.plxContinuous, plxContinuous((sfloat(1001, -1), 60)))[0]
        #expect(sample.value?.description == "100.1")
        #expect(sample.absent == nil)
    }
}
