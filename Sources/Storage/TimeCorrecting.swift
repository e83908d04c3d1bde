internal import Measurements
internal import Samples

extension StoreWriter {
    /// Moves a reading to its better time; it gets a new seq and keeps its id.
    ///
    /// One that a clock has dated already stays: the clock is read at every link, and a sensor that sends
    /// its memory again must not change the past by its second hand.
    func correct(_ correction: TimeCorrection, of device: Int64) throws(StorageError) {
        let stream = try catalogue.knownStream(
            device, correction.characteristic, correction.instance)
        guard let stream, let found = try findUnverified(correction, of: stream) else { return }
        let move = try database.prepare(
            """
            UPDATE reading SET seq = ?2, first = coalesce(first, seq), start = ?3, flags = ?4
            WHERE seq = ?1
            """)
        try move.bind(1, found.seq)
        try move.bind(2, takeSeq())
        try move.bind(3, correction.start?.milliseconds)
        let flags = ReadingFlags(
            timeQuality: correction.timeQuality, origin: found.flags.origin,
            isFaulty: found.flags.isFaulty)
        try move.bind(4, Int64(flags.rawValue))
        try move.run()
        duplicates.forget(stream)
    }

    private func findUnverified(
        _ correction: TimeCorrection, of stream: Int64
    ) throws(StorageError) -> (seq: Int64, flags: ReadingFlags)? {
        let wanted = ReadingIdentity.Content(
            correction.octets, correction.characteristic, ordinal: correction.ordinal)
        let find = try database.prepare(
            "SELECT seq, flags, octets, ordinal FROM reading WHERE stream = ?1 AND stamp = ?2")
        try find.bind(1, stream)
        try find.bind(2, correction.stamp)
        while try find.step() {
            let flags = ReadingFlags(rawValue: Int(find.int64(1)))
            let content = ReadingIdentity.Content(
                find.octets(2), correction.characteristic, ordinal: Int(find.int64(3)))
            if flags.timeQuality == .unverified, content == wanted {
                return (find.int64(0), flags)
            }
        }
        return nil
    }
}
