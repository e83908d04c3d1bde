package import Measurements

/// The sum of amounts of one person, of which several sources may have counted the same.
///
/// Where samples of two sources overlap, the one of the preferred source counts. Of the other one counts
/// what is left over: its value times the share of its time that no preferred one covers, half to even
/// at its own decimals. Amounts come in the order of their starts.
package struct MergedSum: Sendable {
    /// An amount of some time.
    package struct Amount: Sendable {
        let start: Int64
        let end: Int64
        /// How far its source is preferred; 0 is the most.
        let rank: Int
        let value: DecimalNumber
        let place: SamplePlace

        /// An amount from one ms to another; one without duration belongs to a single ms.
        package init(
            _ value: DecimalNumber, at place: SamplePlace, until end: Int64, rank: Int
        ) {
            (self.value, self.place, self.rank) = (value, place, rank)
            (start, self.end) = (place.time, max(end, place.time + 1))
        }
    }

    private struct Entry {
        let amount: Amount
        var isCounted = false
    }

    /// Amounts that others may overlap, in the order of their starts.
    private var entries: [Entry] = []

    /// Amounts of one time that are looked at: more than a household has sources, and each is compared
    /// with all.
    private static let mostEntries = 256

    /// No amounts.
    package init() {}

    /// Takes the next amount in; gives what counts of those that no later one can overlap.
    package mutating func add(
        _ amount: Amount, _ body: (_ part: DecimalNumber, SamplePlace) -> Void
    ) {
        count(until: amount.start, body)
        if entries.count >= Self.mostEntries { finish(body) }
        entries.append(Entry(amount: amount))
    }

    /// Gives what counts of the rest.
    package mutating func finish(_ body: (_ part: DecimalNumber, SamplePlace) -> Void) {
        count(until: .max, body)
    }

    private mutating func count(
        until time: Int64, _ body: (_ part: DecimalNumber, SamplePlace) -> Void
    ) {
        for place in entries.indices
        where !entries[place].isCounted && entries[place].amount.end <= time {
            entries[place].isCounted = true
            body(part(of: entries[place].amount), entries[place].amount.place)
        }
        let first = entries.first { !$0.isCounted }?.amount.start ?? time
        entries.removeAll { $0.isCounted && $0.amount.end <= min(first, time) }
    }

    private func part(of amount: Amount) -> DecimalNumber {
        let length = amount.end - amount.start
        let left = length - covered(of: amount)
        guard left < length else { return amount.value }
        let mantissa = roundedHalfEven(
            Int128(amount.value.mantissa) * Int128(left), over: Int128(length))
        return DecimalNumber(mantissa: Int64(mantissa), exponent: amount.value.exponent)
    }

    /// For how many ms preferred sources have counted as well.
    private func covered(of amount: Amount) -> Int64 {
        var (covered, last) = (Int64(0), amount.start)
        for other in entries.lazy.map(\.amount) where other.rank < amount.rank {
            let end = min(other.end, amount.end)
            guard end > last else { continue }
            covered += max(end - max(other.start, last), 0)
            last = max(last, end)
        }
        return covered
    }
}
