package import Measurements
package import Samples

/// One thing that happened to a sample, in the order in which it was committed.
package struct FeedRecord: Sendable {
    /// The place in the feed; all records of one seq belong together.
    package let seq: Int64
    /// What happened.
    package let event: Event

    /// What happened to a sample.
    package enum Event: Sendable {
        /// It came in.
        case added(StoredSample)
        /// Something about it changed.
        case updated(StoredSample)
        /// It is gone.
        case deleted(DeletedSample)
        /// All samples of a type are gone that a device sent in a span.
        case deletedSpan(DeletedSpan)
    }
}

/// The samples of one type that a device sent in a span, all of them gone.
package struct DeletedSpan: Sendable {
    /// What they measured.
    package let type: SampleType
    /// The device that sent them.
    package let device: Device
    /// The span in which they were received.
    package let interval: DateInterval
}

/// A sample that is gone.
package struct DeletedSample: Equatable, Sendable {
    /// `<first seq>.<place in the packet>`.
    package let id: String
    /// What it measured.
    package let type: SampleType
    /// When the measurement began.
    package let start: Instant
}

/// A place in the feed.
package struct FeedPosition: Equatable, Sendable {
    /// The last seq of which everything was read.
    package var seq: Int64
    /// How far the next seq was read, where it is too long for one page.
    package var inside: SamplePosition?

    /// The place behind everything of a seq.
    package init(after seq: Int64) {
        self.seq = seq
    }
}

/// What of the feed somebody wants.
package struct FeedFilter: Equatable, Sendable {
    /// The types wanted.
    package var types: Set<SampleType>
    /// The modalities wanted.
    package var modalities = Modality.standard
    /// The qualities wanted.
    package var qualities = Quality.standard

    /// All samples of these types, but for what answers leave out by default.
    package init(types: Set<SampleType>) {
        self.types = types
    }

    fileprivate func matches(_ sample: Sample) -> Bool {
        matches(sample.type, sample.modality, sample.quality)
    }

    /// Whether some of the samples wanted can come in a stream and be of a type.
    fileprivate func concerns(_ type: SampleType, of stream: Stream) -> Bool {
        types.contains(type) && stream.hasHeld(type)
            && !modalities.isDisjoint(with: stream.modalities)
    }

    fileprivate func matches(
        _ type: SampleType, _ modality: Modality, _ quality: Quality
    ) -> Bool {
        types.contains(type) && modalities.contains(modality) && qualities.contains(quality)
    }
}

extension StoreReader {
    /// A piece of the feed.
    package struct FeedPage: Sendable {
        /// The records, by seq.
        package var records: [FeedRecord] = []
        /// Where the next piece begins.
        package var next: FeedPosition
        /// The greatest seq there was when it was read.
        package var newest: Int64

        /// Whether there was nothing more.
        package var isEnd: Bool { next.inside == nil && next.seq >= newest }
    }

    /// The records behind a position, of at most `rows` readings, and changes between them.
    package func feed(
        _ filter: FeedFilter, after position: FeedPosition, rows: Int
    ) throws(StorageError) -> FeedPage {
        try transaction { () throws(StorageError) in
            let newest = try self.newestSeq()
            var page = FeedPage(next: position, newest: newest)
            guard position.seq < newest else { return page }
            let streams = Dictionary(
                uniqueKeysWithValues: try self.streamsNow().map { ($0.id, $0) })
            try self.fill(&page, filter, streams, rows)
            return page
        }
    }

    private func fill(
        _ page: inout FeedPage, _ filter: FeedFilter, _ streams: [Int64: Stream], _ rows: Int
    ) throws(StorageError) {
        let first = page.next.seq
        let changes = try readChanges(after: first, limit: rows)
        let piece = try readings(behind: first, limit: rows)
        // As far as both were read.
        let last = changes.count < rows ? piece.last : min(piece.last, changes[rows - 1].seq)
        var rest = changes.prefix { $0.seq <= last }
        for reading in piece.readings where reading.seq <= last {
            while let change = rest.first, change.seq < reading.seq {
                guard try append(change, to: &page, filter, streams) else { return }
                rest.removeFirst()
            }
            append(reading, to: &page, filter, streams)
        }
        for change in rest {
            guard try append(change, to: &page, filter, streams) else { return }
        }
        page.next = FeedPosition(after: min(last, page.newest))
    }

    private func append(
        _ reading: Reading, to page: inout FeedPage, _ filter: FeedFilter,
        _ streams: [Int64: Stream]
    ) {
        page.next.seq = reading.seq
        guard let stream = streams[reading.stream] else { return }
        let subject = stream.device.subject(at: reading.measuredFrom)
        for sample in DecodedPacket.samples(of: reading.octets, stream.characteristic)
        where filter.matches(sample) {
            let stored = StoredSample(
                reading: reading, sample: sample, stream: stream,
                subject: subject)
            let event: FeedRecord.Event =
                reading.first == nil ? .added(stored) : .updated(stored)
            page.records.append(FeedRecord(seq: reading.seq, event: event))
        }
    }
}

// The changes between the readings.
extension StoreReader {
    /// A row of the table of changes.
    private struct Change {
        let seq: Int64
        let content: Content

        enum Content {
            case deletion(target: Int64, start: Instant, DeletedSamples)
            case spanDeletion(stream: Int64, DateInterval)
            case assignment(device: Int64, start: Instant, end: Instant)
        }
    }

    private func readChanges(after seq: Int64, limit: Int) throws(StorageError) -> [Change] {
        let statement = try database.prepare(
            """
            SELECT seq, op, target, device, t0, t1, samples, stream FROM change WHERE seq > ?
            ORDER BY seq LIMIT ?
            """)
        try statement.bind(1, seq)
        try statement.bind(2, Int64(limit))
        var changes: [Change] = []
        while try statement.step() {
            changes.append(Change(seq: statement.int64(0), content: Self.content(statement)))
        }
        return changes
    }

    private static func content(_ row: borrowing Statement) -> Change.Content {
        let start = Instant(milliseconds: row.int64(4))
        guard row.text(1) == ChangeLog.Operation.delete.rawValue else {
            return .assignment(
                device: row.int64(3), start: start, end: Instant(milliseconds: row.int64(5)))
        }
        if let end = row.optionalInt64(5) {
            return .spanDeletion(
                stream: row.int64(7),
                DateInterval(start: start, end: Instant(milliseconds: end)))
        }
        return .deletion(
            target: row.int64(2), start: start, DeletedSamples(row.text(6) ?? ""))
    }

    /// Appends a change's records; false when they go on in the next page.
    private func append(
        _ change: Change, to page: inout FeedPage, _ filter: FeedFilter,
        _ streams: [Int64: Stream]
    ) throws(StorageError) -> Bool {
        switch change.content {
        case .deletion(let target, let start, let samples):
            for entry in samples.entries
            where filter.matches(entry.type, entry.modality, entry.quality) {
                let sample = DeletedSample(
                    id: "\(target).\(entry.index)", type: entry.type, start: start)
                page.records.append(FeedRecord(seq: change.seq, event: .deleted(sample)))
            }
        case .spanDeletion(let id, let interval):
            guard let stream = streams[id] else { break }
            for type in stream.characteristic.types where filter.concerns(type, of: stream) {
                let span = DeletedSpan(type: type, device: stream.device, interval: interval)
                page.records.append(FeedRecord(seq: change.seq, event: .deletedSpan(span)))
            }
        case .assignment(let device, let start, let end):
            guard try appendSamples(of: device, start, end, change.seq, to: &page, filter) else {
                return false
            }
        }
        page.next = FeedPosition(after: change.seq)
        return true
    }

    /// Updates of one assignment on one page.
    private static let updatesAtOnce = 100

    /// An assignment is an update of every sample that it concerns.
    private func appendSamples(
        of device: Int64, _ start: Instant, _ end: Instant, _ seq: Int64,
        to page: inout FeedPage, _ filter: FeedFilter
    ) throws(StorageError) -> Bool {
        var query = SampleQuery(types: filter.types, newest: seq - 1)
        query.modalities = filter.modalities
        query.qualities = filter.qualities
        (query.device, query.start, query.end) = (device, start, end)
        let samples = try builtPage(
            of: query, after: page.next.inside, limit: Self.updatesAtOnce)
        for sample in samples.samples {
            page.records.append(FeedRecord(seq: seq, event: .updated(sample)))
        }
        guard let next = samples.next else { return true }
        page.next = FeedPosition(after: seq - 1)
        page.next.inside = next
        return false
    }
}
