import Measurements
import Samples
import Testing

@Suite struct SampleTypeTests {
    @Test(arguments: [
        ("spo2", SampleType.oxygenSaturation), ("hr", .heartRate), ("pulseRate", .heartRate),
        ("pr", .heartRate), ("pulse", .heartRate), ("pi", .perfusionIndex),
        ("pulseAmplitudeIndex", .perfusionIndex), ("temp", .bodyTemperature),
        ("temperature", .bodyTemperature), ("rr", .heartRateInterval),
        ("battery", .batteryLevel), ("steps", .stepCount),
    ])
    func anAliasNamesItsTypeInAnyCase(alias: String, type: SampleType) {
        #expect(SampleType(named: alias) == type)
        #expect(SampleType(named: alias.uppercased()) == type)
    }

    @Test(arguments: SampleType.allCases)
    func anIdNamesItsTypeInAnyCase(type: SampleType) {
        #expect(SampleType(named: type.rawValue) == type)
        #expect(SampleType(named: type.rawValue.lowercased()) == type)
    }

    @Test(arguments: ["", "spo", "spo22", " spo2", "heart rate", "sp\u{0}o2", "2A5F"])
    func anyOtherNameNamesNothing(text: String) {
        #expect(SampleType(named: text) == nil)
    }

    @Test func noNameStandsForTwoTypes() {
        let names = SampleType.allCases.flatMap { [$0.rawValue] + $0.aliases }
        #expect(Set(names.map { $0.lowercased() }).count == names.count)
    }

    @Test func everyTypePrintsInTheUnitOfTheTable() {
        let units = SampleType.allCases.map { $0.units.map(\.rawValue) }
        #expect(
            units == [
                ["%", "fraction"], ["/min"], ["%"], ["Cel", "[degF]", "K"], ["ms", "s"], ["%"],
                ["{count}"],
            ])
    }

    @Test func codesAreThoseOfTheTable() {
        #expect(SampleType.oxygenSaturation.loinc == ["2708-6", "59408-5"])
        #expect(SampleType.heartRate.loinc == ["8867-4", "8889-8"])
        #expect(SampleType.perfusionIndex.loinc == ["61006-3"])
        #expect(SampleType.bodyTemperature.loinc == ["8310-5"])
        #expect(SampleType.stepCount.loinc == ["55423-8"])
        #expect(
            SampleType.allCases.map(\.mdc)
                == [150_456, 149_530, 150_448, 150_364, nil, nil, nil])
    }

    @Test(arguments: [
        (-10, false), (-9, true), (-8, true), (-1, true),
    ])
    func aFineNumberIsInRangeUpToNineDecimals(exponent: Int, isInside: Bool) {
        let number = DecimalNumber(
            mantissa: Int64(37 * power10(-exponent)), exponent: exponent)
        #expect(SampleType.bodyTemperature.contains(number, in: .celsius) == isInside)
    }

    @Test(arguments: [(0, true), (7, true), (8, false), (127, false)])
    func aCoarseNumberIsInRangeUpToTenMillions(exponent: Int, isInside: Bool) {
        let steps = DecimalNumber(mantissa: 1, exponent: exponent)
        let zero = DecimalNumber(mantissa: 0, exponent: exponent)
        #expect(SampleType.stepCount.contains(steps, in: .count) == isInside)
        #expect(SampleType.perfusionIndex.contains(zero, in: .percent) == isInside)
    }

    @Test func stepsHaveNoUpperEndButAreNeverNegative() {
        let many = DecimalNumber(mantissa: .max, exponent: 7)
        #expect(SampleType.stepCount.contains(many, in: .count))
        #expect(SampleType.stepCount.contains(DecimalNumber(0), in: .count))
        #expect(!SampleType.stepCount.contains(DecimalNumber(-1), in: .count))
    }
}
