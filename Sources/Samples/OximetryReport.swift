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
    /// The least, the greatest and the other values; complete at the end only.
    package private(set) var statistics = Statistics(keepsHistogram: false)

    /// The limits whose time is counted, in percent.
    package static let limits = [DecimalNumber(90), DecimalNumber(88)]

    /// What falls are counted for each hour of, in one sentence, for answers.
    package static let denominator =
        "the time with valid values: each stands until the next one, if that comes within 10 s"

    private let interval: DateInterval
    private var run: Run?

    /// Equal values that follow each other: counted at once, since a calm sleeper has long ones.
    private struct Run {
        let value: DecimalNumber
        let points: Int64?
        let first: SamplePlace
        var last: SamplePlace
        var count = 1
    }

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
        let points = value.flatMap { extendRun($0, at: place) }
        falls3.add(billionths: points, at: place.time)
        falls4.add(billionths: points, at: place.time)
        if value == nil { statistics.exclude() }
    }

    /// Adds a value to the run, or begins another one; returns its billionths of a point.
    private mutating func extendRun(_ value: DecimalNumber, at place: SamplePlace) -> Int64? {
        if let run, run.value.isWritten(like: value) {
            self.run?.count += 1
            self.run?.last = place
            return run.points
        }
        endRun()
        let points = Desaturations.billionths(value)
        run = Run(value: value, points: points, first: place, last: place)
        return points
    }

    private mutating func endRun() {
        guard let run else { return }
        self.run = nil
        guard statistics.add(run.value, at: run.first) else { return statistics.exclude(run.count) }
        if run.count > 1 { statistics.add(run.value, at: run.last, times: run.count - 1) }
    }

    /// Ends what is open behind the last value.
    package mutating func finish() {
        endRun()
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
