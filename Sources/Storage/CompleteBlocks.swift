internal import Samples

/// Knows blocks of which no sample of a type was left out: their status bits change nothing.
final class CompleteBlocks {
    private let type: SampleType
    private let isStandard: Bool
    private let select: Statement

    init(
        _ database: borrowing Database, _ query: SampleQuery, _ type: SampleType
    ) throws(StorageError) {
        self.type = type
        isStandard = query.qualities == Quality.standard
        select = try database.prepare(
            "SELECT excluded FROM summary WHERE \(SummaryRow.isOfKind)")
    }

    /// Whether the present decoder has counted every sample of some modalities in a block, and there
    /// are some.
    func contains(_ row: BlockRow, _ modalities: [Modality]) throws(StorageError) -> Bool {
        guard isStandard, row.decoder == DecodedPacket.decoderVersion else { return false }
        var isThere = false
        for modality in modalities {
            guard let excluded = try excluded(row, modality) else { continue }
            guard excluded == 0 else { return false }
            isThere = true
        }
        return isThere
    }

    /// How many samples were left out; nil if there are none of the modality.
    private func excluded(_ row: BlockRow, _ modality: Modality) throws(StorageError) -> Int64? {
        try select.bind(to: row, type, modality)
        defer { select.reset() }
        return try select.step() ? select.int64(0) : nil
    }
}

extension Statement {
    /// Binds the parameters of `SummaryRow.isOfKind`.
    borrowing func bind(
        to row: BlockRow, _ type: SampleType, _ modality: Modality
    ) throws(StorageError) {
        try bind(1, row.stream)
        try bind(2, row.quarter.number)
        try bind(3, row.seqs.lowerBound)
        try bind(4, Int64(type.place))
        try bind(5, Int64(modality.place))
    }
}
