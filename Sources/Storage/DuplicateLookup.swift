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

    private let newest: Statement
    private let received: Statement
    private let stamped: Statement
    private var streams: [Int64: StreamState] = [:]

    /// The verdict on a reading.
    enum Verdict: Equatable {
        case new
        case known
        case tooMany
    }

    /// A time, on the clock that is a reading's identity.
    private enum Time: Equatable {
        case received(Int64)
        case stamped(Int64)
    }

    fileprivate struct Identity: Hashable {
        let octets: [UInt8]
        let ordinal: Int
    }

    /// What is remembered of a stream: its newest time, and all readings of the last time asked for.
    private struct StreamState {
        var newest: Int64
        var time: Time?
        var peers: Set<Identity> = []
    }

    init(_ database: borrowing Database) throws(StorageError) {
        newest = try database.prepare(
            "SELECT max(coalesce(start, at)) FROM reading WHERE stream = ?")
        received = try database.prepare(Self.receivedSQL)
        stamped = try database.prepare(Self.stampedSQL)
    }

    /// The readings of a stream that were received at one time and have no stamp.
    static let receivedSQL = """
        SELECT octets, ordinal FROM reading
        WHERE stream = ? AND coalesce(start, at) = ? AND stamp IS NULL
        """

    /// The readings of a stream with one stamp.
    static let stampedSQL = "SELECT octets, ordinal FROM reading WHERE stream = ? AND stamp = ?"

    /// Judges a reading, and remembers it as stored if it is new.
    func judge(
        _ reading: NewReading, at: Instant, _ stream: Int64
    ) throws(StorageError) -> Verdict {
        var state = try takeState(of: stream, reading, at)
        defer { streams[stream] = state }
        let identity = Identity(reading)
        guard !state.peers.contains(identity) else { return .known }
        guard state.peers.count < Self.limit else { return .tooMany }
        state.peers.insert(identity)
        state.newest = max(state.newest, (reading.start ?? at).milliseconds)
        return .new
    }

    /// Whether a reading is stored; remembers nothing of it.
    func isKnown(
        _ reading: NewReading, at: Instant, _ stream: Int64
    ) throws(StorageError) -> Bool {
        let state = try takeState(of: stream, reading, at)
        streams[stream] = state
        return state.peers.contains(Identity(reading))
    }

    /// What is remembered of a stream, with all readings of this one's time.
    private func takeState(
        of stream: Int64, _ reading: NewReading, _ at: Instant
    ) throws(StorageError) -> StreamState {
        if streams[stream] == nil { streams[stream] = try firstState(of: stream) }
        guard var state = streams.removeValue(forKey: stream) else {
            preconditionFailure("the state was made just now")
        }
        let time: Time = reading.stamp.map { .stamped($0) } ?? .received(at.milliseconds)
        guard state.time != time else { return state }
        state.peers = try peers(stream, reading.characteristic, time, newest: state.newest)
        state.time = time
        return state
    }

    /// Forgets what may have been rolled back.
    func forget() { streams = [:] }

    private func firstState(of stream: Int64) throws(StorageError) -> StreamState {
        try newest.bind(1, stream)
        defer { newest.reset() }
        return StreamState(newest: try newest.step() ? newest.optionalInt64(0) ?? .min : .min)
    }

    /// The stored readings of one time; after the newest of all there are none to look for.
    private func peers(
        _ stream: Int64, _ characteristic: MeasurementCharacteristic, _ time: Time,
        newest: Int64
    ) throws(StorageError) -> Set<Identity> {
        switch time {
        case .received(let at):
            return at > newest ? [] : try Self.peers(received, stream, characteristic, at)
        case .stamped(let stamp): return try Self.peers(stamped, stream, characteristic, stamp)
        }
    }

    private static func peers(
        _ statement: borrowing Statement, _ stream: Int64,
        _ characteristic: MeasurementCharacteristic, _ time: Int64
    ) throws(StorageError) -> Set<Identity> {
        try statement.bind(1, stream)
        try statement.bind(2, time)
        defer { statement.reset() }
        var peers: Set<Identity> = []
        while peers.count <= limit, try statement.step() {
            peers.insert(
                Identity(statement.octets(0), characteristic, ordinal: Int(statement.int64(1))))
        }
        return peers
    }
}

extension DuplicateLookup.Identity {
    fileprivate init(_ reading: NewReading) {
        self.init(reading.octets, reading.characteristic, ordinal: reading.ordinal)
    }

    /// Only 2A5E has records in memory whose octets differ from the live ones.
    fileprivate init(
        _ octets: [UInt8], _ characteristic: MeasurementCharacteristic, ordinal: Int
    ) {
        self.init(
            octets: characteristic == .plxSpotCheck
                ? PLXSpotCheckMeasurement.maskingStorageBit(octets) : octets,
            ordinal: ordinal)
    }
}
