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
        /// In the order of time, with the bucket that each group is in.
        case walking(SampleWalk, open: [StatisticsGroup: Int])
        case done
    }

    /// A scan that has seen nothing yet.
    package init(_ query: StatisticsQuery) {
        self.query = query
        guard let first = query.buckets.first else {
            phase = .done
            return
        }
        phase =
            query.isTimed
            ? .walking(
                SampleWalk(query.samples, query.type, lookAhead: TimedStatistics.longestHold),
                open: [:])
            : .summing(Quarter(containing: first.start))
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
        case .walking(var walk, var open):
            try walk.proceed(store) { value, stream in take(value, stream, &open) }
            phase = walk.isDone ? .done : .walking(walk, open: open)
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

    /// Counts a value that comes in the order of time.
    private mutating func take(
        _ value: WalkedValue, _ stream: Stream, _ open: inout [StatisticsGroup: Int]
    ) {
        let time = value.place.time
        let instant = Instant(milliseconds: time)
        guard let group = query.group(stream, at: instant, value.origin) else { return }
        let place = query.bucket(of: time)
        if let before = open[group], before != place {
            result.withBucket(group, before, query) { $0.timed?.proceed(to: time) }
        }
        open[group] = place
        guard let place else { return }
        result.withBucket(group, place, query) { bucket in
            bucket.timed?.add(value.number, at: time)
            bucket.statistics.count(value.number, at: value.place)
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
