internal import Measurements
internal import Samples

/// Moves readings of streaming characteristics out of rows into blocks, a slice at a time.
///
/// Each stream is walked through once, quarter by quarter, as far as the quarters are over:
///
/// ```
/// rows of a quarter --64 or more--> a block and its summaries
///                   --fewer-------> left as they are: a block would not be smaller
/// a reading of a quarter that was passed --> its quarter is walked through again
/// ```
///
/// Nothing of this is kept: after a restart the walk begins anew, and passes by what is sealed.
final class Sealer {
    /// How long after its end a quarter is left open for what comes late, in ms.
    static let delay: Int64 = 900_000
    /// Readings that are worth a block.
    var fewest = 64
    /// Rows of a slice: sealing them takes less than the 50 ms that the writer may stay away.
    var sliceRows = 2048
    /// Octets of packets in a slice, for the same reason.
    private static let sliceOctets = 65_536
    /// Quarters that are looked at in one slice without finding anything to seal.
    private static let idleQuarters = 64
    /// Quarters with late readings that are remembered; where more come, all are walked through.
    private static let lateKept = 4096

    private let catalogue: Catalogue
    private let selectRows: Statement
    private let findNext: Statement
    private let deleteRow: Statement
    private let blocks: BlockWriter
    /// The walk through each stream; nil until the streams were asked for.
    private var walks: [Int64: Walk]?
    /// The walks through quarters that were passed and have late readings.
    private var late: [LateQuarter: Walk] = [:]
    /// The quarter of the last reading of each stream that came in: more of it may follow at once.
    private var filling: [Int64: Quarter] = [:]

    private struct LateQuarter: Hashable {
        let stream: Int64
        let quarter: Quarter
    }

    /// Where a walk goes on.
    private struct Place {
        let walk: Walk
        let quarter: Quarter
    }

    /// A place behind some row of a stream, in the order of time and seq.
    private struct Walk {
        let stream: Int64
        let characteristic: MeasurementCharacteristic
        var time: Int64 = .min
        var seq: Int64 = .min
        /// The quarter that it ends with, if it does.
        var last: Quarter?
    }

    init(
        _ database: borrowing Database, _ catalogue: Catalogue, _ blocks: BlockWriter
    ) throws(StorageError) {
        (self.catalogue, self.blocks) = (catalogue, blocks)
        selectRows = try database.prepare(Self.rowsSQL)
        findNext = try database.prepare(Self.nextSQL)
        deleteRow = try database.prepare("DELETE FROM reading WHERE seq = ?")
    }

    /// The rows of a stream behind a place and before an instant.
    static let rowsSQL = """
        SELECT \(Reading.columns) FROM reading INDEXED BY reading_time
        WHERE stream = ?1 AND coalesce(start, at) >= ?2 AND coalesce(start, at) < ?4
        AND (+coalesce(start, at) > ?2 OR seq > ?3)
        ORDER BY coalesce(start, at), seq LIMIT ?5
        """

    /// The time of the first row behind a place.
    static let nextSQL = """
        SELECT coalesce(start, at) FROM reading INDEXED BY reading_time
        WHERE stream = ?1 AND coalesce(start, at) >= ?2
        AND (+coalesce(start, at) > ?2 OR seq > ?3)
        ORDER BY coalesce(start, at), seq LIMIT 1
        """

    /// Notes that a reading came in as a row.
    func noteRow(
        of stream: Int64, _ characteristic: MeasurementCharacteristic, at time: Instant
    ) {
        guard characteristic.isStreaming else { return }
        let quarter = Quarter(containing: time)
        filling[stream] = quarter
        guard walks != nil else { return }
        guard let walk = walks?[stream] else {
            walks?[stream] = Walk(stream: stream, characteristic: characteristic)
            return
        }
        guard time.milliseconds <= walk.time else { return }
        late[LateQuarter(stream: stream, quarter: quarter)] = Walk(
            stream: stream, characteristic: characteristic, time: quarter.start.milliseconds - 1,
            seq: .max, last: quarter)
        if late.count > Self.lateKept { forget() }
    }

    /// Walks through everything again, after what was done may have been rolled back.
    func forget() {
        walks = nil
        late = [:]
        filling = [:]
    }

    /// Seals the next slice of what lies in quarters that end at or before an instant.
    ///
    /// `begin` is done before anything is written. While a recording is coming in, `sparesLast` leaves
    /// the quarters out that it is in, so that they do not go into many small parts.
    ///
    /// - Returns: False if there is nothing left to do.
    func seal(
        until end: Instant, sparesLast: Bool, _ begin: () throws(StorageError) -> Void
    ) throws(StorageError) -> Bool {
        for _ in 0..<Self.idleQuarters {
            guard let place = try next(until: end, sparesLast) else { return false }
            if try sealSlice(at: place, begin) { return true }
        }
        return true
    }

    /// The end of the first quarter that is to be looked at; nil if there is none.
    func firstEnd() throws(StorageError) -> Instant? {
        var first = late.keys.map(\.quarter.end).min()
        for walk in try walksThroughStreams().values {
            guard let quarter = try quarter(behind: walk) else { continue }
            first = min(first ?? quarter.end, quarter.end)
        }
        return first
    }

    /// Where to go on in quarters that are over, late ones first; nil if there is nothing to do.
    private func next(
        until end: Instant, _ sparesLast: Bool
    ) throws(StorageError) -> Place? {
        let walks = try walksThroughStreams()
        let spared = sparesLast ? filling : [:]
        while let (key, walk) = late.first(where: {
            $0.key.quarter.end <= end && spared[$0.key.stream] != $0.key.quarter
        }) {
            if let quarter = try quarter(behind: walk) {
                return Place(walk: walk, quarter: quarter)
            }
            late[key] = nil
        }
        for stream in walks.keys.sorted() {
            guard let walk = walks[stream], let quarter = try quarter(behind: walk),
                quarter.end <= end, quarter != spared[stream]
            else { continue }
            return Place(walk: walk, quarter: quarter)
        }
        return nil
    }

    private func walksThroughStreams() throws(StorageError) -> [Int64: Walk] {
        if let walks { return walks }
        var found: [Int64: Walk] = [:]
        for (stream, characteristic) in try catalogue.allStreams() where characteristic.isStreaming
        {
            found[stream] = Walk(stream: stream, characteristic: characteristic)
        }
        walks = found
        return found
    }

    /// The quarter of the next row of a walk; nil at its end.
    private func quarter(behind walk: Walk) throws(StorageError) -> Quarter? {
        try findNext.bind(1, walk.stream)
        try findNext.bind(2, walk.time)
        try findNext.bind(3, walk.seq)
        defer { findNext.reset() }
        guard try findNext.step() else { return nil }
        let quarter = Quarter(containing: Instant(milliseconds: findNext.int64(0)))
        return quarter <= walk.last ?? quarter ? quarter : nil
    }
}

// One slice.
extension Sealer {
    /// Seals what a walk meets next in a quarter, and goes on behind it; false if it was too little.
    private func sealSlice(
        at place: Place, _ begin: () throws(StorageError) -> Void
    ) throws(StorageError) -> Bool {
        let (rows, isRest) = try rows(at: place)
        var walk = place.walk
        if let last = rows.last, !isRest {
            (walk.time, walk.seq) = (last.measuredFrom.milliseconds, last.seq)
        } else {
            (walk.time, walk.seq) = (place.quarter.end.milliseconds - 1, .max)
        }
        keep(walk)
        let parts = parts(of: rows).filter { $0.count >= fewest }
        for part in parts {
            try begin()
            try blocks.insert(part, in: place.quarter, walk.characteristic)
            try deleteRows(part.seqs)
        }
        return !parts.isEmpty
    }

    private func deleteRows(_ seqs: [Int64]) throws(StorageError) {
        for seq in seqs {
            try deleteRow.bind(1, seq)
            try deleteRow.run()
        }
    }

    private func keep(_ walk: Walk) {
        if let quarter = walk.last {
            late[LateQuarter(stream: walk.stream, quarter: quarter)] = walk
        } else {
            walks?[walk.stream] = walk
        }
    }

    /// The rows of a slice, and whether they are all that is left of the quarter.
    private func rows(at place: Place) throws(StorageError) -> (rows: [Reading], isRest: Bool) {
        try selectRows.bind(1, place.walk.stream)
        try selectRows.bind(2, place.walk.time)
        try selectRows.bind(3, place.walk.seq)
        try selectRows.bind(4, place.quarter.end.milliseconds)
        try selectRows.bind(5, Int64(sliceRows))
        defer { selectRows.reset() }
        var rows: [Reading] = []
        var octets = 0
        while octets < Self.sliceOctets {
            guard try selectRows.step() else { return (rows, rows.count < sliceRows) }
            rows.append(Reading(selectRows, stream: place.walk.stream))
            octets += rows[rows.count - 1].octets.count
        }
        return (rows, false)
    }

    /// The readings that can be sealed, in parts that do not span too many seqs.
    private func parts(of rows: [Reading]) -> [BlockColumns] {
        var parts: [BlockColumns] = []
        for reading in rows.filter(BlockLimits.allow).sorted(by: { $0.seq < $1.seq }) {
            let first = parts.last?.seqs.first ?? .min
            if parts.isEmpty || reading.seq - first >= BlockLimits.seqs {
                parts.append(BlockColumns(stream: reading.stream))
            }
            parts[parts.count - 1].append(reading)
        }
        return parts
    }
}
