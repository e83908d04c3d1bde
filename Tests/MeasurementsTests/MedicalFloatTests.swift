import Testing

import Measurements

@Suite struct MedicalFloatTests {
    @Test func every16BitWordAgreesWithAFormulaOfItsOwn() {
        let special: [Int: MedicalFloat] = [
            0x07FF: .nan, 0x0800: .nres, 0x07FE: .positiveInfinity, 0x0802: .negativeInfinity,
            0x0801: .reserved,
        ]
        for word in 0...65_535 {
            let number = MedicalFloat(sfloat: UInt16(word))
            let (power, digits) = word.quotientAndRemainder(dividingBy: 4096)
            let mantissa = digits > 2047 ? digits - 4096 : digits
            let exponent = power > 7 ? power - 16 : power
            if let special = special[word] {
                #expect(number == special)
            } else if number.number?.description != plainDigits(mantissa, exponent) {
                Issue.record("\(word) is \(number)")
            }
        }
    }

    @Test func random32BitWordsAgreeWithAFormulaOfTheirOwn() {
        var generator = SeededGenerator(seed: 1)
        for _ in 0..<50_000 {
            let word = Int(UInt32(truncatingIfNeeded: generator.next()))
            let (power, digits) = word.quotientAndRemainder(dividingBy: 1 << 24)
            let mantissa = digits >= 1 << 23 ? digits - 1 << 24 : digits
            let exponent = power > 127 ? power - 256 : power
            let number = MedicalFloat(float: UInt32(word)).number
            guard exponent != 0 || abs(mantissa) < 8_388_606 else { continue }
            if number?.description != plainDigits(mantissa, exponent) {
                Issue.record("\(word) is \(String(describing: number))")
            }
        }
    }

    @Test(
        arguments: [
            (0x007F_FFFF, MedicalFloat.nan), (0x0080_0000, .nres), (0x007F_FFFE, .positiveInfinity),
            (0x0080_0002, .negativeInfinity), (0x0080_0001, .reserved),
        ] as [(UInt32, MedicalFloat)])
    func aSpecialWordIsNoNumber(word: UInt32, special: MedicalFloat) {
        #expect(MedicalFloat(float: word) == special)
        #expect(MedicalFloat(float: word).number == nil)
    }

    @Test func aSpecialMantissaWithAnotherExponentIsANumber() {
        for mantissa in [0x7FFFFF, 0x800000, 0x7FFFFE, 0x800002, 0x800001] {
            for exponent in 1...255 {
                let word = UInt32(exponent << 24 | mantissa)
                #expect(MedicalFloat(float: word).number != nil)
            }
        }
        #expect(MedicalFloat(sfloat: 0xF7FF).number?.description == "204.7")
    }

    @Test func aNumberKeepsTheSensorsDigits() {
        #expect(MedicalFloat(float: 0xFF00_016C).number?.description == "36.4")
        #expect(MedicalFloat(float: 0xFE00_0E38).number?.description == "36.40")
        #expect(MedicalFloat(float: 0xFE00_0E38) == MedicalFloat(float: 0xFF00_016C))
    }
}

/// A number in plain digits, put together as text.
private func plainDigits(_ mantissa: Int, _ exponent: Int) -> String {
    guard exponent < 0 else {
        return mantissa == 0 ? "0" : "\(mantissa)" + String(repeating: "0", count: exponent)
    }
    let digits = "\(abs(mantissa))"
    let padding = String(repeating: "0", count: max(0, 1 - exponent - digits.count))
    let all = padding + digits
    return (mantissa < 0 ? "-" : "") + all.dropLast(-exponent) + "." + all.suffix(-exponent)
}
