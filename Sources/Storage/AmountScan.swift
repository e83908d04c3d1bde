internal import Measurements
internal import Samples

/// Adds up amounts, some rows at a time, so that what several sources have counted counts once.
struct AmountScan: Sendable {
    private let query: StatisticsQuery
    private var position: SamplePosition?
    private var sums: [Person: MergedSum] = [:]
    private var result = StatisticsResult()
    private(set) var isDone = false

    /// Whose amounts are merged: what two people did at one time are two things.
    private struct Person: Hashable {
        let group: StatisticsGroup
        let subject: String
    }

    /// How far before an interval amounts are looked for that last into it, in ms: a day, since programs
    /// write steps of minutes or hours.
    private static let lookBack: Int64 = 86_400_000

    init(_ query: StatisticsQuery) {
        self.query = query
    }

    /// What all amounts came to.
    var ended: StatisticsResult {
        var copy = self
        for (person, sum) in copy.sums {
            var sum = sum
            sum.finish { copy.add($0, $1, person.group) }
        }
        return copy.result
    }

    /// Looks at some more rows, in one short read transaction.
    mutating func proceed(_ store: StoreReader) throws(StorageError) {
        var samples = query.samples
        samples.start = samples.start?.advanced(byMilliseconds: -Self.lookBack)
        samples.qualities = Set(Quality.allCases)
        let page = try store.page(of: samples, after: position, limit: .max)
        for sample in page.samples { take(sample) }
        position = page.next
        isDone = page.next == nil
    }

    private mutating func take(_ stored: StoredSample) {
        let (reading, sample) = (stored.reading, stored.sample)
        let start = reading.measuredFrom
        guard let group = query.group(stored.stream, at: start, reading.flags.origin) else {
            return
        }
        let place = SamplePlace(time: start.milliseconds, seq: reading.seq, index: sample.index)
        let isWanted = query.qualities.contains(sample.quality)
        let value = isWanted ? sample.value(in: query.unit) : nil
        if let bucket = query.bucket(of: place.time) {
            result.withBucket(group, bucket, query) { $0.statistics.count(value, at: place) }
        }
        guard let value else { return }
        let person = Person(group: group, subject: stored.subject)
        var sum = sums.removeValue(forKey: person) ?? MergedSum()
        let amount = MergedSum.Amount(
            value, at: place, until: reading.measuredTo.milliseconds,
            rank: query.rank(of: stored.device))
        sum.add(amount) { add($0, $1, group) }
        sums[person] = sum
    }

    private mutating func add(
        _ part: DecimalNumber, _ place: SamplePlace, _ group: StatisticsGroup
    ) {
        guard let bucket = query.bucket(of: place.time) else { return }
        result.withBucket(group, bucket, query) { $0.amounts.add(part, at: place) }
    }
}
