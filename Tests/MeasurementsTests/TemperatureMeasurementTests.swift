import Measurements
import Testing

@Suite struct TemperatureMeasurementTests {
    @Test func everyFieldIsReadInTheOrderOfTheStandard() throws {
        let value = try TemperatureMeasurement(
            decoding: octets("07 d10300ff ea070b1e072d09 09"))
        #expect(value.temperature.number?.description == "97.7")
        #expect(value.unit == .fahrenheit)
        #expect(value.timeStamp?.civilTime?.minute == 45)
        #expect(value.type?.name == "tympanum")
    }

    @Test func everyFlagsOctetNeedsItsLength() {
        for flags in UInt8.min...UInt8.max {
            let needed = 4 + (flags & 2 != 0 ? 7 : 0) + (flags & 4 != 0 ? 1 : 0)
            let whole = [flags] + [UInt8](repeating: 1, count: needed)
            let value = try? TemperatureMeasurement(decoding: whole + [0, 0])
            #expect(value?.trailing == 2 && value?.reservedFlags == flags & 0xF8)
            #expect(value?.unit == (flags & 1 == 0 ? .celsius : .fahrenheit))
            #expect((try? TemperatureMeasurement(decoding: whole.dropLast())) == nil)
        }
    }

    @Test func aSpecialTemperatureKeepsTheOtherFields() throws {
        let value = try TemperatureMeasurement(decoding: octets("04 ffff7f00 03"))
        #expect(value.temperature == .nan)
        #expect(value.type?.name == "ear")
    }
}

@Suite struct TemperatureTypeTests {
    @Test func onlyOneToNineHaveNames() {
        let named = (UInt8.min...UInt8.max).filter { TemperatureType(rawValue: $0).name != nil }
        #expect(named == Array(1...9))
        #expect(TemperatureType(rawValue: 5).name == "gastro_intestinal_tract")
    }

    @Test func octetsBehindItAreIgnored() throws {
        #expect(try TemperatureType(decoding: [2, 9]).rawValue == 2)
        #expect((try? TemperatureType(decoding: [])) == nil)
    }
}

@Suite struct MeasurementIntervalTests {
    @Test func zeroIsNotPeriodic() throws {
        #expect(try !MeasurementInterval(decoding: [0, 0]).isPeriodic)
        #expect(try MeasurementInterval(decoding: [0, 1]).isPeriodic)
        #expect(try MeasurementInterval(decoding: [0x3C, 0, 9]).seconds == 60)
    }

    @Test func theValidRangeHasTwoBounds() throws {
        let range = try ValidRange(decoding: octets("0500 100e ff"))
        #expect(range.minimum == 5 && range.maximum == 3600 && range.trailing == 1)
    }
}
