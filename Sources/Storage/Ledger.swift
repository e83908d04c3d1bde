package import Measurements
internal import Samples

extension StoreWriter {
    /// Rows that are kept: a sensor that comes and goes each minute all night fills them in two months.
    package static let ledgerLimit: Int64 = 200_000
    /// How long after the last one an equal entry is counted instead of kept, in ms.
    private static let repetition: Int64 = 3_600_000

    /// Keeps something that bears on whether readings come; the oldest rows go when there are too many.
    package func note(_ row: LedgerRow) throws(StorageError) {
        try begin()
        let device = try row.device.map { (address) throws(StorageError) in
            try catalogue.device(.sensor(RemoteDevice(address)))
        }
        guard try !countRepetition(of: row, device) else { return }
        let insert = try database.prepare(
            """
            INSERT INTO ledger(at, device, event, detail, last, count)
            VALUES (?1, ?2, ?3, ?4, ?1, 1) RETURNING id
            """)
        try insert.bind(1, row.at.milliseconds)
        try insert.bind(2, device)
        try insert.bind(3, row.event)
        try insert.bind(4, row.detail)
        var id: Int64 = 0
        while try insert.step() { id = insert.int64(0) }
        try drop(upTo: id - Self.ledgerLimit)
    }

    /// Counts an entry where the device's newest one says the same; false if it says something else.
    private func countRepetition(
        of row: LedgerRow, _ device: Int64?
    ) throws(StorageError) -> Bool {
        let find = try database.prepare(
            """
            SELECT id, event, detail, last FROM ledger WHERE device IS ?
            ORDER BY at DESC, id DESC LIMIT 1
            """)
        try find.bind(1, device)
        guard try find.step(), find.text(1) == row.event, find.text(2) == row.detail,
            (0..<Self.repetition).contains(row.at.milliseconds - find.int64(3))
        else { return false }
        let update = try database.prepare(
            "UPDATE ledger SET last = ?2, count = count + 1 WHERE id = ?1")
        try update.bind(1, find.int64(0))
        try update.bind(2, row.at.milliseconds)
        try update.run()
        return true
    }

    private func drop(upTo id: Int64) throws(StorageError) {
        guard id > 0 else { return }
        let delete = try database.prepare("DELETE FROM ledger WHERE id <= ?")
        try delete.bind(1, id)
        try delete.run()
    }
}

extension StoreReader {
    /// Entries of one page: a reader must not keep the log from being checkpointed.
    package static let ledgerPage = 1000

    /// What happened in a span of time to a device and to all of them, in the order of time.
    ///
    /// - Parameters:
    ///   - device: The store's number of the device; nil for what concerns all of them only.
    ///   - start: The first instant of the span.
    ///   - end: The end of the span, which does not belong to it.
    ///   - limit: The most rows, from the start of the span.
    /// - Returns: The rows.
    /// - Throws: An error if the store cannot be read.
    package func ledger(
        of device: Int64?, from start: Instant, until end: Instant, limit: Int = ledgerPage
    ) throws(StorageError) -> [LedgerRow] {
        let statement = try database.prepare(
            """
            SELECT ledger.at, address, event, detail, last, count FROM ledger
            LEFT JOIN device ON device.id = ledger.device
            WHERE ledger.device IS ?1 AND ledger.at >= ?2 AND ledger.at < ?3
            ORDER BY ledger.at, ledger.id LIMIT ?4
            """)
        return try rows(statement, device, start, end, limit)
    }

    /// The newest entries of a device before an instant, the newest first.
    package func newestLedger(
        of device: Int64?, before end: Instant, limit: Int
    ) throws(StorageError) -> [LedgerRow] {
        let statement = try database.prepare(
            """
            SELECT ledger.at, address, event, detail, last, count FROM ledger
            LEFT JOIN device ON device.id = ledger.device
            WHERE ledger.device IS ?1 AND ledger.at >= ?2 AND ledger.at < ?3
            ORDER BY ledger.at DESC, ledger.id DESC LIMIT ?4
            """)
        return try rows(statement, device, Instant.range.lowerBound, end, limit)
    }

    private func rows(
        _ statement: borrowing Statement, _ device: Int64?, _ start: Instant, _ end: Instant,
        _ limit: Int
    ) throws(StorageError) -> [LedgerRow] {
        try statement.bind(1, device)
        try statement.bind(2, start.milliseconds)
        try statement.bind(3, end.milliseconds)
        try statement.bind(4, Int64(limit))
        var rows: [LedgerRow] = []
        while try statement.step() { rows.append(LedgerRow(statement)) }
        return rows
    }
}

extension LedgerRow {
    fileprivate init(_ statement: borrowing Statement) {
        self.init(
            at: Instant(milliseconds: statement.int64(0)),
            device: statement.text(1).flatMap { DeviceAddress($0) },
            event: statement.text(2) ?? "", detail: statement.text(3) ?? "")
        last = Instant(milliseconds: statement.int64(4))
        count = Int(statement.int64(5))
    }
}
