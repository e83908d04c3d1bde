extension Schema {
    /// Sealed readings and what can be said of them without decoding.
    ///
    /// `quarter` counts quarters of an hour since 1970, `at0` and `at1` are the first and the last
    /// reception in ms of the quarter, `origins` has a bit for each origin among the readings, and
    /// `decoder` says which decoder made the summaries. The data lies in a table of its own, so that
    /// blocks are found without passing by it. A summary counts times in ms of the quarter and seqs from
    /// the first one of its block.
    static let version4 = """
        CREATE TABLE block(
            id INTEGER PRIMARY KEY, stream INTEGER NOT NULL, quarter INTEGER NOT NULL,
            seq0 INTEGER NOT NULL, seq1 INTEGER NOT NULL, n INTEGER NOT NULL,
            at0 INTEGER NOT NULL, at1 INTEGER NOT NULL, origins INTEGER NOT NULL,
            decoder INTEGER NOT NULL, codec INTEGER NOT NULL, crc INTEGER NOT NULL);
        CREATE UNIQUE INDEX block_quarter ON block(stream, quarter, seq0);
        CREATE INDEX block_seq ON block(seq1, seq0);
        CREATE TABLE block_data(id INTEGER PRIMARY KEY, data BLOB NOT NULL);
        \(summary(key: "stream, quarter, seq0, type, modality"))
        CREATE INDEX reading_redated ON reading(stream, at)
            WHERE start IS NOT NULL AND stamp IS NULL;
        CREATE INDEX change_span ON change(stream, t0) WHERE digest IS NULL;
        INSERT INTO meta(key, value) VALUES ('decoder', 1), ('summaries', 1);
        """

    /// The summaries of one type and modality lie together: a question reads no others.
    static let version5 = """
        ALTER TABLE summary RENAME TO summary_by_time;
        \(summary(key: "stream, type, modality, quarter, seq0"))
        INSERT INTO summary SELECT * FROM summary_by_time
            ORDER BY stream, type, modality, quarter, seq0;
        DROP TABLE summary_by_time;
        """

    /// The same where the summaries cannot be read: those of all blocks are made anew.
    ///
    /// Of blocks that were dropped nothing is left then. The malformed pages stay in a table that nobody
    /// reads.
    static let version5OfDamaged = """
        ALTER TABLE summary RENAME TO summary_by_time;
        \(summary(key: "stream, type, modality, quarter, seq0"))
        UPDATE block SET decoder = 0;
        UPDATE meta SET value = 0 WHERE key = 'summaries';
        """

    /// The table of summaries; version 5 changed nothing but its key.
    private static func summary(key: StaticString) -> String {
        """
        CREATE TABLE summary(
            stream INTEGER NOT NULL, quarter INTEGER NOT NULL, seq0 INTEGER NOT NULL,
            type INTEGER NOT NULL, modality INTEGER NOT NULL, n INTEGER NOT NULL,
            excluded INTEGER NOT NULL, exponent INTEGER, sum INTEGER, min INTEGER, max INTEGER,
            first INTEGER, last INTEGER, t_first INTEGER, t_last INTEGER, seq_first INTEGER,
            seq_last INTEGER, histogram BLOB, PRIMARY KEY(\(key))) WITHOUT ROWID;
        """
    }
}
