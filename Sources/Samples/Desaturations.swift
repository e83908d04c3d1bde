package import Measurements

/// Finds desaturations in the oxygen saturation of one person, sample by sample in order of time.
///
/// ```
/// calm --at least `drop` below the highest of the last 120 s--> fallen
/// fallen --within 1 point of that highest again--> calm
/// fallen --120 s later--> calm (the present value is the highest)
/// either --no value for more than 10 s--> calm (nothing is known of before)
/// ```
///
/// A fall that took 10 s or more until it was over is a desaturation. It is a count, no diagnosis.
package struct Desaturations: Equatable, Sendable {
    private enum State: Equatable {
        case calm
        case fallen(from: Int64, since: Int64, last: Int64)
    }

    /// How far the value must fall, in points of a percent.
    package let drop: Int
    /// Desaturations so far.
    package private(set) var count = 0
    private var state = State.calm
    /// Values of the last 120 s that no later one reaches, the greatest first.
    private var highest: [Peak] = []
    /// The value that stands now, and when it came last.
    private var newest: Peak?
    private var last: Int64?

    private struct Peak: Equatable {
        let value: Int64
        var time: Int64
    }

    /// How long a value counts as what the person comes from, in ms.
    package static let window: Int64 = 120_000
    /// The shortest fall that counts, in ms.
    package static let shortest: Int64 = 10_000
    /// How near the value must come again, in points.
    package static let recovery = 1

    /// Nothing found yet; falls of `drop` points count.
    package init(drop: Int) {
        self.drop = drop
    }

    /// The rule in one sentence, for answers.
    package static let rule =
        "a fall is at least 3 or 4 points below the highest value of the 120 s before, and takes "
        + "10 s or more until the value is within 1 point of that again or 120 s are over"

    /// Takes the next value in; nil is a sample whose value does not count.
    package mutating func add(_ value: DecimalNumber?, at time: Int64) {
        add(billionths: value.flatMap(Self.billionths), at: time)
    }

    /// Takes the next value in, in 10^-9 points.
    mutating func add(billionths points: Int64?, at time: Int64) {
        if let last, time - last > TimedStatistics.longestHold { interrupt() }
        guard let points else { return }
        switch state {
        case .calm: remain(points, time)
        case .fallen(let from, let since, _): follow(points, time, from, since)
        }
        last = time
    }

    /// Ends what is open behind the last sample.
    package mutating func finish() { interrupt() }

    private mutating func remain(_ value: Int64, _ time: Int64) {
        while let peak = highest.first, time - peak.time > Self.window { highest.removeFirst() }
        guard newest?.value != value else {
            newest?.time = time  // as far below the highest as before, or less
            return
        }
        if let newest { highest.append(newest) }
        while let peak = highest.last, peak.value <= value { highest.removeLast() }
        while let peak = highest.first, time - peak.time > Self.window { highest.removeFirst() }
        newest = Peak(value: value, time: time)
        guard let from = highest.first?.value, from - value >= Int64(drop) * Self.point else {
            return
        }
        state = .fallen(from: from, since: time, last: time)
    }

    private mutating func follow(
        _ value: Int64, _ time: Int64, _ from: Int64, _ since: Int64
    ) {
        let isBack = from - value <= Int64(Self.recovery) * Self.point
        guard isBack || time - since >= Self.window else {
            state = .fallen(from: from, since: since, last: time)
            return
        }
        end(since, time)
        highest = []
        newest = Peak(value: value, time: time)
    }

    private mutating func interrupt() {
        if case .fallen(_, let since, let last) = state { end(since, last) }
        highest = []
        newest = nil
        last = nil
    }

    private mutating func end(_ since: Int64, _ time: Int64) {
        if time - since >= Self.shortest { count += 1 }
        state = .calm
    }

    /// Desaturations for each hour of `milliseconds`, with two decimals; half to even.
    package func index(over milliseconds: Int64) -> DecimalNumber? {
        guard milliseconds > 0 else { return nil }
        let hundredths = roundedHalfEven(
            Int128(count) * 360_000_000, over: Int128(milliseconds))
        return DecimalNumber(mantissa: Int64(hundredths), exponent: -2)
    }

    private static let point: Int64 = 1_000_000_000

    /// A percentage in 10^-9 points; nil if it is finer, or none.
    static func billionths(_ value: DecimalNumber) -> Int64? {
        if value.exponent == 0, value.mantissa.magnitude < 1000 { return value.mantissa * point }
        guard SampleType.exponents.contains(value.exponent) else { return nil }
        return Int64(exactly: Int128(value.mantissa) * power10(value.exponent + 9))
    }
}
