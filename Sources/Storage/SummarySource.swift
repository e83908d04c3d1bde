internal import Measurements
internal import Samples

/// Gives the summaries of blocks, as far as they can be used for a question.
struct SummarySource {
    /// A block, or what is left of one.
    struct Part: Hashable {
        let quarter: Quarter
        let seq0: Int64
        /// A bit for each origin of its readings; nil where that is not known.
        let origins: Int?
        /// The samples that the summary counts, without those left out.
        let count: Int
    }

    private let store: StoreReader
    private let query: StatisticsQuery
    /// Whether summaries count what the question wants: the usual qualities, in the usual unit.
    private let isCounted: Bool
    /// Whether they do, and all were made by the present decoder.
    let isUsable: Bool
    /// Whether all blocks have summaries of the present decoder, and no later seqs.
    private let isSimple: Bool
    /// Whether there may be summaries without blocks.
    private let hasDropped: Bool

    init(_ store: StoreReader, _ query: StatisticsQuery) throws(StorageError) {
        (self.store, self.query) = (store, query)
        let newest = try store.database.number("SELECT max(seq1) FROM block") ?? 0
        let isCurrent = try store.hasCurrentSummaries()
        isCounted =
            query.qualities == Quality.standard && query.unit == query.type.defaultUnit
        isUsable = isCounted && isCurrent
        isSimple =
            isUsable && newest <= query.newest && query.origin == nil
            && query.grouping != .source
        hasDropped = try Retention.keptFrom(in: store.database) != nil
    }

    /// The first quarter at or behind another one that has but summaries left; nil if there is none.
    func quarter(of stream: Stream, from first: Quarter) throws(StorageError) -> Quarter? {
        guard hasDropped else { return nil }
        let statement = try store.database.prepare(
            "SELECT \(SummaryRow.outermost("min", "quarter >= ?2"))")
        try statement.bind(1, stream.id)
        try statement.bind(2, first.number)
        guard try statement.step() else { return nil }
        return statement.optionalInt64(0).map { Quarter(stored: $0) }
    }

    /// Gives each part and modality that may have values; nil where it must be decoded.
    func forEach(
        of stream: Stream, from first: Quarter, until end: Quarter,
        _ body: (Part, Modality, Statistics?) -> Void
    ) throws(StorageError) {
        let modalities = Array(stream.modalities.intersection(query.modalities))
        guard isSimple else {
            try forEachBlock(of: stream, modalities, first, end, body)
            if hasDropped { try forEachDropped(of: stream, modalities, first, end, body) }
            return
        }
        for modality in modalities {
            let statement = try summaries(of: stream, modality, first, end)
            while try statement.step() { give(statement, modality, origins: nil, body) }
        }
    }

    /// The summaries of a stream and modality in some quarters that meet a condition.
    private func summaries(
        of stream: Stream, _ modality: Modality, _ first: Quarter, _ end: Quarter,
        _ condition: String = ""
    ) throws(StorageError) -> Statement {
        let statement = try store.database.prepare(
            """
            SELECT \(SummaryRow.columns), quarter, seq0 FROM summary
            WHERE stream = ?1 AND quarter >= ?2 AND quarter < ?3 AND type = ?4 AND modality = ?5
            \(condition)
            """)
        try statement.bind(1, stream.id)
        try statement.bind(2, first.number)
        try statement.bind(3, end.number)
        try statement.bind(4, Int64(query.type.place))
        try statement.bind(5, Int64(modality.place))
        return statement
    }

    private func give(
        _ row: borrowing Statement, _ modality: Modality, origins: Int?,
        _ body: (Part, Modality, Statistics?) -> Void
    ) {
        let part = Part(
            quarter: Quarter(stored: row.int64(13)), seq0: row.int64(14), origins: origins,
            count: Int(row.int64(0)))
        body(part, modality, isCounted ? statistics(row, part, modality) : nil)
    }

    private func statistics(
        _ row: borrowing Statement, _ part: Part, _ modality: Modality
    ) -> Statistics? {
        SummaryRow.statistics(
            row, from: 0,
            SummaryRow.Origin(
                start: part.quarter.start.milliseconds, seq0: part.seq0, modality: modality),
            needsHistogram: query.needsHistogram)
    }

    /// Blocks whose summaries may not be usable, one by one.
    private func forEachBlock(
        of stream: Stream, _ modalities: [Modality], _ first: Quarter, _ end: Quarter,
        _ body: (Part, Modality, Statistics?) -> Void
    ) throws(StorageError) {
        for row in try store.blocks.parts(of: stream.id, from: first, until: end)
        where row.seqs.lowerBound <= query.newest {
            let part = Part(
                quarter: row.quarter, seq0: row.seqs.lowerBound, origins: row.origins, count: 0)
            guard isCounted, row.seqs.upperBound <= query.newest,
                row.decoder == DecodedPacket.decoderVersion
            else {
                for modality in modalities { body(part, modality, nil) }
                continue
            }
            for modality in modalities {
                let statement = try summaries(
                    of: stream, modality, row.quarter, row.quarter.next, "AND seq0 = ?6")
                try statement.bind(6, part.seq0)
                while try statement.step() { give(statement, modality, origins: row.origins, body) }
            }
        }
    }

    /// Summaries whose blocks were dropped.
    private func forEachDropped(
        of stream: Stream, _ modalities: [Modality], _ first: Quarter, _ end: Quarter,
        _ body: (Part, Modality, Statistics?) -> Void
    ) throws(StorageError) {
        for modality in modalities {
            let statement = try summaries(of: stream, modality, first, end, Self.isDropped)
            while try statement.step() { give(statement, modality, origins: nil, body) }
        }
    }

    private static let isDropped = """
        AND NOT EXISTS (SELECT 1 FROM block WHERE block.stream = summary.stream
            AND block.quarter = summary.quarter AND block.seq0 = summary.seq0)
        """
}

extension StoreReader {
    /// Whether all summaries were made by the present decoder.
    func hasCurrentSummaries() throws(StorageError) -> Bool {
        try database.number("SELECT value FROM meta WHERE key = 'summaries'") ?? 1
            == Int64(DecodedPacket.decoderVersion)
    }
}
