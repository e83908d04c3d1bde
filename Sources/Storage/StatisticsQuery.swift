package import Measurements
package import Samples

/// What a request wants to know of the values of one type.
package struct StatisticsQuery: Sendable {
    /// What values are told apart by.
    package enum Grouping: String, Sendable {
        /// By nothing: one answer for all.
        case none
        /// By the device that sent them.
        case device
        /// By whose they are.
        case subject
        /// By where they came from.
        case source
    }

    /// The type.
    package let type: SampleType
    /// The pieces that each get an answer, in order and apart from each other.
    package private(set) var buckets: [DateInterval]
    /// What is asked.
    package var functions = StatisticFunction.standard
    /// What values are told apart by.
    package var grouping = Grouping.none
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
    /// The unit that values are counted in.
    package var unit: SampleUnit
    /// The store's numbers of devices by how far their amounts are preferred, where several have counted
    /// the same; the others follow in the order of their numbers.
    package var priority: [Int64] = []
    /// The greatest seq that belongs to the answer.
    package var newest: Int64

    /// A query for the values of a type up to a seq.
    package init(_ type: SampleType, _ buckets: [DateInterval], newest: Int64) {
        (self.type, self.buckets, self.newest) = (type, buckets, newest)
        unit = type.defaultUnit
    }

    /// The same question about some of the pieces only.
    package func about(_ buckets: some Collection<DateInterval>) -> StatisticsQuery {
        var query = self
        query.buckets = Array(buckets)
        return query
    }

    /// Whether amounts are added up, of which each counts once.
    var isOfAmounts: Bool { type.isCumulative && functions.contains(.sum) }

    /// How far a device's amounts are preferred; 0 is the most.
    func rank(of device: Device) -> Int {
        priority.firstIndex(of: device.id) ?? priority.count + Int(device.id)
    }

    /// Whether the order of the samples matters.
    var isTimed: Bool { functions.contains(where: \.isTimed) }
    /// Whether it must be known how often each value came.
    var needsHistogram: Bool { functions.contains(where: \.needsHistogram) }

    /// The limits whose time is asked for.
    var timeLimits: [DecimalNumber] {
        functions.compactMap { if case .timeBelow(let limit) = $0 { limit } else { nil } }
    }

    /// The same question about the samples themselves.
    var samples: SampleQuery {
        var query = SampleQuery(types: [type], newest: newest)
        (query.start, query.end) = (buckets.first?.start, buckets.last?.end)
        (query.device, query.subject, query.origin) = (device, subject, origin)
        (query.modalities, query.qualities) = (modalities, qualities)
        return query
    }

    /// The bucket that a time lies in; nil if none does.
    func bucket(of time: Int64) -> Int? {
        var (low, high) = (0, buckets.count)
        while low < high {
            let middle = (low + high) / 2
            if buckets[middle].end.milliseconds <= time { low = middle + 1 } else { high = middle }
        }
        guard low < buckets.count, buckets[low].start.milliseconds <= time else { return nil }
        return low
    }

    /// The bucket that a whole quarter lies in; nil if none does.
    func bucket(of quarter: Quarter) -> Int? {
        guard let bucket = bucket(of: quarter.start.milliseconds),
            quarter.end <= buckets[bucket].end
        else { return nil }
        return bucket
    }

    /// What a sample of a stream is counted with; nil if it does not belong to the answer.
    func group(
        _ stream: Stream, at time: Instant, _ origin: GATTEvent.Origin
    ) -> StatisticsGroup? {
        guard self.origin.map({ $0 == origin }) ?? true else { return nil }
        guard subject != nil || grouping == .subject else {
            return group(stream, subject: "", origin)
        }
        let subject = stream.device.subject(at: time)
        guard self.subject.map({ $0 == subject }) ?? true else { return nil }
        return group(stream, subject: subject, origin)
    }

    /// What all samples of a block are counted with; nil if they are not all counted alike.
    func group(_ stream: Stream, _ quarter: Quarter, origins: Int?) -> StatisticsGroup?? {
        var origin = GATTEvent.Origin.ble
        if self.origin != nil || grouping == .source {
            guard let only = GATTEvent.Origin.allCases.first(where: { origins == 1 << $0.rawValue })
            else { return nil }
            origin = only
        }
        if subject != nil || grouping == .subject {
            let interval = DateInterval(start: quarter.start, end: quarter.end)
            guard stream.device.hasOneSubject(in: interval) else { return nil }
        }
        return .some(group(stream, at: quarter.start, origin))
    }

    private func group(
        _ stream: Stream, subject: String, _ origin: GATTEvent.Origin
    ) -> StatisticsGroup {
        switch grouping {
        case .none: .all
        case .device: .device(stream.device.id)
        case .subject: .subject(subject)
        case .source: .source(origin)
        }
    }
}

/// Samples that are counted together.
package enum StatisticsGroup: Hashable, Sendable {
    /// All of them.
    case all
    /// Those of the device of this number.
    case device(Int64)
    /// Those of somebody.
    case subject(String)
    /// Those from one origin.
    case source(GATTEvent.Origin)
}

/// The answers to a query as far as they are known.
package struct StatisticsResult: Sendable {
    /// What is known of one bucket.
    package struct Bucket: Sendable {
        /// What does not depend on the order of the samples.
        package internal(set) var statistics: Statistics
        /// What does; nil where it was not asked for.
        package internal(set) var timed: TimedStatistics?
        /// The parts of amounts that count.
        var amounts = Statistics(keepsHistogram: false)

        /// The answer to a question; nil where there is none.
        package func answer(to function: StatisticFunction) -> DecimalNumber? {
            if function.isTimed { return timed?.answer(to: function) }
            return (function == .sum ? amounts : statistics).answer(to: function)
        }
    }

    /// The buckets that have samples, by group and by their places among those of the query.
    package internal(set) var groups: [StatisticsGroup: [Int: Bucket]] = [:]
    /// Samples of quarters that only summaries are left of, where the edge of a bucket cuts them.
    package internal(set) var lost = 0

    /// The bucket of a group, which is made where there is none.
    mutating func withBucket(
        _ group: StatisticsGroup, _ place: Int, _ query: StatisticsQuery,
        _ body: (inout Bucket) -> Void
    ) {
        let empty = {
            Bucket(
                statistics: Statistics(keepsHistogram: query.needsHistogram),
                timed: query.isTimed
                    ? TimedStatistics(query.buckets[place], limits: query.timeLimits) : nil)
        }
        body(&groups[group, default: [:]][place, default: empty()])
    }
}
