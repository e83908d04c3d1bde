package import Measurements

/// Where a sample stands among all: by its start, then by its reading, then by its place in that.
package struct SamplePlace: Comparable, Hashable, Sendable {
    /// When the measurement began, in ms since 1970.
    package let time: Int64
    /// The reading's number in commit order.
    package let seq: Int64
    /// The sample's place in its packet.
    package let index: Int

    /// A place with the given parts.
    package init(time: Int64, seq: Int64, index: Int) {
        (self.time, self.seq, self.index) = (time, seq, index)
    }

    package static func < (left: SamplePlace, right: SamplePlace) -> Bool {
        (left.time, left.seq, left.index) < (right.time, right.seq, right.index)
    }
}

/// What can be said of the values of many samples without knowing their order: all of it is exact.
///
/// Numbers are whole multiples of one power of ten, the finest among the samples; so are those that
/// come out. Of two sets of samples the statistics of both together are their sum.
package struct Statistics: Equatable, Sendable {
    /// A value and where it stands.
    package struct Placed: Equatable, Sendable {
        /// Where the sample stands.
        package let place: SamplePlace
        /// The value, in units of the power of ten.
        package var mantissa: Int64

        /// A value at a place.
        package init(_ place: SamplePlace, _ mantissa: Int64) {
            (self.place, self.mantissa) = (place, mantissa)
        }
    }

    /// How many values there are.
    package private(set) var count = 0
    /// How many samples were left out because of their quality.
    package private(set) var excluded = 0
    /// The power of ten that all values are multiples of; never above 0.
    package private(set) var exponent = 0
    /// The sum of all values.
    package private(set) var sum: Int128 = 0
    /// The least value.
    package private(set) var least: Int64 = .max
    /// The greatest value.
    package private(set) var greatest: Int64 = .min
    /// The value that stands first; nil if there is none.
    package private(set) var first: Placed?
    /// The value that stands last; nil if there is none.
    package private(set) var last: Placed?
    /// How often each value came; nil where that was not kept.
    package private(set) var histogram: Histogram?

    /// No samples; where `keepsHistogram` says so, values are not told apart.
    package init(keepsHistogram: Bool = true) {
        histogram = keepsHistogram ? Histogram() : nil
    }

    /// Statistics that were kept somewhere; nil if they contradict themselves.
    package init?(
        count: Int, excluded: Int, exponent: Int, sum: Int128, least: Int64, greatest: Int64,
        first: Placed, last: Placed, histogram: Histogram?
    ) {
        guard count > 0, excluded >= 0, Self.exponents.contains(exponent), least <= greatest,
            least...greatest ~= first.mantissa, least...greatest ~= last.mantissa,
            first.place <= last.place, Self.isInRange(least, exponent),
            Self.isInRange(greatest, exponent),
            histogram.map({ $0.count == count && $0.isInside(least...greatest) }) ?? true
        else { return nil }
        (self.count, self.excluded, self.exponent, self.sum) = (count, excluded, exponent, sum)
        (self.least, self.greatest, self.first, self.last) = (least, greatest, first, last)
        self.histogram = histogram
    }

    /// Statistics of samples that all were left out.
    package init(excluded: Int, keepsHistogram: Bool) {
        self.init(keepsHistogram: keepsHistogram)
        self.excluded = excluded
    }

    /// The powers of ten of values: a sensor's, and one finer for those that were converted.
    package static let exponents = SampleType.exponents.lowerBound - 1...0

    /// Counts a value that stands somewhere, or stands there for some that are the same.
    ///
    /// - Returns: False where the value is too great to be counted; nothing is changed then.
    @discardableResult
    package mutating func add(
        _ value: DecimalNumber, at place: SamplePlace, times: Int = 1
    ) -> Bool {
        guard let fit = fitting(value) else { return false }
        if fit.exponent != exponent { refine(to: fit.exponent) }
        let placed = Placed(place, fit.mantissa)
        count += times
        sum += Int128(fit.mantissa) * Int128(times)
        (least, greatest) = (Swift.min(least, fit.mantissa), Swift.max(greatest, fit.mantissa))
        if first.map({ place < $0.place }) ?? true { first = placed }
        if last.map({ place > $0.place }) ?? true { last = placed }
        histogram?.add(fit.mantissa, times: times)
        dropWideHistogram()
        return true
    }

    /// Counts samples that their quality leaves out.
    package mutating func exclude(_ times: Int = 1) { excluded += times }

    /// Adds the statistics of other samples.
    package mutating func add(_ other: Statistics) {
        excluded += other.excluded
        guard other.count > 0 else { return }
        if other.exponent < exponent { refine(to: other.exponent) }
        var other = other
        if exponent < other.exponent { other.refine(to: exponent) }
        count += other.count
        sum += other.sum
        (least, greatest) = (Swift.min(least, other.least), Swift.max(greatest, other.greatest))
        if let other = other.first, first.map({ other.place < $0.place }) ?? true { first = other }
        if let other = other.last, last.map({ other.place >= $0.place }) ?? true { last = other }
        add(other.histogram)
    }

    private mutating func add(_ other: Histogram?) {
        guard let other else { return histogram = nil }
        histogram?.add(other)
        dropWideHistogram()
    }

    private mutating func dropWideHistogram() {
        if let histogram, histogram.distinct > Histogram.distinctLimit { self.histogram = nil }
    }

    /// The value at the finer of its own power of ten and the present one.
    private func fitting(_ value: DecimalNumber) -> (mantissa: Int64, exponent: Int)? {
        if value.exponent == exponent, value.mantissa.magnitude < Self.surelyInRange {
            return (value.mantissa, exponent)
        }
        let finest = Swift.min(value.exponent, exponent)
        guard Self.exponents.contains(finest), value.exponent - finest <= 18,
            let mantissa = Int64(
                exactly: Int128(value.mantissa) * power10(value.exponent - finest)),
            Self.isInRange(mantissa, finest)
        else { return nil }
        return (mantissa, finest)
    }

    /// In units of any power of ten; asked for first, since nearly all values are.
    private static let surelyInRange: UInt64 = 10_000_000

    /// Whether a value is small enough to be counted: it fits at the finest power of ten too.
    private static func isInRange(_ mantissa: Int64, _ exponent: Int) -> Bool {
        Int128(mantissa).magnitude < power10(7 - exponent).magnitude
    }

    private mutating func refine(to finer: Int) {
        let factor = Int64(power10(exponent - finer))
        exponent = finer
        guard count > 0 else { return }
        sum *= Int128(factor)
        (least, greatest) = (least * factor, greatest * factor)
        first?.mantissa *= factor
        last?.mantissa *= factor
        histogram?.scale(by: factor)
    }
}

// What comes out.
extension Statistics {
    /// The least value.
    package var min: DecimalNumber? { count > 0 ? number(least) : nil }
    /// The greatest value.
    package var max: DecimalNumber? { count > 0 ? number(greatest) : nil }
    /// The sum of all values; nil if it has more than 18 digits.
    package var total: DecimalNumber? { Int64(exactly: sum).map(number) }

    /// The sum over the number, with two decimals more, half to even.
    package var average: DecimalNumber? {
        guard count > 0,
            let mantissa = Int64(exactly: roundedHalfEven(sum * 100, over: Int128(count)))
        else { return nil }
        return DecimalNumber(mantissa: mantissa, exponent: exponent - 2)
    }

    /// The mean of the middle two values, with one decimal more; it is exact.
    ///
    /// - Returns: nil if there are no values, or too many different ones.
    package var median: DecimalNumber? {
        guard count > 0, let low = histogram?.number(at: (count - 1) / 2),
            let high = histogram?.number(at: count / 2)
        else { return nil }
        return DecimalNumber(mantissa: (low + high) * 5, exponent: exponent - 1)
    }

    /// The least value that `percent` of 100 values do not exceed (nearest rank), 0 to 100.
    ///
    /// - Returns: nil if there are no values, or too many different ones.
    package func percentile(_ percent: Int) -> DecimalNumber? {
        guard count > 0 else { return nil }
        let rank = Swift.max((percent * count + 99) / 100, 1)
        return histogram?.number(at: rank - 1).map(number)
    }

    /// How many values are below a limit; nil if there are too many different ones.
    package func count(below limit: DecimalNumber) -> Int? {
        guard count > 0 else { return 0 }
        return histogram?.count(where: { number($0) < limit })
    }

    /// A number of the common power of ten.
    package func number(_ mantissa: Int64) -> DecimalNumber {
        DecimalNumber(mantissa: mantissa, exponent: exponent)
    }
}
