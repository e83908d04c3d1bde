internal import Measurements
internal import Samples
internal import Storage

/// What the recordings that come in have at stake: rows that are not committed, and failures.
struct ReplayLedger {
    /// Why a recording could not be kept whole, and how much of it was lost.
    struct Failure: Error, Sendable {
        let error: StorageError
        var lost = ReplayTally()
    }

    private var uncommitted: [ConnectionID: ReplayTally] = [:]
    private var failures: [ConnectionID: Failure] = [:]

    /// Whether a recording has failed, so that the rest of it is not tried.
    func hasFailed(_ connection: ConnectionID) -> Bool { failures[connection] != nil }

    /// Notes rows that are not committed yet.
    mutating func note(_ tally: ReplayTally, of connection: ConnectionID) {
        uncommitted[connection, default: ReplayTally()] += tally
    }

    mutating func noteCommitted() { uncommitted = [:] }

    /// Notes that all rows that were not committed are lost.
    mutating func noteFailure(_ error: StorageError) {
        for (connection, tally) in uncommitted {
            failures[connection, default: Failure(error: error)].lost += tally
        }
        uncommitted = [:]
    }

    /// Notes that a recording failed by itself.
    mutating func fail(_ connection: ConnectionID, _ error: StorageError) {
        failures[connection, default: Failure(error: error)].lost += ReplayTally()
    }

    /// Takes out how a recording ended; nil if all of it was kept.
    mutating func takeFailure(of connection: ConnectionID) -> Failure? {
        uncommitted[connection] = nil
        return failures.removeValue(forKey: connection)
    }
}

extension WriterLoop {
    /// Keeps a piece of a recording.
    mutating func keep(_ intakes: [Intake], of connection: ConnectionID) -> ReplayTally {
        var tally = ReplayTally()
        guard !replays.hasFailed(connection) else { return tally }
        replays.note(tally, of: connection)
        attempt { (loop) throws(StorageError) in
            for intake in intakes {
                var one = ReplayTally()
                one.count(intake, try loop.store.ingest(intake))
                tally += one
                loop.replays.note(one, of: connection)
                try loop.noteRow(one)
            }
        }
        return tally
    }

    /// Makes a recording durable; without that nothing is confirmed.
    mutating func finishReplay(
        _ connection: ConnectionID, _ assignments: ReplayAssignments?, _ isDryRun: Bool
    ) -> Result<Int64, ReplayLedger.Failure> {
        replays.note(ReplayTally(), of: connection)
        upkeep.noteReplayEnd()
        attempt { (loop) throws(StorageError) in
            if let assignments, !isDryRun { try loop.assign(assignments) }
            try loop.store.commitDurably()
        }
        return replays.takeFailure(of: connection).map { .failure($0) } ?? .success(store.committed)
    }

    private func assign(_ assignments: ReplayAssignments) throws(StorageError) {
        for span in assignments.spans {
            let end = span.last.advanced(byMilliseconds: 1)
            _ = try store.assign(
                span.device, from: span.first, until: end, to: span.subject, at: Clock.now)
        }
    }

    /// Finds out what would become of intakes: against the store, then against what came before.
    mutating func rehearse(_ intakes: [Intake], _ connection: ConnectionID) -> ReplayTally {
        var tally = ReplayTally()
        let failure = attempt(for: .request) { (loop) throws(StorageError) in
            let scratch = try loop.scratchStore(of: connection)
            for intake in intakes {
                var outcome = try loop.store.verdict(on: intake)
                if outcome == nil { outcome = try scratch.ingest(intake) }
                tally.count(intake, outcome ?? .noted)
            }
        }
        if let failure { replays.fail(connection, failure) }
        return tally
    }

    private mutating func scratchStore(
        of connection: ConnectionID
    ) throws(StorageError) -> StoreWriter {
        if let store = dryRuns[connection] { return store }
        let store = try StoreWriter(path: "", newEpoch: "dry-run")
        dryRuns[connection] = store
        return store
    }

    /// Does something for an answer.
    mutating func perform(_ job: StoreJob) -> Result<StoreResult, StorageError> {
        var result = Result<StoreResult, StorageError>.success(.done(seq: store.committed))
        ServiceManager.announceLongWork(true)
        defer { ServiceManager.announceLongWork(false) }
        attemptAround(for: .request) { (loop) throws(StorageError) in
            do throws(StorageError) {
                result = .success(try loop.done(job))
            } catch {
                result = .failure(error)
                throw error
            }
        }
        return result
    }

    /// What is deleted is committed by itself: a failure brings nothing back, and takes nothing along.
    private func done(_ job: StoreJob) throws(StorageError) -> StoreResult {
        switch job {
        case .delete(let seqs):
            try store.commit()
            let tally = try store.delete(readings: seqs, at: Clock.now)
            try store.commit()
            return .deleted(tally)
        case .deleteSpan(let streams, let span):
            try store.commit()
            var tally = DeletionTally()
            for stream in streams {
                tally += try store.delete(
                    stream: stream, from: span.start, until: span.end, at: Clock.now)
            }
            try store.commit()
            return .deleted(tally)
        case .assign(let device, let start, let end, let subject):
            _ = try store.assign(device, from: start, until: end, to: subject, at: Clock.now)
            try store.commitDurably()
        case .checkpoint: guard try !store.checkpoint() else { return .going }
        case .outdateSummaries: try store.outdateSummaries()
        case .renewSummaries:
            guard try !store.renewSummaries() else { return .going }
            try store.commitDurably()
        }
        return .done(seq: store.committed)
    }
}
