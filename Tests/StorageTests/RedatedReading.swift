import Measurements
import Samples

@testable import Storage

extension StoreWriter {
    /// Says when a reading was measured; it moves to the end of the feed and keeps its id.
    ///
    /// - Returns: Its new seq; nil if there is no reading of this seq.
    func redate(reading seq: Int64, to start: Instant) throws(StorageError) -> Int64? {
        try begin()
        var edits = BlockEdits()
        guard let found = try find(seq, edits) else { return nil }
        try takeOut(found, &edits)
        try perform(edits)
        var reading = found.reading
        reading.start = start
        reading.first = reading.first ?? reading.seq
        reading.seq = takeSeq()
        try insertRow(reading)
        sealer.noteRow(of: reading.stream, found.characteristic, at: start)
        return reading.seq
    }
}
