internal import CSQLite
internal import Glibc

/// One connection to an SQLite file; the only place that calls SQLite.
struct Database: ~Copyable {
    private let handle: OpaquePointer
    private let idle = IdleStatements()

    /// How a file is opened.
    enum Mode {
        /// To write; the file is made if it is missing.
        case readWrite
        /// To read, beside a writer.
        case readOnly
    }

    /// Opens the file at `path`; an empty path is a private file that vanishes when closed.
    init(path: String, mode: Mode) throws(StorageError) {
        let flags =
            mode == .readOnly
            ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
        var handle: OpaquePointer?
        let code = sqlite3_open_v2(
            path, &handle, flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, nil)
        guard code == SQLITE_OK, let handle else {
            let message = String(cString: sqlite3_errstr(code))
            sqlite3_close_v2(handle)  // SQLite hands back an object even when it fails
            throw StorageError(code: code, message: "cannot open \(path): \(message)")
        }
        sqlite3_busy_timeout(handle, Self.busyMilliseconds)
        self.handle = handle
    }

    deinit {
        idle.finalize()
        sqlite3_close_v2(handle)
    }

    /// How long to wait for another process: longer than a reader's page, shorter than a person.
    private static let busyMilliseconds: Int32 = 2000

    /// Runs statements that return nothing of interest.
    borrowing func execute(_ sql: String) throws(StorageError) {
        let code = sqlite3_exec(handle, sql, nil, nil, nil)
        guard code == SQLITE_OK else { throw error(code, sql) }
    }

    /// Compiles one statement, or takes one that was compiled before and is not in use.
    borrowing func prepare(_ sql: String) throws(StorageError) -> Statement {
        if let statement = idle.take(sql) { return Statement(handle: statement, sql, idle) }
        var statement: OpaquePointer?
        let code = sqlite3_prepare_v3(
            handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil)
        guard code == SQLITE_OK, let statement else { throw error(code, sql) }
        return Statement(handle: statement, sql, idle)
    }

    /// The first column of the first row as a number; nil without a row or for NULL.
    borrowing func number(_ sql: String) throws(StorageError) -> Int64? {
        let statement = try prepare(sql)
        return try statement.step() ? statement.optionalInt64(0) : nil
    }

    /// The first column of the first row as text; nil without a row or for NULL.
    borrowing func text(_ sql: String) throws(StorageError) -> String? {
        let statement = try prepare(sql)
        return try statement.step() ? statement.text(0) : nil
    }

    /// Checks that the pages of a file fit together.
    ///
    /// - Throws: A damage error with SQLite's first finding.
    borrowing func requireWhole(_ path: String) throws(StorageError) {
        let verdict = try text("PRAGMA quick_check(1)") ?? "no answer"
        guard verdict == "ok" else {
            throw StorageError(code: SQLITE_CORRUPT, message: "\(path): \(verdict)")
        }
    }

    /// Puts on the disk what was committed to the log so far.
    ///
    /// It takes no transaction, which would write a page only to have something to sync.
    borrowing func syncLog() throws(StorageError) {
        let code = csqlite_sync_journal(handle)
        guard code == SQLITE_OK else { throw error(code, "sync") }
    }

    /// Whether a transaction is open.
    var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

    private borrowing func error(_ code: Int32, _ sql: String) -> StorageError {
        let systemCode = systemCode(of: code)
        return StorageError(
            code: code, message: String(cString: sqlite3_errmsg(handle)), sql: sql,
            systemCode: systemCode)
    }
}

/// Compiled statements of a connection that nobody uses just now: compiling takes longer than most runs.
private final class IdleStatements {
    /// More than there are questions with a text of their own.
    private static let limit = 32

    private var handles: [String: OpaquePointer] = [:]
    private var isClosed = false

    func take(_ sql: String) -> OpaquePointer? { handles.removeValue(forKey: sql) }

    func giveBack(_ handle: OpaquePointer, _ sql: String) {
        guard !isClosed, handles.count < Self.limit, handles[sql] == nil else {
            sqlite3_finalize(handle)
            return
        }
        sqlite3_reset(handle)
        sqlite3_clear_bindings(handle)
        handles[sql] = handle
    }

    func finalize() {
        isClosed = true
        for handle in handles.values { sqlite3_finalize(handle) }
        handles = [:]
    }
}

/// One compiled statement.
struct Statement: ~Copyable {
    private let handle: OpaquePointer
    private let sql: String
    private let idle: IdleStatements

    fileprivate init(handle: OpaquePointer, _ sql: String, _ idle: IdleStatements) {
        self.handle = handle
        self.sql = sql
        self.idle = idle
    }

    deinit { idle.giveBack(handle, sql) }

    /// Moves to the next row; false at the end, where the statement is ready for the next run.
    borrowing func step() throws(StorageError) -> Bool {
        let code = sqlite3_step(handle)
        if code == SQLITE_ROW { return true }
        defer { sqlite3_reset(handle) }
        guard code == SQLITE_DONE else { throw error(code) }
        return false
    }

    /// Runs the statement to its end.
    borrowing func run() throws(StorageError) {
        while try step() {}
    }

    /// Makes the statement ready for the next run before its end.
    borrowing func reset() { sqlite3_reset(handle) }

    /// Binds a number, or NULL, to the parameter of this number, from 1.
    borrowing func bind(_ index: Int32, _ value: Int64?) throws(StorageError) {
        let code =
            if let value { sqlite3_bind_int64(handle, index, value) } else {
                sqlite3_bind_null(handle, index)
            }
        guard code == SQLITE_OK else { throw error(code) }
    }

    /// Binds a text, or NULL.
    borrowing func bind(_ index: Int32, _ value: String?) throws(StorageError) {
        guard let value else { return try bind(index, nil as Int64?) }
        var text = value
        let code = text.withUTF8 { octets in
            octets.withMemoryRebound(to: CChar.self) {
                sqlite3_bind_text(
                    handle, index, $0.baseAddress, Int32($0.count), csqlite_transient())
            }
        }
        guard code == SQLITE_OK else { throw error(code) }
    }

    /// Binds octets; no octets are a blob of length 0, not NULL.
    borrowing func bind(_ index: Int32, _ octets: [UInt8]) throws(StorageError) {
        let code =
            octets.isEmpty
            ? sqlite3_bind_zeroblob(handle, index, 0)
            : octets.withUnsafeBytes {
                sqlite3_bind_blob(
                    handle, index, $0.baseAddress, Int32($0.count), csqlite_transient())
            }
        guard code == SQLITE_OK else { throw error(code) }
    }

    /// A column as a number, from 0; NULL is 0.
    borrowing func int64(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }

    /// A column as a number, or nil for NULL.
    borrowing func optionalInt64(_ column: Int32) -> Int64? {
        sqlite3_column_type(handle, column) == SQLITE_NULL ? nil : int64(column)
    }

    /// A column as text, or nil for NULL.
    borrowing func text(_ column: Int32) -> String? {
        guard let start = sqlite3_column_text(handle, column) else { return nil }
        let count = Int(sqlite3_column_bytes(handle, column))  // a text may hold a NUL
        return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    }

    /// A column as octets; NULL is none.
    borrowing func octets(_ column: Int32) -> [UInt8] {
        guard let base = sqlite3_column_blob(handle, column) else { return [] }
        let count = Int(sqlite3_column_bytes(handle, column))
        return Array(UnsafeRawBufferPointer(start: base, count: count))
    }

    /// Puts the octets of a column in the place of others, in memory that is there.
    borrowing func read(_ column: Int32, into octets: inout [UInt8]) {
        octets.removeAll(keepingCapacity: true)
        guard let base = sqlite3_column_blob(handle, column) else { return }
        let count = Int(sqlite3_column_bytes(handle, column))
        octets.append(contentsOf: UnsafeRawBufferPointer(start: base, count: count))
    }

    private borrowing func error(_ code: Int32) -> StorageError {
        let systemCode = systemCode(of: code)
        let database = sqlite3_db_handle(handle)
        let sql = sqlite3_sql(handle).map { String(cString: $0) }
        return StorageError(
            code: code, message: String(cString: sqlite3_errmsg(database)), sql: sql,
            systemCode: systemCode)
    }
}

/// The system's error number behind a failure of the disk, to be asked for before anything else is called.
///
/// `sqlite3_system_errno` does not know it where a COMMIT failed, and keeps that of an earlier failure.
private func systemCode(of code: Int32) -> Int32 {
    code & 0xFF == SQLITE_IOERR ? errno : 0
}
