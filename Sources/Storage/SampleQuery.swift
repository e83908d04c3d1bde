package import Measurements
package import Samples

/// What a request wants of the stored samples.
package struct SampleQuery: Sendable {
    /// The order of an answer; ties of one time go by seq.
    package enum Order: String, Sendable {
        case ascending = "asc"
        case descending = "desc"
    }

    /// The time that an answer is ordered by.
    package enum Sort: String, Sendable {
        case start
        case end
    }

    /// Which samples belong to an interval.
    package enum Match: String, Sendable {
        /// Those that start in it.
        case start
        /// Those that last into it.
        case overlap
    }

    /// The types wanted.
    package var types: Set<SampleType>
    /// The interval's first instant; nil means no lower bound.
    package var start: Instant?
    /// The first instant after the interval; nil means no upper bound.
    package var end: Instant?
    /// The order of the answer.
    package var order = Order.ascending
    /// The time that the answer is ordered by.
    package var sort = Sort.start
    /// Which samples belong to the interval.
    package var match = Match.start
    /// The store's number of the device wanted; nil means all.
    package var device: Int64?
    /// The subject wanted; nil means all.
    package var subject: String?
    /// The origin wanted; nil means all.
    package var origin: GATTEvent.Origin?
    /// The modalities wanted.
    package var modalities = Modality.standard
    /// The qualities wanted.
    package var qualities = Quality.standard
    /// A condition on the value; nil means none.
    package var condition: ValueCondition?
    /// The units of values in conditions and answers, where they are not the type's default.
    package var units: [SampleType: SampleUnit] = [:]
    /// The greatest seq that belongs to the answer.
    package var newest: Int64

    /// A query for all samples of these types up to a seq.
    package init(types: Set<SampleType>, newest: Int64) {
        self.types = types
        self.newest = newest
    }

    /// The first and the last millisecond of the interval.
    var milliseconds: (first: Int64, last: Int64) {
        (start?.milliseconds ?? .min, end.map { $0.milliseconds - 1 } ?? .max)
    }

    /// The unit in which values of a type are compared and printed.
    package func unit(of type: SampleType) -> SampleUnit { units[type] ?? type.defaultUnit }
}

/// A condition such as `value<90`.
package struct ValueCondition: Sendable {
    /// How the value compares with the number.
    package enum Comparison: String, CaseIterable, Sendable {
        case lessOrEqual = "<="
        case greaterOrEqual = ">="
        case notEqual = "!="
        case less = "<"
        case greater = ">"
        case equal = "="
    }

    /// How the value compares with the number.
    package let comparison: Comparison
    /// The number, in the unit of the query.
    package let number: DecimalNumber

    /// A condition with the given parts.
    package init(_ comparison: Comparison, _ number: DecimalNumber) {
        self.comparison = comparison
        self.number = number
    }

    /// Whether a value meets the condition.
    package func holds(for value: DecimalNumber) -> Bool {
        switch comparison {
        case .less: value < number
        case .lessOrEqual: value <= number
        case .greater: value > number
        case .greaterOrEqual: value >= number
        case .equal: value == number
        case .notEqual: value != number
        }
    }
}

/// A sample with all that an answer tells of it.
package struct StoredSample: Sendable {
    /// The reading that it was decoded from.
    package let reading: Reading
    /// The value.
    package let sample: Sample
    /// The stream that it came in.
    package let stream: Stream
    /// Whose it is.
    package let subject: String

    /// A sample with the given parts.
    package init(reading: Reading, sample: Sample, stream: Stream, subject: String) {
        self.reading = reading
        self.sample = sample
        self.stream = stream
        self.subject = subject
    }

    /// The device that sent it.
    package var device: Device { stream.device }

    /// `<first seq>.<place in the packet>`: stays when the reading moves.
    package var id: String { "\(reading.first ?? reading.seq).\(sample.index)" }

    /// The site that the packet or else the device names.
    package var site: TemperatureType? {
        guard sample.type == .bodyTemperature else { return nil }
        return sample.site ?? device.temperatureType
    }

    /// The value in another unit, and the unit that it is in: the sensor's own where none fits.
    package func value(in unit: SampleUnit) -> (number: DecimalNumber?, unit: SampleUnit) {
        guard let number = sample.value else { return (nil, unit) }
        guard unit != sample.unit, let converted = sample.value(in: unit) else {
            return (number, sample.unit)
        }
        return (converted, unit)
    }
}

/// A place in the order of an answer: just behind one sample.
package struct SamplePosition: Equatable, Sendable {
    /// The time that the answer is ordered by.
    package let time: Instant
    /// The seq of the reading.
    package let seq: Int64
    /// The sample's place in its packet.
    package let index: Int

    /// A place with the given parts.
    package init(time: Instant, seq: Int64, index: Int) {
        self.time = time
        self.seq = seq
        self.index = index
    }
}
