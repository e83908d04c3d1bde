import Measurements
import Samples

@testable import Storage

/// A question about many samples as a naive array answers it.
struct NaiveQuestion: CustomStringConvertible {
    var type = SampleType.oxygenSaturation
    /// In ms after noon.
    var buckets: [Range<Int64>] = []
    var functions = StatisticFunction.standard
    var grouping = StatisticsQuery.Grouping.none
    var device: UInt64?
    var subject: String?
    var qualities = Quality.standard

    /// A random question; half of the edges lie between quarters of an hour.
    init(using random: inout SeededGenerator) {
        if random.once(in: 4) { type = .heartRate }
        var edges: Set<Int64> = []
        for _ in 0..<random.number(2...5) {
            let quarter = Int64(random.number(-1...4)) * 900_000
            edges.insert(random.once(in: 2) ? quarter : quarter + Int64(random.number(0...9)))
        }
        let ends = edges.sorted()
        buckets = zip(ends, ends.dropFirst()).map { $0..<$1 }
        if random.once(in: 3) { functions = Self.untimed }
        if random.once(in: 3) { functions = Self.all }
        grouping = random.one(of: [.none, .none, .device, .subject, .source])
        if random.once(in: 4) { device = UInt64(random.number(1...2)) }
        if random.once(in: 4) { subject = random.one(of: ["me", "ann", "bob"]) }
        if random.once(in: 4) { qualities = [.ok, .invalid] }
    }

    private static let names = [
        "count", "min", "max", "avg", "median", "p0", "p5", "p95", "p100", "first", "last",
        "below90", "below95.5",
    ]
    private static let untimed = names.compactMap { StatisticFunction(named: $0) }
    private static let all =
        untimed
        + ["time-below90", "time-below95.1", "twavg", "coverage"].compactMap {
            StatisticFunction(named: $0)
        }

    var description: String {
        "\(type) \(buckets) \(functions.map(\.name)) by \(grouping), device \(device as Any), "
            + "\(subject as Any), \(qualities)"
    }
}

extension NaiveStore {
    /// The answers, each group and bucket that has samples in one line.
    func answer(to question: NaiveQuestion) -> [String] {
        var groups: [String: [Stood]] = [:]
        for entry in entries.sorted(by: { ($0.start, $0.seq) < ($1.start, $1.seq) })
        where (question.device ?? entry.device) == entry.device
            && (question.subject ?? subject(of: entry)) == subject(of: entry)
        {
            for sample in samples(entry) where sample.type == question.type {
                groups[key(entry, question), default: []].append(
                    Stood(time: entry.start, sample: sample, question.qualities))
            }
        }
        return groups.flatMap { lines($0.key, $0.value, question) }.sorted()
    }

    private func key(_ entry: Entry, _ question: NaiveQuestion) -> String {
        switch question.grouping {
        case .none: "all"
        case .device: "device \(entry.device)"
        case .subject: "subject \(subject(of: entry))"
        case .source: "source replay"
        }
    }

    private func lines(_ key: String, _ all: [Stood], _ question: NaiveQuestion) -> [String] {
        question.buckets.enumerated().compactMap { place, bucket in
            let inside = all.indices.filter { bucket.contains(all[$0].time) }
            guard !inside.isEmpty else { return nil }
            let counted = inside.map { all[$0] }.filter(\.counts)
            let answers = question.functions.map { function in
                let value =
                    function.isTimed
                    ? timed(function, all, inside, bucket) : Self.untimed(function, counted)
                return "\(function.name)=\(value ?? "-")"
            }
            return "\(key) \(place) excluded=\(inside.count - counted.count) "
                + answers.joined(separator: " ")
        }
    }

    /// A sample and the time at which it stands.
    private struct Stood {
        let time: Int64
        let tenths: Int
        let decimals: Int
        let counts: Bool

        init(time: Int64, sample: NaiveSample, _ qualities: Set<Quality>) {
            self.time = time
            counts = sample.value != nil && qualities.contains(sample.quality)
            (tenths, decimals) = (sample.value ?? 0, sample.decimals)
        }
    }

    private static func untimed(_ function: StatisticFunction, _ values: [Stood]) -> String? {
        let sorted = values.map(\.tenths).sorted()
        let decimals = values.map(\.decimals).max() ?? 0
        let (count, sum) = (sorted.count, sorted.reduce(0, +))
        switch function {
        case .count: return "\(count)"
        case .below(let limit):
            return "\(sorted.count { DecimalNumber(mantissa: Int64($0), exponent: -1) < limit })"
        case .sum, .timeBelow, .timeWeightedAverage, .coverage: return nil
        case .min: return sorted.first.map { text($0, 10, decimals) }
        case .max: return sorted.last.map { text($0, 10, decimals) }
        case .first: return values.first.map { text($0.tenths, 10, decimals) }
        case .last: return values.last.map { text($0.tenths, 10, decimals) }
        case .average: return count == 0 ? nil : text(sum, 10 * count, decimals + 2)
        case .median:
            guard count > 0 else { return nil }
            return text(sorted[(count - 1) / 2] + sorted[count / 2], 20, decimals + 1)
        case .percentile(let percent):
            guard count > 0 else { return nil }
            let rank = (1...count).first { $0 * 100 >= percent * count } ?? count
            return text(sorted[rank - 1], 10, decimals)
        }
    }

    private func timed(
        _ function: StatisticFunction, _ all: [Stood], _ inside: [Int], _ bucket: Range<Int64>
    ) -> String? {
        var held: [(value: Stood, length: Int)] = []
        for place in inside where all[place].counts && place + 1 < all.count {
            let gap = all[place + 1].time - all[place].time
            let length = min(all[place + 1].time, bucket.upperBound) - all[place].time
            if gap <= 10_000, length > 0 { held.append((all[place], Int(length))) }
        }
        let covered = held.reduce(0) { $0 + $1.length }
        switch function {
        case .timeBelow(let limit):
            let low = held.filter {
                DecimalNumber(mantissa: Int64($0.value.tenths), exponent: -1) < limit
            }
            return Self.text(low.reduce(0) { $0 + $1.length }, 1000, 3)
        case .timeWeightedAverage:
            guard covered > 0 else { return nil }
            let sum = held.reduce(0) { $0 + $1.length * $1.value.tenths }
            let decimals = held.map(\.value.decimals).max() ?? 0
            return Self.text(sum, 10 * covered, decimals + 2)
        case .coverage: return Self.text(covered * 100, bucket.count, 2)
        default: return nil
        }
    }

    /// A fraction in plain digits, the last one rounded half to even.
    private static func text(_ numerator: Int, _ denominator: Int, _ decimals: Int) -> String {
        var scaled = numerator
        for _ in 0..<decimals { scaled *= 10 }
        var digits = scaled / denominator
        let rest = scaled % denominator * 2
        if rest > denominator || rest == denominator && digits % 2 == 1 { digits += 1 }
        return DecimalNumber(mantissa: Int64(digits), exponent: -decimals).description
    }
}

extension TemporaryStore {
    /// The answers, each group and bucket that has samples in one line.
    func answer(
        to question: NaiveQuestion, device: Int64?, _ newest: Int64,
        between: () throws -> Void
    ) throws -> [String] {
        let buckets = question.buckets.map {
            DateInterval(
                start: noon.advanced(byMilliseconds: $0.lowerBound),
                end: noon.advanced(byMilliseconds: $0.upperBound))
        }
        var query = StatisticsQuery(question.type, buckets, newest: newest)
        (query.functions, query.grouping) = (question.functions, question.grouping)
        (query.device, query.subject) = (device, question.subject)
        query.qualities = question.qualities
        var scan = StatisticsScan(query)
        while !scan.isDone {
            try scan.proceed(reader)
            try between()
        }
        return try scan.result.groups.flatMap { group, buckets in
            try buckets.map { place, bucket in
                let answers = question.functions.map {
                    "\($0.name)=\(bucket.answer(to: $0)?.description ?? "-")"
                }
                return "\(try text(group)) \(place) excluded=\(bucket.statistics.excluded) "
                    + answers.joined(separator: " ")
            }
        }.sorted()
    }

    private func text(_ group: StatisticsGroup) throws -> String {
        switch group {
        case .all: return "all"
        case .device(let id):
            let device = try reader.devices().first { $0.id == id }
            return "device \(device?.address.suffix(1) ?? "?")"
        case .subject(let name): return "subject \(name)"
        case .source(let origin): return "source \(origin)"
        }
    }
}
