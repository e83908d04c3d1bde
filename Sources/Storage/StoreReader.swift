package import Measurements
internal import Samples

/// A connection that reads beside the writer; each question is one short read transaction.
package final class StoreReader {
    private let database: Database

    /// Rows one page looks at: a longer read would keep the writer's log from being checkpointed.
    package static let pageRows = 1000

    /// Opens the store at `path`, which a writer has made.
    package init(path: String) throws(StorageError) {
        let database = try Database(path: path, mode: .readOnly)
        try database.execute(Schema.reading)
        self.database = database
    }

    /// The greatest seq that is visible; 0 when there is none.
    package func newestSeq() throws(StorageError) -> Int64 {
        (try database.number("SELECT value FROM meta WHERE key = 'next_seq'") ?? 1) - 1
    }

    /// The size of the store's file in octets, without its log.
    package func fileSize() throws(StorageError) -> Int64 {
        let pages = try database.number("PRAGMA page_count") ?? 0
        return pages * (try database.number("PRAGMA page_size") ?? 0)
    }

    /// One page of an answer.
    package struct Page: Sendable {
        /// The samples, in the order of the query.
        package var samples: [StoredSample] = []
        /// Samples that only their quality left out.
        package var excluded = 0
        /// Where the next page begins; nil if this was the last one.
        package var next: SamplePosition?
        /// Whether the page ended because one more sample did not fit.
        package var isFull = false
    }

    /// The samples behind a position, at most `limit`.
    ///
    /// A page ends early after `pageRows` rows, so that it can be empty and still have a next one.
    package func page(
        of query: SampleQuery, after position: SamplePosition?, limit: Int
    ) throws(StorageError) -> Page {
        try transaction { () throws(StorageError) in
            let cursors = try self.cursors(query, position)
            return try PageBuilder(query, position, limit: limit).build(from: cursors)
        }
    }

    /// The newest sample, in the order of the query's sort; nil if there is none.
    package func newest(of query: SampleQuery) throws(StorageError) -> StoredSample? {
        var query = query
        query.order = .descending
        var position: SamplePosition?
        while true {
            let page = try page(of: query, after: position, limit: 1)
            if let sample = page.samples.first { return sample }
            guard let next = page.next else { return nil }
            position = next
        }
    }

    /// All devices, by their numbers.
    package func devices() throws(StorageError) -> [Device] {
        try transaction { () throws(StorageError) in try self.readDevices() }
    }

    /// All streams, by device and number.
    package func streams() throws(StorageError) -> [Stream] {
        try transaction { () throws(StorageError) in try self.readStreams() }
    }

    /// When the newest packet of a stream was received; nil if it has none.
    package func newestReception(of stream: Stream) throws(StorageError) -> Instant? {
        let statement = try database.prepare(
            """
            SELECT at FROM reading WHERE stream = ?
            ORDER BY coalesce(start, at) DESC, seq DESC LIMIT 1
            """)
        try statement.bind(1, stream.id)
        return try statement.step() ? Instant(milliseconds: statement.int64(0)) : nil
    }

    private func transaction<Result>(
        _ body: () throws(StorageError) -> Result
    ) throws(StorageError) -> Result {
        try database.execute("BEGIN")
        do throws(StorageError) {
            let result = try body()
            try database.execute("COMMIT")
            return result
        } catch {
            if database.isInTransaction { try database.execute("ROLLBACK") }
            throw error
        }
    }

    private func cursors(
        _ query: SampleQuery, _ position: SamplePosition?
    ) throws(StorageError) -> [ReadingCursor] {
        var cursors: [ReadingCursor] = []
        for stream in try readStreams() where query.concerns(stream) {
            cursors.append(
                try ReadingCursor(database, stream, query, .starts, from: position))
            if query.sort == .end {
                cursors.append(
                    try ReadingCursor(database, stream, query, .ends, from: position))
            }
        }
        return cursors
    }
}

extension SampleQuery {
    /// Whether a stream can hold what is wanted.
    fileprivate func concerns(_ stream: Stream) -> Bool {
        !types.isDisjoint(with: stream.characteristic.types)
            && !modalities.isDisjoint(with: stream.modalities)
            && (device == nil || device == stream.device.id)
            && (subject.map { stream.device.subjects.contains($0) } ?? true)
    }
}

extension StoreReader {
    private func readDevices() throws(StorageError) -> [Device] {
        let columns = DeviceColumn.allCases.map(\.rawValue).joined(separator: ", ")
        let statement = try database.prepare(
            "SELECT id, address, \(columns) FROM device ORDER BY id")
        let assignments = try readAssignments()
        var devices: [Device] = []
        while try statement.step() {
            devices.append(Self.device(statement, assignments))
        }
        return devices
    }

    private static func device(
        _ row: borrowing Statement, _ assignments: [Int64: [Device.Assignment]]
    ) -> Device {
        var texts: [DeviceColumn: String] = [:]
        var numbers: [DeviceColumn: Int] = [:]
        for (place, column) in DeviceColumn.allCases.enumerated() {
            let index = Int32(place + 2)
            if column.isNumber {
                numbers[column] = row.optionalInt64(index).map { Int($0) }
            } else {
                texts[column] = row.text(index)
            }
        }
        let id = row.int64(0)
        return Device(
            id: id, address: row.text(1) ?? "", texts: texts, numbers: numbers,
            assignments: assignments[id] ?? [])
    }

    private func readAssignments() throws(StorageError) -> [Int64: [Device.Assignment]] {
        let statement = try database.prepare(
            "SELECT device, t0, t1, subject FROM assignment ORDER BY rowid")
        var result: [Int64: [Device.Assignment]] = [:]
        while try statement.step() {
            let span = Device.Assignment(
                start: statement.int64(1), end: statement.int64(2),
                subject: statement.text(3) ?? Device.defaultSubject)
            result[statement.int64(0), default: []].append(span)
        }
        return result
    }

    private func readStreams() throws(StorageError) -> [Stream] {
        let devices = Dictionary(uniqueKeysWithValues: try readDevices().map { ($0.id, $0) })
        let statement = try database.prepare(
            "SELECT id, device, characteristic, instance FROM stream ORDER BY device, id")
        var streams: [Stream] = []
        while try statement.step() {
            guard let device = devices[statement.int64(1)],
                let uuid = BluetoothUUID(statement.text(2) ?? ""),
                let characteristic = MeasurementCharacteristic(uuid)
            else { continue }
            streams.append(
                Stream(
                    id: statement.int64(0), device: device, characteristic: characteristic,
                    instance: Int(statement.int64(3))))
        }
        return streams
    }
}

extension DeviceColumn {
    fileprivate var isNumber: Bool {
        switch self {
        case .temperatureType, .bodyLocation, .measurementInterval: true
        case .name, .addressType, .manufacturer, .model, .serial, .firmware, .hardware,
            .software, .systemID, .pnpID, .regulatory, .plxFeatures:
            false
        }
    }
}
