internal import Samples

extension StoreWriter {
    /// Notes a decoder that has changed: until they are made anew, its predecessor's summaries do not
    /// count, and a stream may hold any type.
    func noteDecoder() throws(StorageError) {
        let version = Int64(DecodedPacket.decoderVersion)
        let known = try database.number("SELECT value FROM meta WHERE key = 'decoder'")
        guard known != version else { return }
        try database.execute(
            """
            BEGIN IMMEDIATE;
            UPDATE stream SET types = -1;
            UPDATE meta SET value = value + 1 WHERE key = 'catalogue';
            INSERT OR REPLACE INTO meta(key, value) VALUES ('decoder', \(version));
            COMMIT
            """)
    }

    /// Has the summaries of all blocks made anew, whoever made them.
    package func outdateSummaries() throws(StorageError) {
        try begin()
        try database.execute(
            """
            UPDATE block SET decoder = \(Self.noDecoder);
            UPDATE meta SET value = \(Self.noDecoder) WHERE key = 'summaries';
            """)
    }

    /// A decoder that there never was.
    private static let noDecoder = 0

    /// Makes the summaries of some blocks anew that another decoder made.
    ///
    /// - Returns: Whether there may be more of them.
    package func renewSummaries() throws(StorageError) -> Bool {
        let version = Int64(DecodedPacket.decoderVersion)
        let known = try database.number("SELECT value FROM meta WHERE key = 'summaries'")
        guard known != version else { return false }
        try begin()
        let rows = try blocks.outdated(limit: Retention.blocksAtOnce)
        for row in rows { try renewSummaries(of: row) }
        guard rows.isEmpty else { return true }
        try database.execute(
            "INSERT OR REPLACE INTO meta(key, value) VALUES ('summaries', \(version))")
        return false
    }

    /// Where a block is damaged its summaries stay as they are.
    private func renewSummaries(of row: BlockRow) throws(StorageError) {
        guard let columns = try blocks.decoded(row)?.columns,
            let characteristic = try catalogue.characteristic(of: row.stream)
        else { return try blockWriter.noteDecoder(of: row) }
        try blockWriter.renewSummaries(of: row, columns, characteristic)
    }
}
