package import Measurements
internal import Samples

extension StoreReader {
    /// What the deletion of a span of some streams would take, as far as it can be seen now.
    ///
    /// Of a block that goes as a whole, the summaries tell what is in it.
    package func tally(
        streams ids: [Int64], from start: Instant, until end: Instant
    ) throws(StorageError) -> DeletionTally {
        guard start < end else { return DeletionTally() }
        let span = start.milliseconds...end.milliseconds - 1
        return try transaction { () throws(StorageError) in
            var tally = DeletionTally()
            let counter = try BlockCounter(self.database)
            for stream in try self.streamsNow() where ids.contains(stream.id) {
                try self.forEachRow(
                    of: stream, from: span.lowerBound, to: span.upperBound, until: .max
                ) { tally += DeletionTally(ofOne: $0.octets, stream) }
                tally += try self.tally(ofBlocksOf: stream, span, counter)
            }
            return tally
        }
    }

    private func tally(
        ofBlocksOf stream: Stream, _ span: ClosedRange<Int64>, _ counter: BlockCounter
    ) throws(StorageError) -> DeletionTally {
        var tally = DeletionTally()
        let first = Quarter(containing: Instant(milliseconds: span.lowerBound))
        let last = Quarter(containing: Instant(milliseconds: span.upperBound))
        for row in try blocks.parts(of: stream.id, from: first, until: last.next)
        where row.times.overlaps(span) {
            let isWhole = row.times.clamped(to: span) == row.times
            if isWhole, let types = try counter.samples(of: row, stream.characteristic) {
                tally += DeletionTally(readings: row.count, types: types)
            } else if let columns = try blocks.decoded(row)?.columns {
                for index in 0..<columns.count where span.contains(columns.times[index]) {
                    tally += DeletionTally(ofOne: Array(columns.packet(index)), stream)
                }
            }
        }
        return tally
    }
}

extension DeletionTally {
    fileprivate init(ofOne octets: [UInt8], _ stream: Stream) {
        self.init(ofOne: DecodedPacket.samples(of: octets, stream.characteristic))
    }
}
