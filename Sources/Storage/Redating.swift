internal import Measurements

/// Readings from before the host's clock was right: their time is put right once it is known.
extension StoreWriter {
    /// Smaller corrections change nothing that anybody sees, in ms.
    private static let leastShift: Int64 = 1000

    /// A stretch of seqs in which the host's clock was known to be wrong.
    private struct WrongStretch {
        let seqs: Range<Int64>
        /// What was missing to the right time, in ms.
        let shift: Int64
    }

    /// Notes whether the host's clock is right in the present stretch of seqs.
    ///
    /// Once it is, live readings of this boot that came before are moved to when they really came; each
    /// gets a new seq and keeps its id.
    ///
    /// - Parameters:
    ///   - isSynchronised: Whether the clock is right.
    ///   - boot: The kernel's boot id.
    ///   - distance: The wall clock less the boot-time clock, in ms.
    /// - Returns: How many readings were moved.
    /// - Throws: An error if the store cannot be written.
    package func noteClock(
        isSynchronised: Bool, boot: String, distance: Int64
    ) throws(StorageError) -> Int {
        try begin()
        try database.execute(
            """
            UPDATE segment SET synchronised = \(isSynchronised ? 1 : 0)
            WHERE seq0 = (SELECT max(seq0) FROM segment)
            """)
        guard isSynchronised else { return 0 }
        var count = 0
        for stretch in try wrongStretches(boot, distance) {
            count += try redate(stretch)
        }
        try database.execute("UPDATE segment SET synchronised = 1 WHERE synchronised = 0")
        return count
    }

    private func wrongStretches(
        _ boot: String, _ distance: Int64
    ) throws(StorageError) -> [WrongStretch] {
        let statement = try database.prepare(
            """
            SELECT seq0, next0, ?2 - (wall_ms - boottime_ms) FROM (
                SELECT *, lead(seq0) OVER (ORDER BY seq0) AS next0 FROM segment)
            WHERE boot = ?1 AND synchronised = 0 AND next0 IS NOT NULL
            """)
        try statement.bind(1, boot)
        try statement.bind(2, distance)
        var stretches: [WrongStretch] = []
        while try statement.step() {
            let shift = statement.int64(2)
            guard abs(shift) >= Self.leastShift else { continue }
            stretches.append(
                WrongStretch(seqs: statement.int64(0)..<statement.int64(1), shift: shift))
        }
        return stretches
    }

    /// Moves the live readings of a stretch; a time that is the sensor's own word stays.
    private func redate(_ stretch: WrongStretch) throws(StorageError) -> Int {
        try unseal(stretch.seqs, from: .ble)
        let find = try database.prepare(
            """
            SELECT seq, stream FROM reading WHERE seq >= ?1 AND seq < ?2
            AND flags >> 3 & 3 = \(GATTEvent.Origin.ble.rawValue) ORDER BY seq
            """)
        try find.bind(1, stretch.seqs.lowerBound)
        try find.bind(2, stretch.seqs.upperBound)
        var found: [(seq: Int64, stream: Int64)] = []
        while try find.step() { found.append((find.int64(0), find.int64(1))) }
        let move = try database.prepare(
            """
            UPDATE reading SET seq = ?2, first = coalesce(first, seq), at = at + ?3,
                start = CASE WHEN flags & 7 = 1 THEN start + ?3 ELSE start END,
                "end" = CASE WHEN flags & 7 = 1 THEN "end" + ?3 ELSE "end" END
            WHERE seq = ?1
            """)
        for reading in found {
            try move.bind(1, reading.seq)
            try move.bind(2, takeSeq())
            try move.bind(3, stretch.shift)
            try move.run()
            duplicates.forget(reading.stream)
        }
        return found.count
    }

    /// The number that the next entry of the ledger gets, or a smaller one.
    package func nextLedgerID() throws(StorageError) -> Int64 {
        (try database.number("SELECT max(id) FROM ledger") ?? 0) + 1
    }

    /// Moves the times of entries of the ledger, by their numbers.
    package func shiftLedger(
        _ ids: Range<Int64>, by milliseconds: Int64
    ) throws(StorageError) {
        guard abs(milliseconds) >= Self.leastShift else { return }
        try begin()
        let shift = try database.prepare(
            "UPDATE ledger SET at = at + ?1, last = last + ?1 WHERE id >= ?2 AND id < ?3")
        try shift.bind(1, milliseconds)
        try shift.bind(2, ids.lowerBound)
        try shift.bind(3, ids.upperBound)
        try shift.run()
    }
}
