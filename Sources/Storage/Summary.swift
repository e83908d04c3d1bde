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
