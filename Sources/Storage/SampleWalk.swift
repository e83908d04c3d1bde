package import Measurements
package import Samples

/// A value that a walk meets.
package struct WalkedValue {
    /// Where it stands among all.
    package let place: SamplePlace
    /// The value in the walk's unit; nil if its quality leaves it out.
    package let number: DecimalNumber?
    /// Where it came from.
    package let origin: GATTEvent.Origin
    /// The place of its stream among those of the walk.
    let source: Int
}

/// A walk through all values of one type in the order of time, some quarters at a time.
package struct SampleWalk: Sendable {
    private let query: SampleQuery
    private let type: SampleType
    private let unit: SampleUnit
    private var next: Quarter
    private let end: Instant
    /// Whether everything was met.
    package private(set) var isDone = false

    /// Readings of one step: as many as take some 10 ms.
    private static let readingsAtOnce = 20_000
    /// Quarters of one step.
    private static let quartersAtOnce = 64

    /// A walk through the values of a query's type in a unit, up to `lookAhead` ms behind its end.
    init(_ query: SampleQuery, _ type: SampleType, in unit: SampleUnit, lookAhead: Int64) {
        var query = query
        end = query.end?.advanced(byMilliseconds: lookAhead) ?? Instant.range.upperBound
        query.end = end
        (self.query, self.type, self.unit) = (query, type, unit)
        next = Quarter(containing: query.start ?? Instant.range.lowerBound)
    }

    /// Meets what the next quarters hold.
    package mutating func proceed(
        _ store: StoreReader, _ body: (WalkedValue, Stream) -> Void
    ) throws(StorageError) {
        let (query, type, unit, end) = (query, type, unit, end)
        var next = next
        isDone = try store.transaction { () throws(StorageError) in
            var collector = try ValueCollector(store, query, type, in: unit)
            for _ in 0..<Self.quartersAtOnce where collector.readings < Self.readingsAtOnce {
                guard let quarter = try collector.quarter(from: next), quarter.start < end else {
                    return true
                }
                try collector.collect(quarter, body)
                next = quarter.next
            }
            return false
        }
        self.next = next
    }
}
