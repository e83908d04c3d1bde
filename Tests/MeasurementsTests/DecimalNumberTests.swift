import Foundation
import Testing

import Measurements

@Suite struct DecimalNumberTests {
    @Test func numbersAreEqualWhateverTheirScale() {
        let numbers = ["97", "97.0", "97.00"].compactMap { DecimalNumber($0) }
        #expect(numbers.count == 3)
        #expect(Set(numbers).count == 1)
        #expect(numbers.map(\.description) == ["97", "97.0", "97.00"])
        #expect(DecimalNumber(mantissa: 97, exponent: 2) == DecimalNumber(9700))
    }

    @Test func zeroIsZeroAtEveryScale() {
        for exponent in -128...127 {
            let zero = DecimalNumber(mantissa: 0, exponent: exponent)
            #expect(zero == DecimalNumber(0))
            #expect(!(zero < DecimalNumber(0)) && !(DecimalNumber(0) < zero))
        }
    }

    @Test func orderAndEqualityAgreeWithFoundation() {
        var generator = SeededGenerator(seed: 2)
        for _ in 0..<20_000 {
            let (left, right) = (sample(&generator), sample(&generator))
            let (first, second) = (foundation(left), foundation(right))
            if (left < right) != (first < second) || (left == right) != (first == second) {
                Issue.record("\(left) and \(right)")
            }
        }
    }

    @Test func sizesFarApartCompareRight() {
        let ascending = [
            DecimalNumber(mantissa: -8_388_608, exponent: 127), DecimalNumber(-1),
            DecimalNumber(mantissa: -1, exponent: -128), DecimalNumber(0),
            DecimalNumber(mantissa: 1, exponent: -128), DecimalNumber(mantissa: 1, exponent: -127),
            DecimalNumber(1), DecimalNumber(mantissa: 8_388_607, exponent: 127),
        ]
        #expect(ascending.shuffled().sorted() == ascending)
    }

    @Test func theLargestMantissasCompareRight() {
        let large = DecimalNumber(mantissa: .max, exponent: 0)
        #expect(large < DecimalNumber(mantissa: .max, exponent: 1))
        #expect(DecimalNumber(mantissa: .max - 1, exponent: 0) < large)
        #expect(DecimalNumber(mantissa: .min, exponent: 0) < large)
        #expect(DecimalNumber(mantissa: 9, exponent: 18) < large)
        #expect(large < DecimalNumber(mantissa: 1, exponent: 19))
    }

    @Test(arguments: [
        (0, 0, "0"), (0, -1, "0.0"), (0, 7, "0"), (364, -1, "36.4"), (-364, -2, "-3.64"),
        (5, -1, "0.5"), (-5, -3, "-0.005"), (36, 2, "3600"), (-1, 7, "-10000000"),
        (100, -2, "1.00"), (7, -8, "0.00000007"),
    ])
    func descriptionHasPlainDigits(mantissa: Int, exponent: Int, text: String) {
        let number = DecimalNumber(mantissa: Int64(mantissa), exponent: exponent)
        #expect(number.description == text)
    }

    @Test func theSmallestMantissaHasADescription() {
        #expect(DecimalNumber(mantissa: .min, exponent: 0).description == "-9223372036854775808")
    }

    @Test func plainDigitsRoundTrip() {
        for text in ["0", "-0.5", "36.60", "90", "0.00000001", "123456789012345678"] {
            #expect(DecimalNumber(text)?.description == text)
        }
    }

    @Test(arguments: [
        "", "-", ".", "1.", ".5", "1.2.3", "+1", "1e3", " 1", "--1", "1234567890123456789", "١",
    ])
    func otherTextIsNoNumber(text: String) {
        #expect(DecimalNumber(text) == nil)
    }

    @Test func movingThePointKeepsTheDigits() {
        let number = DecimalNumber(mantissa: 986, exponent: 0).movingPoint(left: 1)
        #expect(number.description == "98.6")
        #expect(number.decimals == 1)
    }

    private func sample(_ generator: inout SeededGenerator) -> DecimalNumber {
        let width = Int64(pow(10, Double(Int.random(in: 0...9, using: &generator))))
        return DecimalNumber(
            mantissa: Int64.random(in: -width...width, using: &generator),
            exponent: Int.random(in: -8...8, using: &generator))
    }

    private func foundation(_ number: DecimalNumber) -> Decimal {
        let sign: FloatingPointSign = number.mantissa < 0 ? .minus : .plus
        return Decimal(
            sign: sign, exponent: number.exponent, significand: Decimal(abs(number.mantissa)))
    }
}
