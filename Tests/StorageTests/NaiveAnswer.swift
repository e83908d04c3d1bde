import Measurements
import Samples
import Storage

/// A query as a naive array answers it.
struct NaiveQuery: CustomStringConvertible {
    var isDescending = false
    var interval: Range<Int64>?
    var device: UInt64?
    var types: Set<SampleType> = [.oxygenSaturation, .heartRate]
    var qualities = Set(Quality.allCases)
    /// In tenths of a percent.
    var below: Int?

    /// A random query over small ranges.
    init(using random: inout SeededGenerator) {
        isDescending = random.once(in: 2)
        let ends = [
            random.number(-10...2_000_000), random.number(-10...200_000), random.number(0...30),
        ]
        if random.once(in: 2) {
            let (start, end) = (min(ends[0], ends[1]), max(ends[0], ends[1]))
            interval = random.once(in: 2) ? Int64(start)..<Int64(end) : 5..<Int64(5 + ends[2])
        }
        if random.once(in: 3) { device = UInt64(random.number(1...3)) }
        if random.once(in: 3) { types = [random.one(of: [.oxygenSaturation, .heartRate])] }
        if random.once(in: 2) { qualities = Quality.standard }
        if random.once(in: 4) { below = random.number(580...999) }
    }

    var description: String {
        "desc \(isDescending), \(interval as Any), device \(device as Any), \(types), below "
            + "\(below as Any), \(qualities.count) qualities"
    }
}

extension NaiveStore {
    /// The ids of an answer, and how many samples only their quality left out.
    func answer(to query: NaiveQuery) -> (ids: [String], excluded: Int) {
        let ascending = entries.filter { entry in
            (query.device ?? entry.device) == entry.device
                && (query.interval?.contains(entry.start) ?? true)
        }.sorted { ($0.start, $0.seq) < ($1.start, $1.seq) }
        let wanted = ascending.flatMap(samples).filter { sample in
            query.types.contains(sample.type)
                && (query.below.map { limit in sample.value.map { $0 < limit } ?? false } ?? true)
        }
        let ids = wanted.filter { query.qualities.contains($0.quality) }.map(\.id)
        return (
            query.isDescending ? ids.reversed() : ids, wanted.count - ids.count
        )
    }

    /// A sample as an array of readings gives it.
    struct NaiveSample {
        let id: String
        let type: SampleType
        /// The value in tenths; nil where there is none.
        let value: Int?
        /// The digits behind the point that the sensor sent.
        let decimals: Int
        let quality: Quality
    }

    /// 2047 is the word for no number; the pulse is 60 in all packets.
    func samples(_ entry: Entry) -> [NaiveSample] {
        let isBad = (entry.value.status ?? 0) & 1 << 15 != 0
        let word = entry.value.spo2
        let spo2: Int? = word == 0x07FF ? nil : word < 0x1000 ? Int(word) * 10 : Int(word & 0xFFF)
        return [
            NaiveSample(
                id: "\(entry.id).0", type: .oxygenSaturation, value: spo2,
                decimals: word < 0x1000 ? 0 : 1,
                quality: spo2 == nil ? .absent : isBad ? .invalid : .ok),
            NaiveSample(
                id: "\(entry.id).1", type: .heartRate, value: 600, decimals: 0,
                quality: isBad ? .invalid : .ok),
        ]
    }
}
