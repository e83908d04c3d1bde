/// Why the store could not do something: SQLite's own code and words, and the statement.
package struct StorageError: Error, Equatable, Sendable, CustomStringConvertible {
    /// SQLite's extended result code.
    package let code: Int32
    /// SQLite's own words.
    package let message: String
    /// The statement, or nil when it was not about one.
    package let sql: String?
    /// The system's error number behind a failure of the disk; 0 where there is none.
    package let systemCode: Int32

    /// A failure of the given kind.
    package init(code: Int32, message: String, sql: String? = nil, systemCode: Int32 = 0) {
        self.code = code
        self.message = message
        self.sql = sql
        self.systemCode = systemCode
    }

    package var description: String {
        let statement = sql.map { ", in «\($0)»" } ?? ""
        return "\(message) (SQLite \(code))\(statement)"
    }

    /// The primary result code, without the detail in its upper bits.
    package var primaryCode: Int32 { code & 0xFF }
    /// Whether the file is no database, or a damaged one.
    package var isDamage: Bool { primaryCode == 11 || primaryCode == 26 }
    /// Whether there is no room on the disk.
    package var isFull: Bool { primaryCode == 13 }
    /// Whether the file cannot be written to.
    package var isReadOnly: Bool { primaryCode == 8 || isFileSystemReadOnly }
    /// Whether the file system takes no writes, as one does that the kernel has found damaged (EROFS).
    package var isFileSystemReadOnly: Bool { systemCode == 30 }
    /// Whether reading or writing the disk failed.
    package var isDiskFailure: Bool { primaryCode == 10 }
    /// Whether another process holds the file.
    package var isBusy: Bool { primaryCode == 5 || primaryCode == 6 }
}
