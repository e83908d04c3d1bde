internal import Measurements
internal import Samples

/// Decides whether a reading is in the store already.
///
/// Same stream, same time, same octets, same ordinal is the same reading. The time is the device's
/// stamp where its clock is set, else reception; in the octets, the bit that marks a value sent again
/// from memory is masked.
final class DuplicateLookup {
    /// Readings of one stream at one time: a thermometer with minute stamps sends a handful; a file
    /// whose clock stands still must not make every line look at all before it.
    static let limit = 65_536
    /// Times of a stream whose readings are remembered: a disordered recording goes back and forth.
    private static let timesKept = 8
    /// Readings of those times that are remembered, at about 100 octets each.
    private static let peersKept = 131_072

    private let newest: Statement
    private let received: Statement
    private let stamped: Statement
    private let blocks: BlockReader
    private var streams: [Int64: StreamState] = [:]

    /// The verdict on a reading.
    enum Verdict: Equatable {
        case new
        case known
        case tooMany
    }

    /// What is remembered of a stream: its newest time, and all readings of the last times asked for.
    private struct StreamState {
        var newest: Int64
        /// The last time asked for, and its readings.
        var time: ReadingIdentity.Time?
        var peers: Set<ReadingIdentity.Content> = []
        /// The times before, the last one first.
        var earlier: [(time: ReadingIdentity.Time, peers: Set<ReadingIdentity.Content>)] = []

        private var isTooMuch: Bool {
            earlier.reduce(0) { $0 + $1.peers.count } > peersKept
        }

        /// Puts the last time away; returns the readings of another if they are remembered.
        mutating func turn(to other: ReadingIdentity.Time) -> Set<ReadingIdentity.Content>? {
            if let time { earlier.insert((time, peers), at: 0) }
            (time, peers) = (other, [])
            if let place = earlier.firstIndex(where: { $0.time == other }) {
                return earlier.remove(at: place).peers
            }
            while earlier.count >= timesKept || isTooMuch { earlier.removeLast() }
            return nil
        }
    }

    init(_ database: borrowing Database, _ blocks: BlockReader) throws(StorageError) {
        self.blocks = blocks
        newest = try database.prepare(Self.newestSQL)
        received = try database.prepare(Self.receivedSQL)
        stamped = try database.prepare(Self.stampedSQL)
    }

    /// The greatest time of a row of a stream, whether as measured or as received.
    static let newestSQL = """
        SELECT max(coalesce((SELECT max(coalesce(start, at)) FROM reading WHERE stream = ?1), ?2),
            coalesce((SELECT max(at) FROM reading INDEXED BY reading_redated
                WHERE stream = ?1 AND start IS NOT NULL AND stamp IS NULL), ?2))
        """

    /// The rows of a stream that were received at one time and have no stamp; some were re-dated.
    static let receivedSQL = """
        SELECT octets, ordinal FROM reading INDEXED BY reading_time
        WHERE stream = ?1 AND coalesce(start, at) = ?2 AND stamp IS NULL AND start IS NULL
        UNION ALL
        SELECT octets, ordinal FROM reading INDEXED BY reading_redated
        WHERE stream = ?1 AND at = ?2 AND stamp IS NULL AND start IS NOT NULL
        """

    /// The readings of a stream with one stamp.
    static let stampedSQL = "SELECT octets, ordinal FROM reading WHERE stream = ? AND stamp = ?"

    /// Judges a reading, and remembers it as stored if it is new.
    func judge(
        _ reading: NewReading, at: Instant, _ stream: Int64
    ) throws(StorageError) -> Verdict {
        let identity = ReadingIdentity(reading, at: at)
        var state = try takeState(of: stream, reading.characteristic, identity.time)
        defer { streams[stream] = state }
        guard !state.peers.contains(identity.content) else { return .known }
        guard state.peers.count < Self.limit else { return .tooMany }
        state.peers.insert(identity.content)
        state.newest = max(state.newest, (reading.start ?? at).milliseconds)
        return .new
    }

    /// Whether a reading is stored; remembers nothing of it.
    func isKnown(
        _ reading: NewReading, at: Instant, _ stream: Int64
    ) throws(StorageError) -> Bool {
        let identity = ReadingIdentity(reading, at: at)
        let state = try takeState(of: stream, reading.characteristic, identity.time)
        streams[stream] = state
        return state.peers.contains(identity.content)
    }

    /// What is remembered of a stream, with all readings of one time.
    private func takeState(
        of stream: Int64, _ characteristic: MeasurementCharacteristic,
        _ time: ReadingIdentity.Time
    ) throws(StorageError) -> StreamState {
        if streams[stream] == nil { streams[stream] = try firstState(of: stream) }
        guard var state = streams.removeValue(forKey: stream) else {
            preconditionFailure("the state was made just now")
        }
        guard state.time != time else { return state }
        if let peers = state.turn(to: time) {
            state.peers = peers
        } else {
            state.peers = try peers(stream, characteristic, time, newest: state.newest)
        }
        return state
    }

    /// Forgets a stream whose readings have changed.
    func forget(_ stream: Int64) { streams[stream] = nil }

    /// Forgets what may have been rolled back.
    func forget() { streams = [:] }

    private func firstState(of stream: Int64) throws(StorageError) -> StreamState {
        try newest.bind(1, stream)
        try newest.bind(2, Int64.min)
        defer { newest.reset() }
        let row = try newest.step() ? newest.int64(0) : .min
        let sealed = try blocks.newestQuarter(of: stream).map { $0.end.milliseconds - 1 }
        return StreamState(newest: max(row, sealed ?? .min))
    }

    /// The stored readings of one time; after the newest of all there are none to look for.
    private func peers(
        _ stream: Int64, _ characteristic: MeasurementCharacteristic,
        _ time: ReadingIdentity.Time,
        newest: Int64
    ) throws(StorageError) -> Set<ReadingIdentity.Content> {
        switch time {
        case .received(let at):
            guard at <= newest else { return [] }
            let peers = try Self.peers(received, stream, characteristic, at)
            return try peers.union(sealedPeers(stream, characteristic, at))
        case .stamped(let stamp): return try Self.peers(stamped, stream, characteristic, stamp)
        }
    }

    /// The readings of one time that are sealed.
    private func sealedPeers(
        _ stream: Int64, _ characteristic: MeasurementCharacteristic, _ at: Int64
    ) throws(StorageError) -> Set<ReadingIdentity.Content> {
        guard characteristic.isStreaming else { return [] }
        let quarter = Quarter(containing: Instant(milliseconds: at))
        var peers: Set<ReadingIdentity.Content> = []
        for row in try blocks.parts(of: stream, quarter) where row.times.contains(at) {
            guard let block = try blocks.decoded(row) else { continue }
            for index in block.places(at: at) where peers.count <= Self.limit {
                peers.insert(
                    ReadingIdentity.Content(
                        Array(block.columns.packet(index)), characteristic,
                        ordinal: block.columns.ordinals[index]))
            }
        }
        return peers
    }

    private static func peers(
        _ statement: borrowing Statement, _ stream: Int64,
        _ characteristic: MeasurementCharacteristic, _ time: Int64
    ) throws(StorageError) -> Set<ReadingIdentity.Content> {
        try statement.bind(1, stream)
        try statement.bind(2, time)
        defer { statement.reset() }
        var peers: Set<ReadingIdentity.Content> = []
        while peers.count <= limit, try statement.step() {
            peers.insert(
                ReadingIdentity.Content(
                    statement.octets(0), characteristic, ordinal: Int(statement.int64(1))))
        }
        return peers
    }
}
