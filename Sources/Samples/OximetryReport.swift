package import Measurements

/// What an oximeter's values of an interval come to: desaturations per hour, and time at low values.
///
/// The denominator is the time for which there were valid values, not the length of the interval.
package struct OximetryReport: Sendable {
    /// Falls of 3 points and more.
    package private(set) var falls3 = Desaturations(drop: 3)
    /// Falls of 4 points and more.
    package private(set) var falls4 = Desaturations(drop: 4)
    /// How long the values stood, and how long they were low.
    package private(set) var timed: TimedStatistics
    /// The least, the greatest and the other values.
    package private(set) var statistics = Statistics()

    /// The limits whose time is counted, in percent.
    package static let limits = [DecimalNumber(90), DecimalNumber(88)]

    /// What falls are counted for each hour of, in one sentence, for answers.
    package static let denominator =
        "the time with valid values: each stands until the next one, if that comes within 10 s"

    private let interval: DateInterval

    /// A report of an interval without values.
    package init(_ interval: DateInterval) {
        self.interval = interval
        timed = TimedStatistics(interval, limits: Self.limits)
    }

    /// Takes the next value in, in the order of time; nil is one that its quality leaves out.
    package mutating func add(_ value: DecimalNumber?, at place: SamplePlace) {
        guard place.time < interval.end.milliseconds else {
            return timed.proceed(to: place.time)
        }
        timed.add(value, at: place.time)
        let points = value.flatMap(Desaturations.billionths)
        falls3.add(billionths: points, at: place.time)
        falls4.add(billionths: points, at: place.time)
        guard let value, statistics.add(value, at: place) else { return statistics.exclude() }
    }

    /// Ends what is open behind the last value.
    package mutating func finish() {
        falls3.finish()
        falls4.finish()
    }

    /// For how long there were valid values, in ms.
    package var validMilliseconds: Int64 { timed.covered }
    /// Falls of 3 points and more for each hour of valid values.
    package var index3: DecimalNumber? { falls3.index(over: validMilliseconds) }
    /// Falls of 4 points and more for each hour of valid values.
    package var index4: DecimalNumber? { falls4.index(over: validMilliseconds) }
}
