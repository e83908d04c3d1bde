internal import Measurements
internal import Samples

/// The writer's view of the small tables: which devices and streams there are.
final class Catalogue {
    private let findDevice: Statement
    private let insertDevice: Statement
    private let findStream: Statement
    private let findCharacteristic: Statement
    private let insertStream: Statement
    private let selectStreams: Statement
    private let insertClock: Statement
    private let insertAssignment: Statement
    private let setAttribute: [DeviceColumn: AttributeStatement]
    private var devices: [SourceDevice.Identity: Int64] = [:]
    private var attributes: [Int64: [DeviceColumn: DeviceAttribute]] = [:]
    private var streams: [StreamKey: Int64] = [:]
    private var types: [Int64: Int64] = [:]
    private let findTypes: Statement
    private let setTypes: Statement
    private let count: Statement
    /// Whether something has changed that readers keep a copy of.
    private var isChanged = false

    private struct StreamKey: Hashable {
        let device: Int64
        let characteristic: MeasurementCharacteristic
        let instance: Int
    }

    /// A statement in a box, since a dictionary cannot hold a bare one.
    private final class AttributeStatement {
        let statement: Statement
        init(_ statement: consuming Statement) { self.statement = statement }
    }

    init(_ database: borrowing Database) throws(StorageError) {
        findDevice = try database.prepare(
            "SELECT id FROM device WHERE address = ? AND kind = ?")
        insertDevice = try database.prepare(
            "INSERT INTO device(address, kind) VALUES (?, ?) RETURNING id")
        findStream = try database.prepare(
            "SELECT id FROM stream WHERE device = ? AND characteristic = ? AND instance = ?")
        findCharacteristic = try database.prepare(
            "SELECT characteristic FROM stream WHERE id = ?")
        selectStreams = try database.prepare(
            "SELECT id, characteristic FROM stream ORDER BY id")
        insertStream = try database.prepare(
            """
            INSERT INTO stream(device, characteristic, instance, types) VALUES (?, ?, ?, 0)
            RETURNING id
            """)
        findTypes = try database.prepare("SELECT types FROM stream WHERE id = ?")
        setTypes = try database.prepare("UPDATE stream SET types = ?2 WHERE id = ?1")
        count = try database.prepare(
            "UPDATE meta SET value = value + 1 WHERE key = 'catalogue'")
        insertClock = try database.prepare("INSERT OR REPLACE INTO clock VALUES (?, ?, ?)")
        insertAssignment = try database.prepare(
            """
            INSERT INTO assignment SELECT ?1, ?2, ?3, ?4 WHERE NOT EXISTS (
                SELECT 1 FROM assignment AS same
                WHERE device = ?1 AND t0 = ?2 AND t1 = ?3 AND subject = ?4 AND NOT EXISTS (
                    SELECT 1 FROM assignment AS later
                    WHERE later.device = ?1 AND later.rowid > same.rowid
                    AND later.t0 < ?3 AND later.t1 > ?2))
            RETURNING 1
            """)
        var statements: [DeviceColumn: AttributeStatement] = [:]
        for column in DeviceColumn.allCases {
            statements[column] = AttributeStatement(
                try database.prepare("UPDATE device SET \(column.rawValue) = ?1 WHERE id = ?2"))
        }
        setAttribute = statements
    }

    /// The store's number of a device, which is made where it is new; names are kept up to date.
    func device(_ device: SourceDevice) throws(StorageError) -> Int64 {
        let id = try madeDevice(device.identity)
        guard case .sensor(let remote) = device else { return id }
        if let name = remote.name { try note(.text(.name, name), of: id) }
        if let type = remote.addressType { try note(.text(.addressType, type), of: id) }
        return id
    }

    /// Keeps what a device says of itself, where it is news.
    func note(_ attribute: DeviceAttribute, of device: Int64) throws(StorageError) {
        let column = attribute.column
        guard attributes[device]?[column] != attribute, let boxed = setAttribute[column] else {
            return
        }
        switch attribute {
        case .text(_, let text): try boxed.statement.bind(1, text)
        case .number(_, let number): try boxed.statement.bind(1, Int64(number))
        }
        try boxed.statement.bind(2, device)
        try boxed.statement.run()
        isChanged = true
        attributes[device, default: [:]][column] = attribute
    }

    /// The store's number of a stream, which is made where it is new.
    func stream(
        _ device: Int64, _ characteristic: MeasurementCharacteristic, _ instance: Int
    ) throws(StorageError) -> Int64 {
        if let id = try knownStream(device, characteristic, instance) { return id }
        let name = characteristic.name
        guard let id = try Self.id(insertStream, device, name, instance) else {
            preconditionFailure("an inserted stream has an id")
        }
        isChanged = true
        return id
    }

    /// The store's number of a stream; nil if there is none yet.
    func knownStream(
        _ device: Int64, _ characteristic: MeasurementCharacteristic, _ instance: Int
    ) throws(StorageError) -> Int64? {
        let key = StreamKey(device: device, characteristic: characteristic, instance: instance)
        if let id = streams[key] { return id }
        let id = try Self.id(findStream, device, characteristic.name, instance)
        streams[key] = id
        return id
    }

    /// The store's number of a device; nil if there is none yet.
    func knownDevice(_ identity: SourceDevice.Identity) throws(StorageError) -> Int64? {
        if let id = devices[identity] { return id }
        let id = try Self.id(findDevice, identity)
        devices[identity] = id
        return id
    }

    /// The characteristic of a stream; nil if its readings are none that are decoded.
    func characteristic(of stream: Int64) throws(StorageError) -> MeasurementCharacteristic? {
        try findCharacteristic.bind(1, stream)
        defer { findCharacteristic.reset() }
        guard try findCharacteristic.step(), let text = findCharacteristic.text(0) else {
            return nil
        }
        return MeasurementCharacteristic(name: text)
    }

    /// All streams whose readings are decoded, by their numbers.
    func allStreams() throws(StorageError) -> [(Int64, MeasurementCharacteristic)] {
        var streams: [(Int64, MeasurementCharacteristic)] = []
        defer { selectStreams.reset() }
        while try selectStreams.step() {
            guard let name = selectStreams.text(1),
                let characteristic = MeasurementCharacteristic(name: name)
            else { continue }
            streams.append((selectStreams.int64(0), characteristic))
        }
        return streams
    }

    /// Notes that a packet of a stream held the types of these bits.
    func noteTypes(_ bits: Int64, of stream: Int64) throws(StorageError) {
        var known = types[stream] ?? 0
        if types[stream] == nil {
            try findTypes.bind(1, stream)
            defer { findTypes.reset() }
            known = try findTypes.step() ? findTypes.int64(0) : 0
        }
        types[stream] = known | bits
        guard known | bits != known else { return }
        try setTypes.bind(1, stream)
        try setTypes.bind(2, known | bits)
        try setTypes.run()
        isChanged = true
    }

    /// Counts the changes for readers, before a commit.
    func countChanges() throws(StorageError) {
        guard isChanged else { return }
        try count.run()
        isChanged = false
    }

    /// Keeps our clock less the device's, in ms.
    func noteClock(of device: Int64, at: Instant, _ offset: Int64) throws(StorageError) {
        try insertClock.bind(1, device)
        try insertClock.bind(2, at.milliseconds)
        try insertClock.bind(3, offset)
        try insertClock.run()
    }

    /// Keeps whose a device's readings are; false where the last word on the span said just that.
    func assign(
        _ device: Int64, from start: Instant, until end: Instant, to subject: String
    ) throws(StorageError) -> Bool {
        try insertAssignment.bind(1, device)
        try insertAssignment.bind(2, start.milliseconds)
        try insertAssignment.bind(3, end.milliseconds)
        try insertAssignment.bind(4, subject)
        var isNew = false
        while try insertAssignment.step() { isNew = true }
        isChanged = isChanged || isNew
        return isNew
    }

    /// Forgets what may have been rolled back.
    func forget() {
        devices = [:]
        attributes = [:]
        streams = [:]
        types = [:]
        isChanged = false
    }

    private func madeDevice(_ identity: SourceDevice.Identity) throws(StorageError) -> Int64 {
        if let id = try knownDevice(identity) { return id }
        guard let id = try Self.id(insertDevice, identity) else {
            preconditionFailure("an inserted device has an id")
        }
        devices[identity] = id
        isChanged = true
        return id
    }

    private static func id(
        _ statement: borrowing Statement, _ identity: SourceDevice.Identity
    ) throws(StorageError) -> Int64? {
        try statement.bind(1, identity.address)
        try statement.bind(2, identity.kind.rawValue)
        return try firstNumber(statement)
    }

    private static func id(
        _ statement: borrowing Statement, _ device: Int64, _ characteristic: String,
        _ instance: Int
    ) throws(StorageError) -> Int64? {
        try statement.bind(1, device)
        try statement.bind(2, characteristic)
        try statement.bind(3, Int64(instance))
        return try firstNumber(statement)
    }

    private static func firstNumber(
        _ statement: borrowing Statement
    ) throws(StorageError) -> Int64? {
        defer { statement.reset() }
        return try statement.step() ? statement.int64(0) : nil
    }
}

extension DeviceAttribute {
    /// The column that keeps it.
    fileprivate var column: DeviceColumn {
        switch self {
        case .text(let column, _), .number(let column, _): column
        }
    }
}
