internal import Samples

/// Knows blocks of which no sample of a type was left out: their status bits change nothing.
final class CompleteBlocks {
    private let type: SampleType
    private let isStandard: Bool
    private let modalities: Int64
    private let select: Statement

    init(
        _ database: borrowing Database, _ query: SampleQuery, _ type: SampleType
    ) throws(StorageError) {
        self.type = type
        isStandard = query.qualities == Quality.standard
        modalities = query.modalities.reduce(0) { $0 | 1 << Int64($1.place) }
        select = try database.prepare(
            """
            SELECT max(excluded) FROM summary
            WHERE \(SummaryRow.areOfBlock) AND type = ?4 AND (?5 >> modality) & 1
            """)
    }

    /// Whether the present decoder has counted every sample of a block, and there are some.
    func contains(_ row: BlockRow) throws(StorageError) -> Bool {
        guard isStandard, row.decoder == DecodedPacket.decoderVersion else { return false }
        try select.bind(1, row.stream)
        try select.bind(2, row.quarter.number)
        try select.bind(3, row.seqs.lowerBound)
        try select.bind(4, Int64(type.place))
        try select.bind(5, modalities)
        defer { select.reset() }
        return try select.step() && select.optionalInt64(0) == 0
    }
}
