package import Samples

/// Goes through the oxygen saturation of one device in the order of time, for a report.
package struct OximetryScan: Sendable {
    private var walk: SampleWalk
    /// The report as far as it is known.
    package private(set) var report: OximetryReport

    /// A scan of an interval; the query names the device, the subject and the newest seq.
    package init(_ query: SampleQuery, _ interval: DateInterval) {
        var query = query
        (query.start, query.end) = (interval.start, interval.end)
        walk = SampleWalk(
            query, .oxygenSaturation, in: .percent, lookAhead: TimedStatistics.longestHold)
        report = OximetryReport(interval)
    }

    /// Whether everything is known.
    package var isDone: Bool { walk.isDone }

    /// Looks at some more quarters, in one short read transaction.
    package mutating func proceed(_ store: StoreReader) throws(StorageError) {
        try walk.proceed(store) { value, _ in report.add(value.number, at: value.place) }
        if walk.isDone { report.finish() }
    }
}
