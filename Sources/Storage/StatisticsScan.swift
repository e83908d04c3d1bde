internal import Measurements
internal import Samples

/// Finds the answers to a question, some quarters at a time, so that no read is long.
///
/// Whole quarters are answered from their summaries, where the order of the samples does not matter;
/// all others are decoded.
package struct StatisticsScan: Sendable {
    private let query: StatisticsQuery
    private var phase: Phase
    /// What is known so far.
    package private(set) var result = StatisticsResult()

    private enum Phase {
        /// In any order; all before this quarter is counted.
        case summing(Quarter)
        /// In the order of time.
        case walking(SampleWalk, WalkedStatistics)
        /// In the order of time, with what several sources have counted.
        case adding(AmountScan)
        case done
    }

    /// A scan that has seen nothing yet.
    package init(_ query: StatisticsQuery) {
        self.query = query
        guard let first = query.buckets.first else {
            phase = .done
            return
        }
        if query.isOfAmounts {
            phase = .adding(AmountScan(query))
        } else if query.isTimed {
            phase = .walking(
                SampleWalk(
                    query.samples, query.type, in: query.unit,
                    lookAhead: TimedStatistics.longestHold),
                WalkedStatistics(query))
        } else {
            phase = .summing(Quarter(containing: first.start))
        }
    }

    /// Whether everything is known.
    package var isDone: Bool {
        if case .done = phase { true } else { false }
    }

    /// Looks at some more quarters, in one short read transaction.
    package mutating func proceed(_ store: StoreReader) throws(StorageError) {
        switch phase {
        case .summing(let quarter):
            let next = try sum(from: quarter, store)
            phase = next.map { .summing($0) } ?? .done
        case .walking(var walk, var statistics):
            try walk.proceed(store) { value, stream in statistics.take(value, stream) }
            phase = .walking(walk, statistics)
            guard walk.isDone else { return }
            result = statistics.ended
            phase = .done
        case .adding(var scan):
            try scan.proceed(store)
            phase = .adding(scan)
            guard scan.isDone else { return }
            result = scan.ended
            phase = .done
        case .done: break
        }
    }

    /// Counts some quarters; returns the next one, or nil at the end.
    private mutating func sum(
        from quarter: Quarter, _ store: StoreReader
    ) throws(StorageError) -> Quarter? {
        let query = query
        var counter = QuarterCounter(query)
        let next = try store.transaction { () throws(StorageError) in
            try counter.count(from: quarter, store)
        }
        result.add(counter.result)
        return next
    }
}

/// Statistics of values that come in the order of time.
private struct WalkedStatistics {
    private let query: StatisticsQuery
    private var result = StatisticsResult()
    /// The bucket that each group is in; behind the last one, or between two, it is in none.
    private var open: [StatisticsGroup: Int] = [:]
    /// The bucket that the last value was counted in: the next one mostly belongs to it as well.
    private var current: Current?

    private struct Current {
        let group: StatisticsGroup
        let place: Int
        let interval: DateInterval
        var bucket: StatisticsResult.Bucket
    }

    init(_ query: StatisticsQuery) {
        self.query = query
    }

    /// What all values came to.
    var ended: StatisticsResult {
        var copy = self
        copy.leave()
        return copy.result
    }

    /// Counts the next value.
    mutating func take(_ value: WalkedValue, _ stream: Stream) {
        let time = Instant(milliseconds: value.place.time)
        guard let group = query.group(stream, at: time, value.origin) else { return }
        if let current, current.group == group, current.interval.start <= time,
            time < current.interval.end
        {
            count(value)
            return
        }
        leave()
        enter(group, at: value.place.time)
        count(value)
    }

    private mutating func count(_ value: WalkedValue) {
        current?.bucket.timed?.add(value.number, at: value.place.time)
        current?.bucket.statistics.count(value.number, at: value.place)
    }

    /// Puts the current bucket back.
    private mutating func leave() {
        guard let current else { return }
        result.groups[current.group, default: [:]][current.place] = current.bucket
        self.current = nil
    }

    /// Takes the bucket of a time out; the one that the group was in learns that it is over.
    private mutating func enter(_ group: StatisticsGroup, at time: Int64) {
        let place = query.bucket(of: time)
        if let before = open[group], before != place {
            result.withBucket(group, before, query) { $0.timed?.proceed(to: time) }
        }
        open[group] = place
        guard let place else { return }
        var bucket: StatisticsResult.Bucket?
        result.withBucket(group, place, query) { bucket = $0 }
        result.groups[group]?[place] = nil  // so that there is one copy of it only
        current = bucket.map {
            Current(group: group, place: place, interval: query.buckets[place], bucket: $0)
        }
    }
}

extension Statistics {
    /// Counts a value; nil is one that its quality leaves out.
    mutating func count(_ number: DecimalNumber?, at place: SamplePlace) {
        guard let number, add(number, at: place) else { return exclude() }
    }
}

extension StatisticsResult {
    /// Adds what other quarters gave.
    mutating func add(_ other: StatisticsResult) {
        lost += other.lost
        for (group, buckets) in other.groups {
            for (place, bucket) in buckets {
                if groups[group]?[place] == nil {
                    groups[group, default: [:]][place] = bucket
                } else {
                    groups[group]?[place]?.statistics.add(bucket.statistics)
                }
            }
        }
    }
}
