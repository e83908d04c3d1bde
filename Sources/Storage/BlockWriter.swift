internal import Measurements
internal import Samples

/// Writes blocks and their summaries.
final class BlockWriter {
    /// Whether the data of blocks that go stays where it is: a page beside it is malformed.
    var leavesData = false

    private let data: BlockData
    private let insertBlock: Statement
    private let insertData: Statement
    private let insertSummary: Statement
    private let deleteBlock: Statement
    private let deleteData: Statement
    private let deleteSummaries: Statement
    private let setDecoder: Statement
    private let deleteOldSummaries: Statement

    init(_ database: borrowing Database, _ data: BlockData) throws(StorageError) {
        self.data = data
        insertBlock = try database.prepare(
            """
            INSERT INTO block VALUES (\(Self.newID), ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)
            RETURNING id
            """)
        insertData = try database.prepare("INSERT INTO block_data VALUES (?, ?)")
        insertSummary = try database.prepare(
            """
            INSERT INTO summary VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13,
                ?14, ?15, ?16, ?17, ?18)
            """)
        deleteOldSummaries = try database.prepare(
            "DELETE FROM summary WHERE \(SummaryRow.areOfStream) AND quarter < ?2")
        setDecoder = try database.prepare("UPDATE block SET decoder = ?2 WHERE id = ?1")
        deleteBlock = try database.prepare("DELETE FROM block WHERE id = ?")
        deleteData = try database.prepare("DELETE FROM block_data WHERE id = ?")
        deleteSummaries = try database.prepare(
            "DELETE FROM summary WHERE \(SummaryRow.areOfBlock)")
    }

    /// A number that neither a block has nor data that were left behind.
    private static let newID = """
        1 + max(coalesce((SELECT max(id) FROM block), 0),
            coalesce((SELECT max(id) FROM block_data), 0))
        """

    /// Writes readings of one quarter as a block with its summaries.
    ///
    /// - Throws: An error of its own where zlib has no memory.
    func insert(
        _ columns: BlockColumns, in quarter: Quarter,
        _ characteristic: MeasurementCharacteristic
    ) throws(StorageError) {
        guard let block = BlockEncoder.encode(columns, in: quarter) else {
            throw StorageError(code: 7, message: "no memory to seal readings")
        }
        let id = try insertRow(of: block, columns)
        try insertData.bind(1, id)
        try insertData.bind(2, block.data)
        try insertData.run()
        try insertSummaries(of: columns, in: quarter, characteristic)
    }

    /// Takes a block out, with its summaries.
    func delete(_ row: BlockRow) throws(StorageError) {
        try deleteData(of: row)
        try deleteSummaries(of: row)
    }

    /// Takes a block out; its summaries stay.
    ///
    /// Data in a page that SQLite calls malformed stays there, and belongs to nothing.
    func deleteData(of row: BlockRow) throws(StorageError) {
        let isLeft = leavesData ? true : try !data.isReadable(row)
        try deleteBlock.bind(1, row.id)
        try deleteBlock.run()
        guard !isLeft else { return }
        try deleteData.bind(1, row.id)
        try deleteData.run()
    }

    /// Makes the summaries of a block anew with the present decoder.
    func renewSummaries(
        of row: BlockRow, _ columns: BlockColumns, _ characteristic: MeasurementCharacteristic
    ) throws(StorageError) {
        try deleteSummaries(of: row)
        try insertSummaries(of: columns, in: row.quarter, characteristic)
        try noteDecoder(of: row)
    }

    /// Notes that the summaries of a block are the present decoder's.
    func noteDecoder(of row: BlockRow) throws(StorageError) {
        try setDecoder.bind(1, row.id)
        try setDecoder.bind(2, Int64(DecodedPacket.decoderVersion))
        try setDecoder.run()
    }

    /// Takes the summaries of a block out.
    func deleteSummaries(of row: BlockRow) throws(StorageError) {
        try deleteSummaries.bind(1, row.stream)
        try deleteSummaries.bind(2, row.quarter.number)
        try deleteSummaries.bind(3, row.seqs.lowerBound)
        try deleteSummaries.run()
    }

    /// Takes the summaries of all quarters before one out.
    func deleteSummaries(of stream: Int64, before limit: Quarter) throws(StorageError) {
        try deleteOldSummaries.bind(1, stream)
        try deleteOldSummaries.bind(2, limit.number)
        try deleteOldSummaries.run()
    }

    private func insertRow(
        of block: EncodedBlock, _ columns: BlockColumns
    ) throws(StorageError) -> Int64 {
        let start = block.quarter.start.milliseconds
        let origins = columns.flags.reduce(0) {
            $0 | 1 << ReadingFlags(rawValue: Int($1)).origin.rawValue
        }
        let values: [Int64?] = [
            block.stream, block.quarter.number, block.seq0, columns.seqs[columns.count - 1],
            Int64(block.count), (columns.times.min() ?? start) - start,
            (columns.times.max() ?? start) - start, Int64(origins),
            Int64(DecodedPacket.decoderVersion), block.codec, Int64(block.crc),
        ]
        try insertBlock.bind(values)
        guard try insertBlock.step() else { preconditionFailure("an inserted block has an id") }
        defer { insertBlock.reset() }
        return insertBlock.int64(0)
    }

    /// Writes the summaries of a block's readings.
    func insertSummaries(
        of columns: BlockColumns, in quarter: Quarter,
        _ characteristic: MeasurementCharacteristic
    ) throws(StorageError) {
        for summary in Summary.all(of: columns, characteristic) {
            let key: [Int64?] = [
                columns.stream, quarter.number, columns.seqs[0], Int64(summary.type.place),
                Int64(summary.modality.place),
            ]
            let numbers = SummaryRow.numbers(summary.statistics, in: quarter, columns.seqs[0])
            try insertSummary.bind(key + numbers)
            try insertSummary.bind(18, summary.statistics.histogram?.encoded)
            try insertSummary.run()
        }
    }
}

extension Statement {
    /// Binds numbers, or NULLs, to the parameters from 1 on.
    fileprivate borrowing func bind(_ values: [Int64?]) throws(StorageError) {
        for (place, value) in values.enumerated() { try bind(Int32(place + 1), value) }
    }

    /// Binds octets, or NULL.
    fileprivate borrowing func bind(_ index: Int32, _ octets: [UInt8]?) throws(StorageError) {
        guard let octets else { return try bind(index, nil as Int64?) }
        try bind(index, octets)
    }
}
