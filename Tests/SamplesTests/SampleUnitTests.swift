import Foundation
import Measurements
import Samples
import Testing

@Suite struct SampleUnitTests {
    @Test(arguments: [
        ("%", SampleUnit.percent), ("percent", .percent), ("fraction", .fraction),
        ("1", .fraction), ("/min", .perMinute), ("count/min", .perMinute), ("bpm", .perMinute),
        ("Cel", .celsius), ("degC", .celsius), ("C", .celsius), ("[degF]", .fahrenheit),
        ("degF", .fahrenheit), ("F", .fahrenheit), ("K", .kelvin), ("ms", .milliseconds),
        ("s", .seconds), ("{count}", .count), ("count", .count),
    ])
    func aCodeOrAliasNamesItsUnit(text: String, unit: SampleUnit) {
        #expect(SampleUnit(named: text) == unit)
    }

    @Test(arguments: ["", "c", "k", "MS", "celsius", "% ", "°C", "S"])
    func anyOtherTextNamesNoUnit(text: String) {
        #expect(SampleUnit(named: text) == nil)
    }

    @Test func noNameStandsForTwoUnits() {
        let names = SampleUnit.allCases.flatMap { [$0.rawValue] + $0.aliases }
        #expect(Set(names).count == names.count)
    }

    @Test(arguments: [
        ("98.3", SampleUnit.fahrenheit, SampleUnit.celsius, "36.83"),
        ("36.97", .celsius, .fahrenheit, "98.546"), ("37.0", .celsius, .kelvin, "310.15"),
        ("37", .celsius, .kelvin, "310.15"), ("37.00", .celsius, .kelvin, "310.150"),
        ("36.6", .celsius, .fahrenheit, "97.88"), ("37", .celsius, .fahrenheit, "98.6"),
        ("98.6", .fahrenheit, .celsius, "37.00"), ("98.6", .fahrenheit, .kelvin, "310.15"),
        ("100", .fahrenheit, .celsius, "37.8"), ("100", .fahrenheit, .kelvin, "310.93"),
        ("-40.0", .celsius, .fahrenheit, "-40.00"), ("-40.0", .fahrenheit, .celsius, "-40.00"),
        ("31.9", .fahrenheit, .celsius, "-0.06"), ("-459.67", .fahrenheit, .kelvin, "0.000"),
        ("97", .percent, .fraction, "0.97"), ("96.5", .percent, .fraction, "0.965"),
        ("100", .percent, .fraction, "1.00"), ("503.90625", .milliseconds, .seconds, "0.50390625"),
        ("1000", .milliseconds, .seconds, "1.000"),
    ])
    func aConversionPrints(text: String, from: SampleUnit, to: SampleUnit, result: String) throws {
        let number = try #require(DecimalNumber(text))
        #expect(from.convert(number, to: to)?.description == result)
    }

    @Test func aUnitKeepsItsOwnNumbersEvenFarOutOfRange() {
        let number = DecimalNumber(mantissa: -7_549_747, exponent: 63)
        for unit in SampleUnit.allCases {
            #expect(unit.convert(number, to: unit)?.exponent == 63)
        }
    }

    @Test func unitsOfDifferentKindsDoNotConvert() {
        let families: [Set<SampleUnit>] = [
            [.percent, .fraction], [.perMinute], [.celsius, .fahrenheit, .kelvin],
            [.milliseconds, .seconds], [.count],
        ]
        for from in SampleUnit.allCases {
            for to in SampleUnit.allCases
            where !families.contains(where: { $0.contains(from) && $0.contains(to) }) {
                #expect(from.convert(DecimalNumber(37), to: to) == nil, "\(from) to \(to)")
            }
        }
    }

    @Test(arguments: [-10, 8, 127, -128])
    func aTemperatureWithAnImpossibleExponentDoesNotConvert(exponent: Int) {
        let number = DecimalNumber(mantissa: 37, exponent: exponent)
        #expect(SampleUnit.celsius.convert(number, to: .fahrenheit) == nil)
        #expect(SampleUnit.fahrenheit.convert(number, to: .kelvin) == nil)
    }

    @Test func aNumberTooLongForSixtyFourBitsDoesNotConvert() {
        let number = DecimalNumber(mantissa: .max, exponent: 7)
        #expect(SampleUnit.celsius.convert(number, to: .fahrenheit) == nil)
    }
}
