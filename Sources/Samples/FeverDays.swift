package import Measurements

/// The highest body temperature of each local day, and whether it was a fever.
package struct FeverDays: Equatable, Sendable {
    /// What is known of one day.
    package struct Day: Equatable, Sendable {
        /// The local day.
        package let interval: DateInterval
        /// How many values there are.
        package fileprivate(set) var count = 0
        /// How many of them are a fever.
        package fileprivate(set) var feverCount = 0
        /// The highest value, in degrees Celsius.
        package fileprivate(set) var highest: DecimalNumber
        /// When the highest value was measured first.
        package fileprivate(set) var highestAt: Instant
        /// Where on the body the highest value was measured, where that is known.
        package fileprivate(set) var site: TemperatureType?
    }

    /// From this value on a temperature is a fever, in degrees Celsius.
    package let threshold: DecimalNumber
    /// The days that have values, the first one first.
    package private(set) var days: [Day] = []
    private let zone: Zone

    /// What is called a fever unless a request says otherwise.
    package static let standardThreshold = DecimalNumber(mantissa: 380, exponent: -1)

    /// No days yet.
    package init(threshold: DecimalNumber = standardThreshold, zone: Zone) {
        self.threshold = threshold
        self.zone = zone
    }

    /// Takes the next value in, in degrees Celsius and in the order of time.
    package mutating func add(_ value: DecimalNumber, at time: Instant, site: TemperatureType?) {
        if days.last.map({ !$0.interval.contains(time) }) ?? true {
            days.append(
                Day(
                    interval: zone.day(containing: time), highest: value, highestAt: time,
                    site: site))
        }
        let index = days.count - 1
        days[index].count += 1
        if value >= threshold { days[index].feverCount += 1 }
        guard value > days[index].highest else { return }
        (days[index].highest, days[index].highestAt) = (value, time)
        days[index].site = site
    }
}
