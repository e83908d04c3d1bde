internal import BlueZ
internal import Measurements
internal import Storage

/// The stretches of time since the start between which the host's clock was set, for the ledger.
struct ClockStretches {
    /// Entries of the ledger that are to move.
    struct Shift: Equatable {
        let ids: Range<Int64>
        /// In ms.
        let distance: Int64
    }

    private struct Stretch {
        let firstID: Int64
        /// The wall clock less the boot-time clock, in ms.
        let distance: Int64
        var isWrong = false
    }

    private var stretches: [Stretch]

    /// Stretches that are remembered: nobody sets a clock more often before it is right.
    private static let limit = 64

    /// The first stretch: all that this run of the daemon notes is in it.
    init(firstID: Int64 = 1, at now: Moment) {
        stretches = [Stretch(firstID: firstID, distance: now.distance)]
    }

    /// Begins another stretch with the next entry of the ledger.
    mutating func begin(firstID: Int64, at now: Moment) {
        stretches.append(Stretch(firstID: firstID, distance: now.distance))
        if stretches.count > Self.limit { stretches.removeFirst() }
    }

    /// Notes whether the clock is right; gives what is to move once it is.
    mutating func note(isSynchronised: Bool, at now: Moment) -> [Shift] {
        let place = stretches.count - 1
        stretches[place].isWrong = !isSynchronised
        guard isSynchronised else { return [] }
        let shifts = zip(stretches, stretches.dropFirst()).filter { $0.0.isWrong }.map {
            one, next in
            Shift(ids: one.firstID..<next.firstID, distance: now.distance - one.distance)
        }
        stretches.removeFirst(place)
        return shifts
    }
}

extension Moment {
    /// The wall clock less the clock that never jumps, in ms.
    var distance: Int64 { wall.milliseconds - boot }
}

extension WriterLoop {
    /// Begins another stretch of seqs and of the ledger.
    mutating func beginStretch(at now: Moment) {
        attempt { (loop) throws(StorageError) in
            try loop.store.beginSegment(
                boot: Clock.bootID, bootMilliseconds: now.boot, wall: now.wall)
            loop.stretches.begin(firstID: try loop.store.nextLedgerID(), at: now)
        }
    }

    /// Notes whether the host's clock is right, and moves what was dated by a wrong one.
    mutating func noteClock(_ isSynchronised: Bool, at now: Moment) {
        let shifts = stretches.note(isSynchronised: isSynchronised, at: now)
        attemptAround(for: .request) { (loop) throws(StorageError) in
            let count = try loop.store.noteClock(
                isSynchronised: isSynchronised, boot: Clock.bootID, distance: now.distance)
            for shift in shifts { try loop.store.shiftLedger(shift.ids, by: shift.distance) }
            guard count > 0 else { return }
            Log.write(.notice, "\(count) readings were dated anew: the clock was wrong before")
        }
    }
}
