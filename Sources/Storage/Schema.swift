/// The tables of the store, and the steps from each older version to the present one.
enum Schema {
    /// The steps; the version of a file (`PRAGMA user_version`) is how many were taken.
    static let migrations = [version1, version2, version3, version4, version5]

    /// What is done instead of a step, by its place, where what it reads is damaged.
    private static let ofDamaged = [4: version5OfDamaged]

    /// Settings that must be made before the first table, or are lost.
    ///
    /// What a commit writes is whole pages, and it changes a few octets of each: pages of 1024 octets
    /// wear a card a little more than half as much as those of 4096, and are read as fast.
    static let creation = """
        PRAGMA page_size = 1024;
        PRAGMA auto_vacuum = INCREMENTAL;
        PRAGMA journal_mode = WAL;
        """

    /// Settings of every connection that writes.
    static let writing = """
        PRAGMA journal_mode = WAL;
        PRAGMA synchronous = NORMAL;
        PRAGMA secure_delete = FAST;
        PRAGMA trusted_schema = OFF;
        PRAGMA cell_size_check = ON;
        PRAGMA foreign_keys = OFF;
        """

    /// The log is written back to the store when it has this many octets, as SQLite does it where
    /// pages have 4096.
    static let longestLog: Int64 = 4_096_000

    /// Settings of every connection that reads: a small cache, because there are several.
    static let reading = """
        PRAGMA cache_size = -256;
        PRAGMA query_only = ON;
        PRAGMA trusted_schema = OFF;
        PRAGMA cell_size_check = ON;
        """

    /// The greatest seq that was given: each leaves a reading or a change, also one that is deleted.
    ///
    /// `next_seq` is but a lower bound: to keep it exact would write one more page in each commit.
    static let newestSeq = """
        SELECT max(coalesce((SELECT max(seq) FROM reading), 0),
            coalesce((SELECT max(seq1) FROM block), 0),
            coalesce((SELECT max(seq) FROM change), 0),
            coalesce((SELECT value FROM meta WHERE key = 'next_seq'), 1) - 1)
        """

    private static let version1 = """
        CREATE TABLE meta(key TEXT PRIMARY KEY, value) WITHOUT ROWID;
        CREATE TABLE device(
            id INTEGER PRIMARY KEY, address TEXT NOT NULL, kind TEXT NOT NULL, name TEXT,
            address_type TEXT, manufacturer TEXT, model TEXT, serial TEXT, firmware TEXT,
            hardware TEXT, software TEXT, system_id TEXT, pnp_id TEXT, regulatory TEXT,
            temperature_type INTEGER, body_location INTEGER, plx_features TEXT,
            measurement_interval INTEGER,
            UNIQUE(address, kind));
        CREATE TABLE stream(
            id INTEGER PRIMARY KEY, device INTEGER NOT NULL, characteristic TEXT NOT NULL,
            instance INTEGER NOT NULL,
            UNIQUE(device, characteristic, instance));
        CREATE TABLE reading(
            seq INTEGER PRIMARY KEY, stream INTEGER NOT NULL, at INTEGER NOT NULL, start INTEGER,
            "end" INTEGER, stamp INTEGER, ordinal INTEGER NOT NULL, flags INTEGER NOT NULL,
            first INTEGER, octets BLOB NOT NULL);
        CREATE INDEX reading_time ON reading(stream, coalesce(start, at));
        CREATE INDEX reading_stamp ON reading(stream, stamp) WHERE stamp IS NOT NULL;
        CREATE INDEX reading_end ON reading(stream, "end") WHERE "end" IS NOT NULL;
        CREATE TABLE assignment(
            device INTEGER NOT NULL, t0 INTEGER NOT NULL, t1 INTEGER NOT NULL,
            subject TEXT NOT NULL);
        CREATE INDEX assignment_device ON assignment(device, t0);
        CREATE TABLE clock(
            device INTEGER NOT NULL, at INTEGER NOT NULL, offset_ms INTEGER NOT NULL,
            PRIMARY KEY(device, at)) WITHOUT ROWID;
        CREATE TABLE segment(
            seq0 INTEGER PRIMARY KEY, boot TEXT NOT NULL, boottime_ms INTEGER NOT NULL,
            wall_ms INTEGER NOT NULL, synchronised INTEGER);
        INSERT INTO meta(key, value) VALUES ('next_seq', 1), ('synced', 0);
        """

    /// What happened to readings after they came in; `digest` names a deleted reading's identity.
    /// `types` has a bit for each type a stream has held (all, where that was not noted), and
    /// `catalogue` counts the changes of devices, streams and assignments.
    private static let version2 = """
        CREATE TABLE change(
            seq INTEGER PRIMARY KEY, at INTEGER NOT NULL, op TEXT NOT NULL, target INTEGER,
            stream INTEGER, device INTEGER, t0 INTEGER NOT NULL, t1 INTEGER, digest INTEGER,
            samples TEXT);
        CREATE INDEX change_digest ON change(stream, digest) WHERE digest IS NOT NULL;
        ALTER TABLE stream ADD COLUMN types INTEGER NOT NULL DEFAULT -1;
        INSERT INTO meta(key, value) VALUES ('catalogue', 0);
        """

    /// What bears on whether readings come; equal entries that follow each other are one, from `at` to
    /// `last`. Without a device it concerns all of them. A reading that has moved is
    /// found by its first seq.
    private static let version3 = """
        CREATE TABLE ledger(
            id INTEGER PRIMARY KEY, at INTEGER NOT NULL, device INTEGER, event TEXT NOT NULL,
            detail TEXT NOT NULL, last INTEGER NOT NULL, count INTEGER NOT NULL);
        CREATE INDEX ledger_device ON ledger(device, at);
        CREATE INDEX reading_first ON reading(first) WHERE first IS NOT NULL;
        """

    /// The seq that the next reading gets.
    ///
    /// Where the end of the readings is damaged, it is one behind all that a single run can have given.
    static func nextSeq(in database: borrowing Database) throws(StorageError) -> Int64 {
        do throws(StorageError) {
            return (try database.number(newestSeq) ?? 0) + 1
        } catch  where error.isDamage {
            let bound = try database.number("SELECT value FROM meta WHERE key = 'next_seq'") ?? 1
            return bound + longestRun
        }
    }

    /// A thousand readings a second for fifty days.
    private static let longestRun: Int64 = 1 << 32

    /// Brings a file to the present version, each step in a transaction of its own.
    ///
    /// A store that is made anew gets the name `epoch`.
    static func migrate(_ database: borrowing Database, epoch: String) throws(StorageError) {
        let version = Int(try database.number("PRAGMA user_version") ?? 0)
        guard version <= migrations.count else {
            throw StorageError(
                code: 1,
                message: "the store has version \(version), this healthd knows only up to "
                    + "\(migrations.count): install a newer healthd")
        }
        for step in version..<migrations.count {
            do throws(StorageError) {
                try take(step, migrations[step], database, epoch)
            } catch {
                guard error.isDamage, let other = ofDamaged[step] else { throw error }
                try take(step, other, database, epoch)
            }
        }
    }

    private static func take(
        _ step: Int, _ sql: String, _ database: borrowing Database, _ epoch: String
    ) throws(StorageError) {
        do throws(StorageError) {
            try database.execute(
                "BEGIN IMMEDIATE; \(sql); PRAGMA user_version = \(step + 1)")
            if step == 0 { try setEpoch(epoch, in: database) }
            try database.execute("COMMIT")
        } catch {
            if database.isInTransaction { try database.execute("ROLLBACK") }
            throw error
        }
    }

    private static func setEpoch(
        _ epoch: String, in database: borrowing Database
    ) throws(StorageError) {
        let statement = try database.prepare("INSERT INTO meta(key, value) VALUES ('epoch', ?)")
        try statement.bind(1, epoch)
        try statement.run()
    }
}
