internal import Measurements
internal import Samples

/// Readings that are to be taken out of blocks, so that each block is written once.
struct BlockEdits {
    /// The blocks concerned, by their numbers, and the seqs that leave them.
    private(set) var removals: [Int64: (row: BlockRow, seqs: Set<Int64>)] = [:]

    /// Notes that a reading leaves its block.
    mutating func remove(_ seq: Int64, from row: BlockRow) {
        removals[row.id, default: (row, [])].seqs.insert(seq)
    }

    /// Whether a reading is about to leave its block.
    func removes(_ seq: Int64, from row: BlockRow) -> Bool {
        removals[row.id]?.seqs.contains(seq) ?? false
    }
}

/// A reading that is stored, and where.
struct FoundReading {
    /// The reading.
    let reading: Reading
    /// The characteristic that sent it.
    let characteristic: MeasurementCharacteristic
    /// The block that holds it; nil where it is a row.
    let block: BlockRow?
}

extension StoreWriter {
    /// A stored reading; nil if there is none of this seq, or it is about to leave its block.
    func find(_ seq: Int64, _ edits: BlockEdits) throws(StorageError) -> FoundReading? {
        if let row = try findRow(seq) { return row }
        guard let (row, block, index) = try blocks.find(seq: seq), !edits.removes(seq, from: row),
            let characteristic = try catalogue.characteristic(of: row.stream)
        else { return nil }
        return FoundReading(
            reading: block.columns.reading(index), characteristic: characteristic, block: row)
    }

    private func findRow(_ seq: Int64) throws(StorageError) -> FoundReading? {
        try findReading.bind(1, seq)
        defer { findReading.reset() }
        guard try findReading.step() else { return nil }
        let stream = findReading.int64(9)
        guard let characteristic = try catalogue.characteristic(of: stream) else { return nil }
        return FoundReading(
            reading: Reading(findReading, stream: stream), characteristic: characteristic,
            block: nil)
    }

    /// Takes a reading out of the rows, or notes that it is to leave its block.
    func takeOut(_ found: FoundReading, _ edits: inout BlockEdits) throws(StorageError) {
        duplicates.forget(found.reading.stream)
        if let row = found.block { return edits.remove(found.reading.seq, from: row) }
        try deleteReading.bind(1, found.reading.seq)
        try deleteReading.run()
    }

    /// Writes the blocks anew that readings leave.
    func perform(_ edits: BlockEdits) throws(StorageError) {
        for (_, (row, seqs)) in edits.removals.sorted(by: { $0.key < $1.key }) {
            guard let block = try blocks.decoded(row) else { continue }
            try replace(row, by: block.columns.removing(seqs))
        }
    }

    /// Puts what is left of a block in its place.
    func replace(_ row: BlockRow, by columns: BlockColumns) throws(StorageError) {
        try blockWriter.delete(row)
        guard columns.count > 0, let characteristic = try catalogue.characteristic(of: row.stream)
        else { return }
        try blockWriter.insert(columns, in: row.quarter, characteristic)
    }

    /// Makes rows again of the blocks that hold readings of some seqs which came from an origin.
    func unseal(_ seqs: Range<Int64>, from origin: GATTEvent.Origin) throws(StorageError) {
        guard let last = seqs.last else { return }
        for row in try blocks.overlapping(seqs.lowerBound...last) where row.has(origin) {
            guard let columns = try blocks.decoded(row)?.columns,
                let characteristic = try catalogue.characteristic(of: row.stream)
            else { continue }
            try blockWriter.delete(row)
            for index in 0..<columns.count {
                let reading = columns.reading(index)
                try insertRow(reading)
                sealer.noteRow(of: row.stream, characteristic, at: reading.at)
            }
        }
    }

    /// Keeps a reading as a row, with the seq that it has.
    func insertRow(_ reading: Reading) throws(StorageError) {
        let statement = try database.prepare(
            "INSERT INTO reading VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)")
        let numbers = [
            reading.seq, reading.stream, reading.at.milliseconds, reading.start?.milliseconds,
            reading.end?.milliseconds, reading.stamp, Int64(reading.ordinal),
            Int64(reading.flags.rawValue), reading.first,
        ]
        for (place, number) in numbers.enumerated() {
            try statement.bind(Int32(place + 1), number)
        }
        try statement.bind(10, reading.octets)
        try statement.run()
    }
}
