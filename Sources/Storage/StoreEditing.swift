package import Measurements
package import Samples

/// What a deletion came to.
package struct DeletionTally: Equatable, Sendable {
    /// Readings that are gone.
    package var readings = 0
    /// Samples that they held, by type.
    package var types: [SampleType: Int] = [:]

    /// Nothing yet.
    package init() {}

    /// Samples that they held.
    package var samples: Int { types.values.reduce(0, +) }

    /// Readings with their samples.
    init(readings: Int, types: [SampleType: Int]) {
        (self.readings, self.types) = (readings, types)
    }

    /// One reading with its samples.
    package init(ofOne samples: [Sample]) {
        readings = 1
        for sample in samples { types[sample.type, default: 0] += 1 }
    }

    package static func += (total: inout DeletionTally, part: DeletionTally) {
        total.readings += part.readings
        total.types.merge(part.types) { $0 + $1 }
    }
}

extension StoreWriter {
    /// Deletes readings; each leaves a change in the feed, and does not come back.
    ///
    /// - Returns: What is gone by this; a reading that is not there any more is not counted.
    package func delete(
        readings seqs: [Int64], at now: Instant
    ) throws(StorageError) -> DeletionTally {
        try begin()
        var tally = DeletionTally()
        var edits = BlockEdits()
        for seq in seqs {
            guard let found = try find(seq, edits) else { continue }
            tally += try noteDeletion(of: found.reading, found.characteristic, at: now)
            try takeOut(found, &edits)
        }
        try perform(edits)
        return tally
    }

    /// Notes that a reading is gone, and says what it held.
    func noteDeletion(
        of reading: Reading, _ characteristic: MeasurementCharacteristic, at now: Instant
    ) throws(StorageError) -> DeletionTally {
        let samples = DecodedPacket.samples(of: reading.octets, characteristic)
        try changes.noteDeletion(
            of: reading, digest: ReadingIdentity(reading, of: characteristic).digest,
            samples: DeletedSamples(samples).text, seq: takeSeq(), at: now)
        return DeletionTally(ofOne: samples)
    }

    /// Says that readings of a device in a span are `subject`'s; what was said last counts.
    ///
    /// - Returns: False if the last word on the span said just that.
    package func assign(
        _ device: SourceDevice, from start: Instant, until end: Instant, to subject: String,
        at now: Instant
    ) throws(StorageError) -> Bool {
        try begin()
        let id = try catalogue.device(device)
        guard try catalogue.assign(id, from: start, until: end, to: subject) else { return false }
        try changes.noteAssignment(of: id, from: start, until: end, seq: takeSeq(), at: now)
        return true
    }

    /// Says that readings of a device are `subject`'s from now on, unless they are already.
    package func assign(
        _ device: SourceDevice, from now: Instant, to subject: String
    ) throws(StorageError) {
        try begin()
        let id = try catalogue.device(device)
        let find = try database.prepare(
            """
            SELECT subject FROM assignment WHERE device = ?1 AND t0 <= ?2 AND t1 > ?2
            ORDER BY rowid DESC LIMIT 1
            """)
        try find.bind(1, id)
        try find.bind(2, now.milliseconds)
        let present = try find.step() ? find.text(0) : Device.defaultSubject
        find.reset()
        guard present != subject else { return }
        _ = try assign(device, from: now, until: Instant.range.upperBound, to: subject, at: now)
    }

    /// Gives the store another name, so that anchors and cursors of before mean nothing to it.
    package func rename(epoch: String) throws(StorageError) {
        let statement = try database.prepare("UPDATE meta SET value = ? WHERE key = 'epoch'")
        try statement.bind(1, epoch)
        try statement.run()
    }

    /// Notes that the store is being written, until `markClosed`.
    package func markOpen() throws(StorageError) {
        try database.execute("INSERT OR REPLACE INTO meta VALUES ('closed', 0)")
    }

    /// Notes that nobody writes the store any more; goes with the last commit.
    package func markClosed() throws(StorageError) {
        try database.execute(
            "INSERT OR REPLACE INTO meta VALUES ('closed', 1), ('next_seq', \(nextSeq))")
    }

    /// Whether the data of blocks that go stays in its page: one beside it is malformed, so that SQLite
    /// cannot take anything out there.
    package var leavesData: Bool {
        get { blockWriter.leavesData }
        set { blockWriter.leavesData = newValue }
    }

    /// Slices of one step: live readings wait meanwhile.
    private static let slicesAtOnce = 4
    /// Free pages that are given back one by one: for each of them SQLite goes through the list of all.
    private static let fewPages: Int64 = 4096

    /// Does a part of a checkpoint: seals everything, commits durably, gives free pages back, and empties
    /// the log.
    ///
    /// A quarter that is not over is sealed as far as it goes.
    ///
    /// - Returns: Whether there is more to do; if not, all is on the disk.
    package func checkpoint() throws(StorageError) -> Bool {
        for _ in 0..<Self.slicesAtOnce {
            guard try !sealWhatCanBe() else { continue }
            if !isAllDurable { try commitDurably() }
            try giveBackWhatCanBe()
            try database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            return false
        }
        try commit()
        return true
    }

    /// Seals another slice; what a malformed page keeps from being sealed stays as it is.
    private func sealWhatCanBe() throws(StorageError) -> Bool {
        try commit()
        do throws(StorageError) {
            return try seal(until: Instant.range.upperBound)
        } catch {
            guard error.isDamage else { throw error }
            try rollBack()
            return false
        }
    }

    /// Gives free pages back, unless a malformed one stands in the way.
    private func giveBackWhatCanBe() throws(StorageError) {
        do throws(StorageError) {
            try giveBack()
        } catch {
            guard error.isDamage else { throw error }
            try rollBack()
        }
    }

    /// Gives free pages back; many at a commit, which goes through their list once.
    private func giveBack() throws(StorageError) {
        guard try database.number("PRAGMA freelist_count") ?? 0 > Self.fewPages else {
            return try database.execute("PRAGMA incremental_vacuum")
        }
        try database.execute("PRAGMA auto_vacuum = FULL")
        do throws(StorageError) {
            try commitDurably()
        } catch {
            try database.execute("PRAGMA auto_vacuum = INCREMENTAL")
            throw error
        }
        try database.execute("PRAGMA auto_vacuum = INCREMENTAL")
    }
}

/// What a deleted reading's samples were, as the change keeps it: `0 heartRate strap ok,…`.
struct DeletedSamples {
    /// One sample that is gone.
    struct Entry: Equatable {
        let index: Int
        let type: SampleType
        let modality: Modality
        let quality: Quality
    }

    let entries: [Entry]

    init(_ samples: [Sample]) {
        entries = samples.map {
            Entry(index: $0.index, type: $0.type, modality: $0.modality, quality: $0.quality)
        }
    }

    init(_ text: String) {
        entries = text.split(separator: ",").compactMap { part in
            let words = part.split(separator: " ").map(String.init)
            guard words.count == 4, let index = Int(words[0]),
                let type = SampleType(rawValue: words[1]),
                let modality = Modality(rawValue: words[2]),
                let quality = Quality(rawValue: words[3])
            else { return nil }
            return Entry(index: index, type: type, modality: modality, quality: quality)
        }
    }

    var text: String {
        entries.map {
            "\($0.index) \($0.type.rawValue) \($0.modality.rawValue) \($0.quality.rawValue)"
        }.joined(separator: ",")
    }
}
