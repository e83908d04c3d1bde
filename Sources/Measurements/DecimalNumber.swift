/// A number as a sensor sends it: a whole mantissa times a power of ten.
///
/// 97, 97.0 and 97.00 print differently, because the exponent says how fine the sensor measures, and
/// compare equal. No binary floating point takes part anywhere.
package struct DecimalNumber: Sendable {
    /// The digits, as a whole number with sign.
    package let mantissa: Int64
    /// The power of ten that the mantissa is multiplied by.
    package let exponent: Int

    /// A number of these digits and this power of ten.
    package init(mantissa: Int64, exponent: Int) {
        self.mantissa = mantissa
        self.exponent = exponent
    }

    /// A whole number.
    package init(_ whole: Int) {
        self.init(mantissa: Int64(whole), exponent: 0)
    }

    /// The number of digits behind the decimal point; 0 for whole numbers.
    package var decimals: Int { exponent < 0 ? -exponent : 0 }

    /// Whether another number has the same digits and decimals: 97 and 97.0 are equal, but not this.
    package func isWritten(like other: DecimalNumber) -> Bool {
        mantissa == other.mantissa && exponent == other.exponent
    }

    /// The same digits with the point moved left by `places`.
    package func movingPoint(left places: Int) -> DecimalNumber {
        DecimalNumber(mantissa: mantissa, exponent: exponent - places)
    }

    /// The same number without trailing zeros in its mantissa; zero has exponent 0.
    package var normalized: DecimalNumber {
        guard mantissa != 0 else { return DecimalNumber(0) }
        var digits = mantissa
        var power = exponent
        while digits % 10 == 0 {
            digits /= 10
            power += 1
        }
        return DecimalNumber(mantissa: digits, exponent: power)
    }
}

extension DecimalNumber: Comparable {
    package static func == (left: DecimalNumber, right: DecimalNumber) -> Bool {
        let left = left.normalized
        let right = right.normalized
        return left.mantissa == right.mantissa && left.exponent == right.exponent
    }

    package static func < (left: DecimalNumber, right: DecimalNumber) -> Bool {
        if left.exponent == right.exponent { return left.mantissa < right.mantissa }
        if abs(left.exponent - right.exponent) <= 18 { return left.isBelow(right) }
        let left = left.normalized
        let right = right.normalized
        if left.mantissa.signum() != right.mantissa.signum() {
            return left.mantissa.signum() < right.mantissa.signum()
        }
        let sizes = (left.magnitudePower, right.magnitudePower)
        if sizes.0 != sizes.1 { return (sizes.0 < sizes.1) == (left.mantissa > 0) }
        return left.isBelow(right)
    }

    /// The power of ten above the first digit: equal for numbers of the same size.
    private var magnitudePower: Int {
        var power = exponent
        var rest = mantissa.magnitude
        while rest > 0 {
            rest /= 10
            power += 1
        }
        return power
    }

    /// Compares as whole numbers: 19 digits widened by at most 19 more fit in 128 bits.
    private func isBelow(_ other: DecimalNumber) -> Bool {
        let common = min(exponent, other.exponent)
        if let left = widened(to: common), let right = other.widened(to: common) {
            return left < right
        }
        return Int128(mantissa) * power10(exponent - common)
            < Int128(other.mantissa) * power10(other.exponent - common)
    }
}

extension DecimalNumber {
    /// The mantissa at a smaller exponent; nil if it does not fit, as no sensor's number does.
    private func widened(to smaller: Int) -> Int64? {
        var result = mantissa
        var power = exponent
        while power > smaller {
            let (product, overflow) = result.multipliedReportingOverflow(by: 10)
            guard !overflow else { return nil }
            result = product
            power -= 1
        }
        return result
    }
}

extension DecimalNumber: Hashable {
    package func hash(into hasher: inout Hasher) {
        let same = normalized
        hasher.combine(same.mantissa)
        hasher.combine(same.exponent)
    }
}

extension DecimalNumber: CustomStringConvertible {
    /// The number in plain digits, never with an exponent: `36.40`, `-0.00000001`, `3640`.
    package var description: String {
        var text: [UInt8] = []
        append(to: &text)
        return String(decoding: text, as: UTF8.self)
    }

    /// Appends the plain digits, as ASCII.
    package func append(to text: inout [UInt8]) {
        if mantissa < 0 { text.append(UInt8(ascii: "-")) }
        let first = text.count
        appendDigits(of: mantissa.magnitude, to: &text)
        guard exponent < 0 else {
            if mantissa != 0 { text.append(contentsOf: repeatElement(zero, count: exponent)) }
            return
        }
        let missing = 1 - exponent - (text.count - first)
        if missing > 0 { text.insert(contentsOf: repeatElement(zero, count: missing), at: first) }
        text.insert(UInt8(ascii: "."), at: text.count + exponent)
    }
}

extension DecimalNumber {
    /// A number written in plain digits, such as `90`, `-0.5` or `36.60`.
    ///
    /// - Returns: nil for anything else, also for more than 18 digits.
    package init?(_ text: some StringProtocol) {
        var digits = text.utf8[...]
        let negative = digits.first == UInt8(ascii: "-")
        if negative { digits = digits.dropFirst() }
        let parts = digits.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count <= 2, parts.allSatisfy({ !$0.isEmpty }) else { return nil }
        var magnitude: Int64 = 0
        var count = 0
        for digit in parts.joined() {
            guard (zero...zero + 9).contains(digit), count < 18 else { return nil }
            magnitude = magnitude * 10 + Int64(digit - zero)
            count += 1
        }
        let decimals = parts.count == 2 ? parts[1].count : 0
        self.init(mantissa: negative ? -magnitude : magnitude, exponent: -decimals)
    }
}

extension DecimalNumber {
    /// A number written in plain digits, of which those count that are no zeros in front or, of a whole
    /// number, behind: so every number that a sensor can send is read back from its text.
    ///
    /// - Returns: nil for anything else, also for more than 18 digits that count.
    package init?(significant text: some StringProtocol) {
        if let number = DecimalNumber(text) {
            self = number
            return
        }
        let isNegative = text.utf8.first == UInt8(ascii: "-")
        let digits = isNegative ? text.utf8.dropFirst() : text.utf8[...]
        let parts = digits.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard let whole = parts.first, parts.count <= 2, parts.allSatisfy({ !$0.isEmpty }) else {
            return nil
        }
        let zeros = parts.count == 1 ? whole.reversed().prefix { $0 == zero }.count : 0
        let counting = (Array(parts.joined()).dropLast(zeros)).drop { $0 == zero }
        guard let number = DecimalNumber(String(decoding: counting, as: UTF8.self)),
            number.exponent == 0
        else { return nil }
        self.init(
            mantissa: isNegative ? -number.mantissa : number.mantissa,
            exponent: parts.count == 2 ? -parts[1].count : zeros)
    }
}

private let zero = UInt8(ascii: "0")

/// Appends a whole number in decimal.
package func appendDigits(of number: Int64, to text: inout [UInt8]) {
    if number < 0 { text.append(UInt8(ascii: "-")) }
    appendDigits(of: number.magnitude, to: &text)
}

private func appendDigits(of magnitude: UInt64, to text: inout [UInt8]) {
    var rest = magnitude
    let first = text.count
    repeat {
        text.append(zero + UInt8(truncatingIfNeeded: rest % 10))
        rest /= 10
    } while rest > 0
    var (low, high) = (first, text.count - 1)
    while low < high {
        text.swapAt(low, high)  // reversing a slice of the array would copy it
        (low, high) = (low + 1, high - 1)
    }
}

/// Ten to the power of `exponent`, 0 to 38.
package func power10(_ exponent: Int) -> Int128 { powersOf10[exponent] }

private let powersOf10: [Int128] = (0..<38).reduce(into: [1]) { powers, _ in
    powers.append(powers[powers.count - 1] * 10)
}
