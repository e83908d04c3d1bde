internal import Measurements
internal import Samples

/// Counts the samples of blocks by their summaries.
final class BlockCounter {
    private let select: Statement

    init(_ database: borrowing Database) throws(StorageError) {
        select = try database.prepare(
            "SELECT n + excluded FROM summary WHERE \(SummaryRow.isOfKind)")
    }

    /// How many samples of each type a block holds; nil where another decoder made its summaries.
    func samples(
        of row: BlockRow, _ characteristic: MeasurementCharacteristic
    ) throws(StorageError) -> [SampleType: Int]? {
        guard row.decoder == DecodedPacket.decoderVersion else { return nil }
        var counts: [SampleType: Int] = [:]
        for type in SampleType.allCases {
            for modality in characteristic.modalities {
                try select.bind(to: row, type, modality)
                if try select.step() { counts[type, default: 0] += Int(select.int64(0)) }
                select.reset()
            }
        }
        return counts
    }
}
