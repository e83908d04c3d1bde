/// Reads the data of blocks.
///
/// A connection of SQLite that meets a malformed page writes nothing more until it is rolled back. So a
/// writer reads by another one what readers can see, and by its own what nobody else sees yet.
final class BlockData {
    private let inside: DataConnection
    private let outside: DataConnection?

    /// Reads by a connection, and before that by one of its own to the same store, if it has a path.
    init(_ database: borrowing Database, outside path: String?) throws(StorageError) {
        inside = try DataConnection(database)
        outside = try path.map { (path) throws(StorageError) in try DataConnection(path: path) }
    }

    /// A block with its data; there are none where they are missing, or lie in a page that is malformed:
    /// then the check sum is wrong, and this block is lost and no other.
    func block(of row: BlockRow) throws(StorageError) -> EncodedBlock {
        if let data = try outside?.data(of: row) {
            let block = Self.block(row, data)
            // The writer may have given the number to another block meanwhile.
            if data.isEmpty || block.crc == block.rightCRC { return block }
        }
        return Self.block(row, try inside.data(of: row) ?? [])
    }

    /// Whether the pages that hold the data of a block can be read.
    func isReadable(_ row: BlockRow) throws(StorageError) -> Bool {
        try (outside ?? inside).data(of: row)?.isEmpty != true
    }

    private static func block(_ row: BlockRow, _ data: [UInt8]) -> EncodedBlock {
        EncodedBlock(
            stream: row.stream, quarter: row.quarter, seq0: row.seqs.lowerBound,
            count: row.count, codec: row.codec, crc: row.crc, data: data)
    }
}

/// A connection as far as it reads data of blocks.
private final class DataConnection {
    private let find: Statement
    /// The connection, where nobody else has it.
    private let owned: Database?

    init(_ database: borrowing Database) throws(StorageError) {
        find = try Self.statement(database)
        owned = nil
    }

    init(path: String) throws(StorageError) {
        let database = try Database(path: path, mode: .readOnly)
        try database.execute(Schema.reading)
        find = try Self.statement(database)
        owned = .some(consume database)
    }

    private static func statement(
        _ database: borrowing Database
    ) throws(StorageError) -> Statement {
        try database.prepare("SELECT data FROM block_data WHERE id = ?")
    }

    /// The data of a block; nil where there are none, and no octets where the page is malformed.
    func data(of row: BlockRow) throws(StorageError) -> [UInt8]? {
        try find.bind(1, row.id)
        defer { find.reset() }
        do throws(StorageError) {
            return try find.step() ? find.octets(0) : nil
        } catch {
            guard error.isDamage else { throw error }
            return []
        }
    }
}
