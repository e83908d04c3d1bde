package import Measurements

/// A unit that samples are printed in, named by its UCUM code where it has one.
package enum SampleUnit: String, CaseIterable, Sendable {
    /// Percent, 0 to 100.
    case percent = "%"
    /// A share of one, 0 to 1.
    case fraction = "fraction"
    /// Beats per minute.
    case perMinute = "/min"
    /// Degrees Celsius.
    case celsius = "Cel"
    /// Degrees Fahrenheit.
    case fahrenheit = "[degF]"
    /// Kelvin.
    case kelvin = "K"
    /// Milliseconds.
    case milliseconds = "ms"
    /// Seconds.
    case seconds = "s"
    /// A number of things.
    case count = "{count}"

    /// Other spellings that a request may use.
    package var aliases: [String] {
        switch self {
        case .percent: ["percent"]
        case .fraction: ["1"]
        case .perMinute: ["count/min", "bpm"]
        case .celsius: ["degC", "C"]
        case .fahrenheit: ["degF", "F"]
        case .kelvin, .milliseconds, .seconds: []
        case .count: ["count"]
        }
    }

    /// The unit that a request names, by code or alias.
    package init?(named text: String) {
        let match = Self.allCases.first { $0.rawValue == text || $0.aliases.contains(text) }
        guard let match else { return nil }
        self = match
    }
}

extension SampleUnit {
    /// Converts a number from this unit into another one without binary floating point.
    ///
    /// Converted values carry one decimal more than the sensor's (Kelvin at least two), rounded half
    /// to even; moving the point (fraction, seconds) is exact.
    ///
    /// - Returns: nil if the units do not measure the same, or the exponent is outside -9 to 7.
    package func convert(_ number: DecimalNumber, to unit: SampleUnit) -> DecimalNumber? {
        if self == unit { return number }
        switch (self, unit) {
        case (.percent, .fraction): return number.movingPoint(left: 2)
        case (.milliseconds, .seconds): return number.movingPoint(left: 3)
        case (.celsius, .fahrenheit): return number.scaled(by: 9, over: 5, plus: 32)
        case (.celsius, .kelvin):
            return number.scaled(by: 1, over: 1, plus: Self.kelvinOffset, atLeast: 2)
        case (.fahrenheit, .celsius): return number.scaled(minus: 32, by: 5, over: 9)
        case (.fahrenheit, .kelvin):
            return number.scaled(minus: 32, by: 5, over: 9, plus: Self.kelvinOffset, atLeast: 2)
        case (.kelvin, .celsius):
            return number.scaled(by: 1, over: 1, plus: Self.absoluteZero.celsius, atLeast: 2)
        case (.kelvin, .fahrenheit):
            return number.scaled(by: 9, over: 5, plus: Self.absoluteZero.fahrenheit, atLeast: 2)
        default: return nil
        }
    }

    /// 0 °C in Kelvin.
    private static let kelvinOffset = DecimalNumber(mantissa: 27_315, exponent: -2)
    /// 0 K in the other units.
    private static let absoluteZero = (
        celsius: DecimalNumber(mantissa: -27_315, exponent: -2),
        fahrenheit: DecimalNumber(mantissa: -45_967, exponent: -2)
    )
}

extension DecimalNumber {
    /// (self - minus) x factor / divisor + plus, at one decimal more than self's, half to even.
    fileprivate func scaled(
        minus: Int = 0, by factor: Int, over divisor: Int,
        plus: DecimalNumber = DecimalNumber(0), atLeast leastDecimals: Int = 0
    ) -> DecimalNumber? {
        guard SampleType.exponents.contains(exponent) else { return nil }
        let places = max(decimals + 1, leastDecimals)
        let scale = power10(places)
        let units = Int128(mantissa) * power10(exponent + places) - Int128(minus) * scale
        let offset = Int128(plus.mantissa) * power10(places - plus.decimals)
        let sum = roundedHalfEven(units * Int128(factor), over: Int128(divisor)) + offset
        guard let mantissa = Int64(exactly: sum) else { return nil }
        return DecimalNumber(mantissa: mantissa, exponent: -places)
    }

    /// As above, adding a whole number.
    fileprivate func scaled(by factor: Int, over divisor: Int, plus: Int) -> DecimalNumber? {
        scaled(by: factor, over: divisor, plus: DecimalNumber(plus))
    }
}

extension DecimalNumber {
    /// The number with no more decimals than a sensor's can have, half to even.
    var withoutExcess: DecimalNumber {
        let least = SampleType.exponents.lowerBound
        guard exponent < least else { return self }
        let excess = min(least - exponent, 36)
        let rounded = roundedHalfEven(Int128(mantissa), over: power10(excess))
        return DecimalNumber(mantissa: Int64(rounded), exponent: least)
    }
}

/// The quotient of a positive divisor, rounded to the nearest whole number, halves to the even one.
package func roundedHalfEven(_ dividend: Int128, over divisor: Int128) -> Int128 {
    var (quotient, remainder) = dividend.quotientAndRemainder(dividingBy: divisor)
    if remainder < 0 {
        quotient -= 1
        remainder += divisor
    }
    let isAbove = remainder * 2 > divisor || (remainder * 2 == divisor && quotient % 2 != 0)
    return isAbove ? quotient + 1 : quotient
}
