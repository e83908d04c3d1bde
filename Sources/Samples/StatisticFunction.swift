package import Measurements

/// A question about the values of many samples, by the name that a request uses.
package enum StatisticFunction: Hashable, Sendable {
    /// How many values there are.
    case count
    /// The least value.
    case min
    /// The greatest value.
    case max
    /// The mean of all values.
    case average
    /// The middle value.
    case median
    /// The value that so many of 100 values do not exceed, 0 to 100.
    case percentile(Int)
    /// The value that stands first.
    case first
    /// The value that stands last.
    case last
    /// The sum of all values.
    case sum
    /// How many values are below a limit.
    case below(DecimalNumber)
    /// How long the value was below a limit, in seconds.
    case timeBelow(DecimalNumber)
    /// The mean of the values, each weighted with the time that it stood.
    case timeWeightedAverage
    /// How much of the time a value stood, in percent.
    case coverage

    /// The functions that a request gets that asks for none.
    package static let standard: [StatisticFunction] = [.count, .min, .max, .average, .median]

    /// Those of them, or of their like, that make sense for a type.
    package static func standard(for type: SampleType) -> [StatisticFunction] {
        type.isCumulative ? [.count, .sum] : standard
    }

    /// One of each kind, with numbers as people mostly ask for.
    package static let examples: [StatisticFunction] =
        standard + [
            .percentile(5), .percentile(95), .first, .last, .sum, .below(DecimalNumber(90)),
            .timeBelow(DecimalNumber(90)), .timeWeightedAverage, .coverage,
        ]

    /// The function that a name asks for, such as `p95` or `time-below90`.
    package init?(named name: String) {
        let plain: [StatisticFunction] = [
            .count, .min, .max, .average, .median, .first, .last, .sum, .timeWeightedAverage,
            .coverage,
        ]
        if let function = plain.first(where: { $0.name == name }) {
            self = function
        } else if let limit = Self.limit("time-below", name) {
            self = .timeBelow(limit)
        } else if let limit = Self.limit("below", name) {
            self = .below(limit)
        } else {
            guard name.hasPrefix("p"), let percent = Int(name.dropFirst()),
                (0...100).contains(percent), "p\(percent)" == name
            else { return nil }
            self = .percentile(percent)
        }
    }

    private static func limit(_ prefix: String, _ name: String) -> DecimalNumber? {
        guard name.hasPrefix(prefix) else { return nil }
        return DecimalNumber(name.dropFirst(prefix.count))
    }

    /// The name, as in requests and answers.
    package var name: String {
        switch self {
        case .count: "count"
        case .min: "min"
        case .max: "max"
        case .average: "avg"
        case .median: "median"
        case .percentile(let percent): "p\(percent)"
        case .first: "first"
        case .last: "last"
        case .sum: "sum"
        case .below(let limit): "below\(limit)"
        case .timeBelow(let limit): "time-below\(limit)"
        case .timeWeightedAverage: "twavg"
        case .coverage: "coverage"
        }
    }

    /// Whether the answer depends on how long each value stood, and so on the order of the samples.
    package var isTimed: Bool {
        switch self {
        case .timeBelow, .timeWeightedAverage, .coverage: true
        case .count, .min, .max, .average, .median, .percentile, .first, .last, .sum, .below: false
        }
    }

    /// Whether the answer needs to know how often each value came.
    package var needsHistogram: Bool {
        switch self {
        case .median, .percentile, .below: true
        case .count, .min, .max, .average, .first, .last, .sum, .timeBelow,
            .timeWeightedAverage, .coverage:
            false
        }
    }

    /// Whether the answer is a value, in the unit of the values.
    package var isValue: Bool {
        switch self {
        case .min, .max, .average, .median, .percentile, .first, .last, .sum,
            .timeWeightedAverage:
            true
        case .count, .below, .timeBelow, .coverage: false
        }
    }

    /// The same question about values of which the point was moved to the right.
    package func movingLimit(right places: Int) -> StatisticFunction {
        switch self {
        case .below(let limit): .below(limit.movingPoint(left: -places))
        case .timeBelow(let limit): .timeBelow(limit.movingPoint(left: -places))
        case .count, .min, .max, .average, .median, .percentile, .first, .last, .sum,
            .timeWeightedAverage, .coverage:
            self
        }
    }

    /// Whether the question makes sense for a type: amounts are added up, and nothing else is.
    package func isAllowed(for type: SampleType) -> Bool {
        switch self {
        case .count, .first, .last: true
        case .sum: type.isCumulative
        case .min, .max, .average, .median, .percentile, .below, .timeBelow,
            .timeWeightedAverage, .coverage:
            !type.isCumulative
        }
    }
}

extension SampleType {
    /// Whether samples are amounts that add up, rather than values at a time.
    package var isCumulative: Bool { self == .stepCount }
}

extension Statistics {
    /// The answer to a question that does not ask for time; nil where there is none.
    package func answer(to function: StatisticFunction) -> DecimalNumber? {
        switch function {
        case .count: DecimalNumber(count)
        case .min: min
        case .max: max
        case .average: average
        case .median: median
        case .percentile(let percent): percentile(percent)
        case .first: first.map { number($0.mantissa) }
        case .last: last.map { number($0.mantissa) }
        case .sum: count > 0 ? total : nil
        case .below(let limit): count(below: limit).map { DecimalNumber($0) }
        case .timeBelow, .timeWeightedAverage, .coverage: nil
        }
    }
}
