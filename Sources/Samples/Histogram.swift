/// How often each whole number came: exact, whatever the order.
///
/// Numbers that lie close together, as a sensor's do, are counted in an array; others in a dictionary.
package struct Histogram: Equatable, Sendable {
    /// Different numbers that are told apart: a sensor has 4096, and 40 octets each are enough.
    package static let distinctLimit = 1 << 20
    /// The widest array: 16-bit numbers.
    private static let widest: Int64 = 65_536

    private var base: Int64 = 0
    private var dense: [Int] = []
    private var sparse: [Int64: Int] = [:]
    /// How many numbers came.
    package private(set) var count = 0
    /// How many different ones.
    package private(set) var distinct = 0

    /// No numbers.
    package init() {}

    /// Numbers that differ, the least first, each with how often it came.
    package init(_ entries: [(number: Int64, count: Int)]) {
        if let first = entries.first, let last = entries.last, makeRoom(for: first.number) {
            _ = makeRoom(for: last.number)
        }
        for (number, count) in entries { add(number, times: count) }
    }

    /// Counts a number `times` times.
    package mutating func add(_ number: Int64, times: Int = 1) {
        guard times > 0 else { return }
        count += times
        guard sparse.isEmpty, makeRoom(for: number) else { return addSparse(number, times) }
        let place = Int(number - base)
        if dense[place] == 0 { distinct += 1 }
        dense[place] += times
    }

    /// Counts all numbers of another one, each times a factor.
    package mutating func add(_ other: Histogram, times factor: Int64 = 1) {
        let end = other.base + Int64(other.dense.count)
        if factor == 1, sparse.isEmpty, other.sparse.isEmpty, !other.dense.isEmpty,
            makeRoom(for: other.base), makeRoom(for: end - 1)
        {
            return addDense(other)
        }
        other.forEach { number, times in add(number * factor, times: times) }
    }

    /// Counts the numbers of another one that has room in the array.
    private mutating func addDense(_ other: Histogram) {
        let offset = Int(other.base - base)
        for place in other.dense.indices where other.dense[place] > 0 {
            if dense[offset + place] == 0 { distinct += 1 }
            dense[offset + place] += other.dense[place]
        }
        count += other.count
    }

    /// Multiplies all numbers by a factor above 0.
    package mutating func scale(by factor: Int64) {
        guard factor != 1 else { return }
        var scaled = Histogram()
        scaled.add(self, times: factor)
        self = scaled
    }

    /// The numbers and how often each came, the least first.
    package var entries: [(number: Int64, count: Int)] {
        var entries: [(number: Int64, count: Int)] = []
        forEach { entries.append(($0, $1)) }
        return sparse.isEmpty ? entries : entries.sorted { $0.number < $1.number }
    }

    /// Whether all numbers lie in a range.
    package func isInside(_ range: ClosedRange<Int64>) -> Bool {
        count(where: range.contains) == count
    }

    /// The number at a place of the ordered row of all of them, from 0; nil if there are not so many.
    package func number(at place: Int) -> Int64? {
        var left = place
        return entries.first { entry in
            left -= entry.count
            return left < 0
        }?.number
    }

    /// How many of all numbers are such.
    package func count(where isSuch: (Int64) -> Bool) -> Int {
        var result = 0
        forEach { if isSuch($0) { result += $1 } }
        return result
    }

    package static func == (left: Histogram, right: Histogram) -> Bool {
        left.count == right.count && left.distinct == right.distinct
            && left.entries.elementsEqual(right.entries, by: ==)
    }

    private func forEach(_ body: (Int64, Int) -> Void) {
        for (place, count) in dense.enumerated() where count > 0 {
            body(base + Int64(place), count)
        }
        for (number, count) in sparse { body(number, count) }
    }

    /// Widens the array; false where it would be too wide.
    private mutating func makeRoom(for number: Int64) -> Bool {
        guard !dense.isEmpty else {
            base = number
            dense = [0]
            return true
        }
        let end = base + Int64(dense.count)
        let (low, high) = (min(base, number), max(end - 1, number))
        let (width, overflow) = high.subtractingReportingOverflow(low)
        guard !overflow, width < Self.widest else { return false }
        if width + 1 == Int64(dense.count) { return true }
        if number < base {
            let missing = Int(base - number)
            dense.insert(contentsOf: repeatElement(0, count: missing), at: 0)
            base = number
        } else if number >= end {
            dense.append(contentsOf: repeatElement(0, count: Int(number - end) + 1))
        }
        return true
    }

    private mutating func addSparse(_ number: Int64, _ times: Int) {
        for (place, count) in dense.enumerated() where count > 0 {
            sparse[base + Int64(place)] = count
        }
        dense = []
        sparse[number, default: 0] += times
        distinct = sparse.count
    }
}
