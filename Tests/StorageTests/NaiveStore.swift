import Measurements
import Samples

/// What a sensor does in a random sequence, told without octets.
enum Act: Equatable {
    /// A link comes up or goes down.
    case link
    /// The Record Access Control Point answers.
    case answer
    /// A value arrives.
    case value(Value)

    /// One of two kinds of packets: with a stamp (spot-check) or without (continuous).
    struct Value: Equatable {
        var spo2: UInt16
        /// Minutes after noon that the device's stamp says; nil for a continuous packet.
        var minute: Int?
        var status: UInt16?
    }
}

/// An act of one device at one time, in ms after noon.
struct TimedAct: Equatable {
    var act: Act
    var device: UInt64
    var at: Int64

    /// The event that the rest of the program sees.
    var event: GATTEvent {
        switch act {
        case .link: StorageTests.event(.connect, at: at, device: device)
        case .answer:
            StorageTests.event(
                .indicate, .recordAccessControlPoint, [6, 0, 1, 1], at: at, device: device)
        case .value(let value):
            if let minute = value.minute {
                spotCheck(
                    value.spo2, minute: minute, status: value.status ?? 0, at: at, device: device)
            } else {
                continuous(value.spo2, status: value.status, at: at, device: device)
            }
        }
    }
}

/// A store that is nothing but an array of what happened, after the words of the rules.
struct NaiveStore {
    /// A reading as stored.
    struct Entry {
        var seq: Int64
        var device: UInt64
        var value: Act.Value
        var at: Int64
        var ordinal: Int
        /// The first seq, where it was moved.
        var first: Int64?
        /// When it was measured, where somebody said that.
        var redated: Int64?

        /// The time that makes it the same as another, in ms after noon.
        var identityTime: Int64 { value.minute.map { Int64($0) * 60_000 } ?? at }
        /// When it was measured, in ms after noon.
        var start: Int64 { redated ?? identityTime }
        /// The first half of the ids of its samples.
        var id: Int64 { first ?? seq }
        /// Whether it has no time but that of its reception.
        var isPlain: Bool { value.minute == nil && redated == nil }
    }

    /// What can happen to a store; each has a seq.
    enum Happening {
        case added(Entry)
        case deleted(Entry)
        case moved(from: Int64, Entry)
        case deletedSpan(SpanDeletion)
        case assigned(Assignment)
    }

    /// All readings of a device's continuous stream in a span of ms after noon are gone.
    struct SpanDeletion {
        var device: UInt64
        var span: Range<Int64>
        /// When that was done, in ms after noon.
        var at: Int64
    }

    /// Readings of a device in a span of ms after noon become somebody's.
    struct Assignment {
        var device: UInt64
        var span: Range<Int64>
        var subject: String
    }

    /// Everything that happened; the place is the seq less one.
    private(set) var log: [Happening] = []
    /// Everything stored, in the order of seq.
    private(set) var entries: [Entry] = []

    /// The values of each device in its present run, each with the time that counts for it.
    struct Run {
        fileprivate var values: [UInt64: [(Act.Value, Int64)]] = [:]
    }

    private var nextSeq: Int64 { Int64(log.count) + 1 }

    /// Takes an act in; returns the outcome that a reading must have.
    mutating func take(_ timed: TimedAct, in run: inout Run) -> StoredOrNot? {
        guard case .value(let value) = timed.act else {
            run.values[timed.device] = []
            return nil
        }
        let entry = Entry(
            seq: nextSeq, device: timed.device, value: value, at: timed.at,
            ordinal: run.values[timed.device, default: []].count {
                $0 == (value, time(timed, value))
            })
        run.values[timed.device, default: []].append((value, time(timed, value)))
        if deleted.contains(where: { isSame($0, entry) }) || isInDeletedSpan(entry) {
            return .deleted
        }
        if entries.contains(where: { isSame($0, entry) }) { return .duplicate }
        happen(.added(entry))
        return .stored(entry.seq)
    }

    /// Deletes the readings of these seqs that are there; returns how many were.
    mutating func delete(_ seqs: [Int64]) -> Int {
        seqs.count { seq in
            guard let entry = entries.first(where: { $0.seq == seq }) else { return false }
            happen(.deleted(entry))
            return true
        }
    }

    /// Deletes what a stream has in a span; returns how many readings that were.
    mutating func delete(_ deletion: SpanDeletion, isContinuous: Bool) -> Int {
        let gone = entries.filter {
            $0.device == deletion.device && ($0.value.minute == nil) == isContinuous
                && deletion.span.contains($0.start)
        }.sorted { ($0.start, $0.seq) < ($1.start, $1.seq) }
        for entry in gone where !entry.isPlain { happen(.deleted(entry)) }
        if gone.contains(where: \.isPlain) { happen(.deletedSpan(deletion)) }
        return gone.count
    }

    private func isInDeletedSpan(_ entry: Entry) -> Bool {
        entry.value.minute == nil
            && log.contains { happening in
                guard case .deletedSpan(let deletion) = happening else { return false }
                return deletion.device == entry.device && deletion.span.contains(entry.at)
                    && entry.at < deletion.at
            }
    }

    /// Says when a reading was measured; returns its new seq.
    mutating func redate(_ seq: Int64, to start: Int64) -> Int64? {
        guard var entry = entries.first(where: { $0.seq == seq }) else { return nil }
        (entry.first, entry.redated, entry.seq) = (entry.id, start, nextSeq)
        happen(.moved(from: seq, entry))
        return entry.seq
    }

    /// Gives readings to somebody; false where the last word on the span said just that.
    mutating func assign(_ device: UInt64, _ span: Range<Int64>, to subject: String) -> Bool {
        let last = assignments.last { $0.device == device && $0.span.overlaps(span) }
        if let last, last.span == span, last.subject == subject { return false }
        happen(.assigned(Assignment(device: device, span: span, subject: subject)))
        return true
    }

    private mutating func happen(_ happening: Happening) {
        log.append(happening)
        switch happening {
        case .added(let entry): entries.append(entry)
        case .deleted(let entry): entries.removeAll { $0.seq == entry.seq }
        case .moved(let seq, let entry):
            entries.removeAll { $0.seq == seq }
            entries.append(entry)
        case .deletedSpan(let deletion):
            entries.removeAll {
                $0.device == deletion.device && $0.isPlain && deletion.span.contains($0.start)
            }
        case .assigned: break
        }
    }

    private var deleted: [Entry] {
        log.compactMap { if case .deleted(let entry) = $0 { entry } else { nil } }
    }

    /// All assignments, in the order in which they were made.
    var assignments: [Assignment] {
        log.compactMap { if case .assigned(let assignment) = $0 { assignment } else { nil } }
    }

    /// What became of a reading.
    enum StoredOrNot: Equatable {
        case stored(Int64)
        case duplicate
        case deleted
    }

    private func time(_ timed: TimedAct, _ value: Act.Value) -> Int64 {
        value.minute.map { Int64($0) * 60_000 } ?? timed.at
    }

    /// Same stream, same time, same octets but for the bit of stored data, same ordinal.
    private func isSame(_ left: Entry, _ right: Entry) -> Bool {
        left.device == right.device && (left.value.minute == nil) == (right.value.minute == nil)
            && left.identityTime == right.identityTime && left.ordinal == right.ordinal
            && left.value.spo2 == right.value.spo2 && masked(left.value) == masked(right.value)
    }

    /// Continuous packets know no memory: their bits all count.
    private func masked(_ value: Act.Value) -> UInt16? {
        value.minute == nil ? value.status : (value.status ?? 0) & ~fromStorage
    }

    /// The greatest seq behind which readings only came in.
    var lastChange: Int64 {
        let last = log.lastIndex { if case .added = $0 { false } else { true } }
        return Int64(last.map { $0 + 1 } ?? 0)
    }

    /// The store without the readings that came behind a seq.
    func until(_ seq: Int64) -> NaiveStore {
        var store = self
        store.entries.removeAll { $0.seq > seq }
        return store
    }

    /// Forgets everything behind a seq.
    mutating func forget(after seq: Int64) {
        let kept = log.prefix(Int(seq))
        (log, entries) = ([], [])
        kept.forEach { happen($0) }
    }
}
