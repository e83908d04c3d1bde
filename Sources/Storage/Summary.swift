internal import Measurements
internal import Samples

/// What can be said of the samples of one type and modality in a block without decoding it.
struct Summary: Equatable {
    /// What the samples measure.
    let type: SampleType
    /// How they were measured.
    let modality: Modality
    /// The statistics of those whose quality counts, in the type's default unit.
    var statistics: Statistics

    /// Different values that are told apart; a part with more is decoded where that matters.
    static let distinctLimit = 255

    /// The summaries of a block, by type and modality.
    static func all(
        of columns: BlockColumns, _ characteristic: MeasurementCharacteristic
    ) -> [Summary] {
        var builder = SummaryBuilder()
        for index in 0..<columns.count {
            let samples = DecodedPacket.samples(of: Array(columns.packet(index)), characteristic)
            for sample in samples {
                let place = SamplePlace(
                    time: columns.times[index], seq: columns.seqs[index], index: sample.index)
                builder.add(sample, at: place)
            }
        }
        return builder.summaries
    }
}

extension Statistics {
    /// Counts a sample as statistics do: those of standard quality by their value, others as excluded.
    mutating func add(
        _ sample: Sample, at place: SamplePlace, _ qualities: Set<Quality> = Quality.standard
    ) {
        guard qualities.contains(sample.quality), let value = sample.standardValue,
            add(value, at: place)
        else { return exclude() }
    }
}

/// Counts samples by type and modality.
private struct SummaryBuilder {
    private var places: [Int?] = Array(repeating: nil, count: 64)
    private(set) var summaries: [Summary] = []

    mutating func add(_ sample: Sample, at place: SamplePlace) {
        let key = sample.type.place * 8 + sample.modality.place
        if let index = places[key] {
            summaries[index].statistics.add(sample, at: place)
        } else {
            places[key] = summaries.count
            var summary = Summary(
                type: sample.type, modality: sample.modality, statistics: Statistics())
            summary.statistics.add(sample, at: place)
            summaries.append(summary)
        }
    }
}

extension Histogram {
    /// How the numbers of a histogram are written.
    private enum Form: UInt8 {
        /// The least number, then the count of each number from there on, 0 included.
        case dense = 0
        /// The least number and its count, then the distance to each next one and its count.
        case sparse = 1
    }

    /// The histogram in a few octets: a form, and varints; nil where it is too long for a summary.
    var encoded: [UInt8]? {
        guard distinct <= Summary.distinctLimit, let least = entries.first?.number,
            let greatest = entries.last?.number
        else { return nil }
        return greatest - least < Int64(distinct * 2) ? encodedDensely : encodedSparsely
    }

    private var encodedDensely: [UInt8] {
        var octets = [Form.dense.rawValue]
        var next = entries[0].number
        octets.append(varint: next.zigzag)
        for (number, count) in entries {
            while next < number {
                octets.append(0)
                next += 1
            }
            octets.append(varint: UInt64(count))
            next += 1
        }
        return octets
    }

    private var encodedSparsely: [UInt8] {
        var octets = [Form.sparse.rawValue]
        var last: Int64 = 0
        for (number, count) in entries {
            octets.append(varint: (number - last).zigzag)
            octets.append(varint: UInt64(count))
            last = number
        }
        return octets
    }

    /// The histogram that octets hold; nil if they hold none.
    init?(encoded octets: [UInt8]) {
        self.init()
        do throws(BlockDamage) {
            var reader = VarintReader(octets)
            guard let form = Form(rawValue: try reader.octet()) else { return nil }
            switch form {
            case .dense: try addDense(&reader)
            case .sparse: try addSparse(&reader)
            }
        } catch {
            return nil
        }
    }

    /// Counts of more than a part can hold are none.
    private static let countLimit = 1 << 24

    private mutating func addDense(_ reader: inout VarintReader) throws(BlockDamage) {
        var number = try reader.difference()
        while !reader.isAtEnd {
            add(number, times: try reader.number(below: Self.countLimit))
            number &+= 1
        }
    }

    private mutating func addSparse(_ reader: inout VarintReader) throws(BlockDamage) {
        var number: Int64 = 0
        while !reader.isAtEnd {
            number &+= try reader.difference()
            add(number, times: try reader.number(below: Self.countLimit))
        }
    }
}
