package import Measurements
internal import Samples

extension StoreWriter {
    /// Deletes all readings of a stream that were measured in a span.
    ///
    /// Stamped readings leave a change each, since a sensor may send them again at any time; all others
    /// leave one together. None comes back that was received before `now`.
    package func delete(
        stream: Int64, from start: Instant, until end: Instant, at now: Instant
    ) throws(StorageError) -> DeletionTally {
        guard start < end, let characteristic = try catalogue.characteristic(of: stream) else {
            return DeletionTally()
        }
        try begin()
        let span = start.milliseconds...end.milliseconds - 1
        var tally = try deleteDatedRows(of: stream, characteristic, span, at: now)
        var plain = try deletePlainRows(of: stream, characteristic, span)
        plain += try deleteSealed(of: stream, characteristic, span)
        duplicates.forget(stream)
        guard plain.readings > 0 else { return tally }
        try changes.noteDeletion(of: stream, from: start, until: end, seq: takeSeq(), at: now)
        tally += plain
        return tally
    }

    /// Rows with a time of their own go one by one.
    private func deleteDatedRows(
        of stream: Int64, _ characteristic: MeasurementCharacteristic,
        _ span: ClosedRange<Int64>, at now: Instant
    ) throws(StorageError) -> DeletionTally {
        try deleteRows(of: stream, span, "(start IS NOT NULL OR stamp IS NOT NULL)") {
            (reading) throws(StorageError) in
            try self.noteDeletion(of: reading, characteristic, at: now)
        }
    }

    private func deletePlainRows(
        of stream: Int64, _ characteristic: MeasurementCharacteristic, _ span: ClosedRange<Int64>
    ) throws(StorageError) -> DeletionTally {
        try deleteRows(of: stream, span, "start IS NULL AND stamp IS NULL") { reading in
            DeletionTally(ofOne: DecodedPacket.samples(of: reading.octets, characteristic))
        }
    }

    /// Deletes rows, some at a time, since there may be more than the memory holds.
    private func deleteRows(
        of stream: Int64, _ span: ClosedRange<Int64>, _ condition: String,
        _ note: (Reading) throws(StorageError) -> DeletionTally
    ) throws(StorageError) -> DeletionTally {
        var tally = DeletionTally()
        while true {
            let rows = try rows(of: stream, span, condition)
            guard !rows.isEmpty else { return tally }
            for reading in rows {
                tally += try note(reading)
                try deleteReading.bind(1, reading.seq)
                try deleteReading.run()
            }
        }
    }

    private func rows(
        of stream: Int64, _ span: ClosedRange<Int64>, _ condition: String
    ) throws(StorageError) -> [Reading] {
        let statement = try database.prepare(
            """
            SELECT \(Reading.columns) FROM reading INDEXED BY reading_time
            WHERE stream = ? AND coalesce(start, at) BETWEEN ? AND ? AND \(condition)
            ORDER BY coalesce(start, at), seq LIMIT 2048
            """)
        try statement.bind(1, stream)
        try statement.bind(2, span.lowerBound)
        try statement.bind(3, span.upperBound)
        var rows: [Reading] = []
        while try statement.step() { rows.append(Reading(statement, stream: stream)) }
        return rows
    }

    private func deleteSealed(
        of stream: Int64, _ characteristic: MeasurementCharacteristic, _ span: ClosedRange<Int64>
    ) throws(StorageError) -> DeletionTally {
        var tally = DeletionTally()
        var next: Quarter? = Quarter(containing: Instant(milliseconds: span.lowerBound))
        while let from = next, from.start.milliseconds <= span.upperBound,
            let quarter = try blocks.quarter(of: stream, from: from)
        {
            for row in try blocks.parts(of: stream, quarter) where row.times.overlaps(span) {
                tally += try delete(span, of: row, characteristic)
            }
            next = quarter.next
        }
        return tally
    }

    /// Deletes what lies in a span of a block; a damaged block goes only as a whole.
    private func delete(
        _ span: ClosedRange<Int64>, of row: BlockRow, _ characteristic: MeasurementCharacteristic
    ) throws(StorageError) -> DeletionTally {
        let isWhole = row.times.clamped(to: span) == row.times
        if isWhole, let types = try blockCounter.samples(of: row, characteristic) {
            try blockWriter.delete(row)
            return DeletionTally(readings: row.count, types: types)
        }
        guard let columns = try blocks.decoded(row)?.columns else { return DeletionTally() }
        let gone = (0..<columns.count).filter { span.contains(columns.times[$0]) }
        guard !gone.isEmpty else { return DeletionTally() }
        var tally = DeletionTally()
        for index in gone {
            let packet = Array(columns.packet(index))
            tally += DeletionTally(ofOne: DecodedPacket.samples(of: packet, characteristic))
        }
        try replace(row, by: columns.removing(Set(gone.map { columns.seqs[$0] })))
        return tally
    }
}
