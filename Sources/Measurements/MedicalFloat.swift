/// An IEEE 11073-20601 SFLOAT or FLOAT: a number, or the reason why there is none.
///
/// A word is special only as a whole, that is with exponent 0: `ff f7` is 204.7, `ff 07` is NaN.
///
/// Source: ISO/IEEE 11073-20601, Annex F.6 (FLOAT) and F.7 (SFLOAT).
package enum MedicalFloat: Hashable, Sendable {
    /// A number with the sensor's own digits.
    case finite(DecimalNumber)
    /// Not a number: the sensor has no valid result.
    case nan
    /// Not at this resolution.
    case nres
    /// Above the sensor's range.
    case positiveInfinity
    /// Below the sensor's range.
    case negativeInfinity
    /// The word reserved for future use.
    case reserved

    /// The number that a 16-bit SFLOAT word stands for.
    package init(sfloat word: UInt16) {
        self =
            switch word {
            case 0x07FF: .nan
            case 0x0800: .nres
            case 0x07FE: .positiveInfinity
            case 0x0802: .negativeInfinity
            case 0x0801: .reserved
            default: .finite(Self.decimal(sfloat: word))
            }
    }

    /// The number that a 32-bit FLOAT word stands for.
    package init(float word: UInt32) {
        self =
            switch word {
            case 0x007F_FFFF: .nan
            case 0x0080_0000: .nres
            case 0x007F_FFFE: .positiveInfinity
            case 0x0080_0002: .negativeInfinity
            case 0x0080_0001: .reserved
            default: .finite(Self.decimal(float: word))
            }
    }

    /// The number, or nil for a special value.
    package var number: DecimalNumber? {
        guard case .finite(let number) = self else { return nil }
        return number
    }

    /// The name of a special value, spelled as in 20601; nil for a number.
    package var specialName: String? {
        switch self {
        case .finite: nil
        case .nan: "NaN"
        case .nres: "NRes"
        case .positiveInfinity: "+INFINITY"
        case .negativeInfinity: "-INFINITY"
        case .reserved: "Reserved"
        }
    }

    /// Mantissa in the low 12 bits, exponent in the high 4, each two's complement.
    private static func decimal(sfloat word: UInt16) -> DecimalNumber {
        let signed = Int16(bitPattern: word)
        let mantissa = Int16(bitPattern: word << 4) >> 4
        return DecimalNumber(mantissa: Int64(mantissa), exponent: Int(signed >> 12))
    }

    /// Mantissa in the low 24 bits, exponent in the high 8, each two's complement.
    private static func decimal(float word: UInt32) -> DecimalNumber {
        let signed = Int32(bitPattern: word)
        let mantissa = Int32(bitPattern: word << 8) >> 8
        return DecimalNumber(mantissa: Int64(mantissa), exponent: Int(signed >> 24))
    }
}
