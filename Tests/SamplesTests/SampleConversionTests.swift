import Foundation
import Measurements
import Samples
import Testing

/// Conversions against exact arithmetic, over the numbers that a FLOAT can hold.
@Suite struct SampleConversionTests {
    /// Mantissas at the ends and all over the 24 bits, and the exponents that count.
    private static let numbers: [DecimalNumber] = (-9...7).flatMap { exponent in
        let ends: [Int64] = [0, 1, -1, 5, 9, 320, 366, 983, 8_388_605, -8_388_606]
        let spread = stride(from: Int64(-8_388_000), through: 8_388_000, by: 16_769)
        return (ends + spread).map { DecimalNumber(mantissa: $0, exponent: exponent) }
    }

    /// The number in units of 10^-10, which is whole for every number above.
    private func tenths10(_ number: DecimalNumber) -> Int128 {
        (0..<(number.exponent + 10)).reduce(Int128(number.mantissa)) { product, _ in product * 10 }
    }

    private func decimals(of number: DecimalNumber) -> Int { max(0, -number.exponent) }

    /// Whether `result` is the nearest number to `ninths` / 9 units of 10^-10 with its decimals.
    private func isNearest(_ result: DecimalNumber, toNinths ninths: Int128) -> Bool {
        let step = tenths10(DecimalNumber(mantissa: 1, exponent: result.exponent))
        return 2 * abs(tenths10(result) * 9 - ninths) <= 9 * step
    }

    private func wrong(
        _ from: SampleUnit, _ to: SampleUnit, leastDecimals: Int = 0, _ ninths: (Int128) -> Int128
    ) -> [DecimalNumber] {
        Self.numbers.filter { number in
            guard let result = from.convert(number, to: to) else { return true }
            let places = max(decimals(of: number) + 1, leastDecimals)
            return result.exponent != -places
                || !isNearest(result, toNinths: ninths(tenths10(number)))
        }
    }

    private let degree: Int128 = 10_000_000_000

    @Test func fahrenheitIsTheNearestCelsiusWithOneDecimalMore() {
        #expect(wrong(.fahrenheit, .celsius) { ($0 - 32 * degree) * 5 } == [])
    }

    @Test func fahrenheitIsTheNearestKelvinWithTwoDecimalsAtLeast() {
        let zero = 27_315 * degree / 100
        #expect(
            wrong(.fahrenheit, .kelvin, leastDecimals: 2) { ($0 - 32 * degree) * 5 + 9 * zero }
                == [])
    }

    @Test func celsiusIsExactlyItsFahrenheit() {
        let wrong = Self.numbers.filter { number in
            SampleUnit.celsius.convert(number, to: .fahrenheit).map {
                tenths10($0) * 5 != tenths10(number) * 9 + 160 * degree
                    || $0.decimals != decimals(of: number) + 1
            } ?? true
        }
        #expect(wrong == [])
    }

    @Test func celsiusIsExactlyItsKelvin() {
        let wrong = Self.numbers.filter { number in
            SampleUnit.celsius.convert(number, to: .kelvin).map {
                tenths10($0) != tenths10(number) + 27_315 * degree / 100
                    || $0.decimals != max(2, decimals(of: number) + 1)
            } ?? true
        }
        #expect(wrong == [])
    }

    @Test func everySFLOATMovesItsPointForAFraction() {
        for word in UInt16.min...UInt16.max {
            guard let number = MedicalFloat(sfloat: word).number else { continue }
            let fraction = SampleUnit.percent.convert(number, to: .fraction)
            #expect(fraction?.mantissa == number.mantissa)
            #expect(fraction?.exponent == number.exponent - 2)
        }
    }

    @Test(arguments: [
        (5, 10, 0), (15, 10, 2), (25, 10, 2), (35, 10, 4), (-5, 10, 0), (-15, 10, -2),
        (-25, 10, -2), (4, 10, 0), (6, 10, 1), (-4, 10, 0), (-6, 10, -1), (1, 2, 0), (3, 2, 2),
        (0, 7, 0), (7, 7, 1),
    ])
    func aHalfGoesToTheEvenNeighbour(dividend: Int, divisor: Int, quotient: Int) {
        #expect(roundedHalfEven(Int128(dividend), over: Int128(divisor)) == Int128(quotient))
    }

    @Test func roundingAgreesWithDecimalOfFoundation() {
        for divisor in 1...12 {
            for dividend in -300...300 {
                var exact = Decimal(dividend) / Decimal(divisor)
                var rounded = Decimal()
                NSDecimalRound(&rounded, &exact, 0, .bankers)
                let ours = roundedHalfEven(Int128(dividend), over: Int128(divisor))
                #expect(Decimal(Int(ours)) == rounded, "\(dividend) over \(divisor)")
            }
        }
    }
}
