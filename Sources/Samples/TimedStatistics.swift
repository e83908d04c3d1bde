package import Measurements

/// What depends on how long each value stood; samples come in the order of time.
///
/// A value stands until the next sample of its kind, whether that one counts or not; if the next one
/// is more than `longestHold` away, nobody knows what was between, and it stands for nothing. What
/// reaches over the end of the interval is cut off there.
package struct TimedStatistics: Equatable, Sendable {
    /// The longest time that a value stands, in ms: after it a current value counts as stale.
    package static let longestHold: Int64 = 10_000

    private let interval: DateInterval
    private let limits: [DecimalNumber]
    /// The sum of value times ms, in units of the power of ten.
    private var weighted: Int128 = 0
    private var exponent = 0
    private var below: [Int64]
    /// The least numbers of units that are not below the limits.
    private var thresholds: [Int128]
    private var pending: (value: DecimalNumber, time: Int64)?
    /// The value that stood last, and for how long: long runs of one value are summed up at once.
    private var run: (value: DecimalNumber, length: Int64)?
    /// How long some value stood, in ms.
    package private(set) var covered: Int64 = 0

    /// Statistics of an interval, with the limits that `below` will be asked for.
    package init(_ interval: DateInterval, limits: [DecimalNumber] = []) {
        self.interval = interval
        self.limits = limits
        below = limits.map { _ in 0 }
        thresholds = limits.map { $0.units(of: 0) }
    }

    /// Takes the next sample in; nil is one whose value does not count.
    package mutating func add(_ value: DecimalNumber?, at time: Int64) {
        proceed(to: time)
        pending = value.map { ($0, time) }
    }

    /// Notes that the next sample stands at a time, perhaps behind the interval.
    package mutating func proceed(to time: Int64) {
        guard let (value, start) = pending else { return }
        pending = nil
        guard time - start <= Self.longestHold else { return }
        let length = min(time, interval.end.milliseconds) - start
        guard length > 0 else { return }
        covered += length
        if let run, run.value.isWritten(like: value) {
            self.run?.length += length
        } else {
            endRun()
            run = (value, length)
        }
    }

    /// Sums up what stood last.
    private mutating func endRun() {
        guard let (value, length) = run else { return }
        run = nil
        if value.exponent < exponent { refine(to: value.exponent) }
        let units = value.units(of: exponent)
        for place in thresholds.indices where units < thresholds[place] { below[place] += length }
        weighted += units * Int128(length)
    }

    /// The same with everything summed up.
    private var summed: TimedStatistics {
        var summed = self
        summed.endRun()
        return summed
    }

    private mutating func refine(to finer: Int) {
        weighted *= power10(exponent - finer)
        exponent = finer
        thresholds = limits.map { $0.units(of: finer) }
    }

    /// How long the value was below one of the limits, in ms.
    package func time(below limit: DecimalNumber) -> Int64? {
        limits.firstIndex(of: limit).map { summed.below[$0] }
    }

    /// The mean of the values, each weighted with its time, with two decimals more; half to even.
    package var average: DecimalNumber? {
        let (weighted, exponent) = (summed.weighted, summed.exponent)
        guard covered > 0,
            let mantissa = Int64(exactly: roundedHalfEven(weighted * 100, over: Int128(covered)))
        else { return nil }
        return DecimalNumber(mantissa: mantissa, exponent: exponent - 2)
    }

    /// How much of the interval some value stood, in percent with two decimals; half to even.
    package var coverage: DecimalNumber? {
        let length = interval.end.milliseconds - interval.start.milliseconds
        guard length > 0 else { return nil }
        let mantissa = roundedHalfEven(Int128(covered) * 10_000, over: Int128(length))
        return DecimalNumber(mantissa: Int64(mantissa), exponent: -2)
    }

    /// The answer to a question that asks for time; nil where there is none.
    package func answer(to function: StatisticFunction) -> DecimalNumber? {
        switch function {
        case .timeBelow(let limit):
            time(below: limit).map { DecimalNumber(mantissa: $0, exponent: -3) }
        case .timeWeightedAverage: average
        case .coverage: coverage
        case .count, .min, .max, .average, .median, .percentile, .first, .last, .sum, .below: nil
        }
    }

    package static func == (left: TimedStatistics, right: TimedStatistics) -> Bool {
        left.covered == right.covered && left.summed.below == right.summed.below
            && left.average == right.average && left.interval == right.interval
    }
}

extension DecimalNumber {
    /// The number in units of a power of ten not above 0, rounded up; a value has at most 10 decimals.
    fileprivate func units(of power: Int) -> Int128 {
        if exponent == power { return Int128(mantissa) }
        if exponent > power { return Int128(mantissa) * power10(min(exponent - power, 18)) }
        let divisor = power10(min(power - exponent, 38))
        let (quotient, remainder) = Int128(mantissa).quotientAndRemainder(dividingBy: divisor)
        return remainder > 0 ? quotient + 1 : quotient
    }
}
