import DBus
import Measurements

/// What is asked of a sensor on one link, one thing after the other, once its sessions stand.
///
///     features ──► records ──► clock ──► description
///
/// Records before the clock, since they are stamped by it as it was; the clock before what the sensor
/// says of itself, since a sleepy sensor is soon gone.
struct SensorWork {
    /// What is to be begun next.
    enum Stage: Equatable, Sendable {
        case features
        case records
        case clock
        case description
    }

    /// How far it is on this link.
    var stage = Stage.features
    /// The fetching of records; nil if there are none to fetch, or not yet.
    var records: RecordAccess?
    /// The handling of the clock; nil if there is none, or not yet.
    var clock: ClockSetting?
    /// Whether an operator wants the clock set; outlives the link.
    var isClockOrdered = false
    /// Whether the clock that is being handled is the one that was ordered.
    var isOrderRunning = false
    /// How the last handling of the clock ended; outlives the link.
    var clockOutcome: ClockSetting.Outcome?

    /// Whether something is going on that a value or a reply will end.
    var isRunning: Bool { (records?.isRunning ?? false) || (clock?.isRunning ?? false) }
    /// Whether stored records are coming in.
    var isFetching: Bool { records?.isRunning ?? false }

    /// When `RecordAccess` or `ClockSetting` waits for the time.
    var nextDeadline: Int64? { earlier(records?.nextDeadline ?? nil, clock?.nextDeadline ?? nil) }

    /// A new link: everything that is done on each is to be done again.
    mutating func linkUp() {
        stage = .features
        records = nil
        clock = nil
    }
}

// MARK: - One thing after the other

extension SensorSession {
    /// Begins with the next thing that is to be done on a link whose sessions stand.
    mutating func workOn(at now: Moment) -> [Action] {
        guard tally.armedAt != nil, link.upSince != nil, !link.isHangingUp, !farewell.isLeaving,
            reads.reading == nil, !work.isRunning
        else { return [] }
        switch work.stage {
        case .features:
            let read = readNext(SensorReads.features)
            if read.isEmpty { work.stage = .records }
            return read.isEmpty ? workOn(at: now) : read
        case .records:
            work.stage = .clock
            return fetchRecords(at: now) + workOn(at: now)
        case .clock:
            work.stage = .description
            return beginClock(at: now) + workOn(at: now)
        case .description:
            // What it can do comes again here, in case that bluetoothd was too busy for it.
            return readNext([.batteryLevel] + SensorReads.features + SensorReads.description)
        }
    }

    /// By handle.
    var objects: [CharacteristicObject] { characteristics.values.sorted { $0.path < $1.path } }

    private mutating func readNext(_ uuids: [BluetoothUUID]) -> [Action] {
        guard let next = reads.next(uuids, among: objects) else { return [] }
        return [.call(.read(next.path), .readValue(at: next.path))]
    }

    private func standing(_ uuid: BluetoothUUID) -> CharacteristicObject? {
        objects.first { $0.uuid == uuid && arming.items[$0.path]?.isStanding == true }
    }

    private mutating func fetchRecords(at now: Moment) -> [Action] {
        guard standing(.recordAccessControlPoint) != nil,
            standing(.plxSpotCheckMeasurement) != nil
        else { return [] }
        work.records = RecordAccess(deletesStoredRecords: settings.deletesStoredRecords)
        return perform(work.records?.handle(.begin, at: now), at: now)
    }

    private mutating func beginClock(at now: Moment) -> [Action] {
        let wish: ClockSetting.Wish =
            work.isClockOrdered ? .set : settings.setsClocks ? .correct : .read
        work.clock = ClockSetting(among: objects, wish: wish, localTime: settings.localTime)
        work.isOrderRunning = work.isClockOrdered
        guard work.clock == nil else {
            return perform(work.clock?.handle(.begin, at: now), at: now)
        }
        return work.isOrderRunning ? clockIsOver(.unwritable) : []
    }

    /// On this link if it is at work already, else when the next one is.
    mutating func setClock(at now: Moment) -> [Action] {
        work.isClockOrdered = true
        guard work.stage == .description, work.clock?.isRunning != true else { return [] }
        work.stage = .clock
        return workOn(at: now)
    }

    private mutating func clockIsOver(_ outcome: ClockSetting.Outcome) -> [Action] {
        if outcome != .linkLost { work.clockOutcome = outcome }
        guard work.isOrderRunning else { return [] }
        work.isOrderRunning = false
        guard outcome != .linkLost else { return [] }
        work.isClockOrdered = false
        return [.clock(outcome)]
    }

    /// The link is gone, and what was going on is over with it.
    mutating func workEnds(at now: Moment) -> [Action] {
        let records = perform(work.records?.handle(.linkLost, at: now), at: now)
        let clock = perform(work.clock?.handle(.linkLost, at: now), at: now)
        work.linkUp()
        return records + clock
    }

    /// What is due by now.
    mutating func workDeadline(at now: Moment) -> [Action] {
        perform(work.records?.handle(.deadline, at: now), at: now)
            + perform(work.clock?.handle(.deadline, at: now), at: now)
            + (reads.rested(at: now.boot) ? workOn(at: now) : [])
    }
}

// MARK: - Wishes and replies

extension SensorSession {
    /// Carries out what the fetching of records wants.
    mutating func perform(_ wishes: [RecordAccess.Action]?, at now: Moment) -> [Action] {
        (wishes ?? []).flatMap { wish -> [Action] in
            switch wish {
            case .write(let octets): return writeRecords(octets)
            case .arm: return arm(at: now)
            case .persist: return [.persist]
            case .note(let event, let text): return [.note(event, text)]
            case .finished: return workOn(at: now)
            }
        }
    }

    private func writeRecords(_ octets: [UInt8]) -> [Action] {
        guard let point = objects.first(where: { $0.uuid == .recordAccessControlPoint }) else {
            return []
        }
        return [.call(.records(octets), .writeValue(octets, at: point.path))]
    }

    /// Takes in what became of a write of the control point.
    mutating func recordsWritten(
        _ octets: [UInt8], _ result: Result<[BusValue], BusError>, at now: Moment
    ) -> [Action] {
        let point = objects.first { $0.uuid == .recordAccessControlPoint }
        let written: [Action] =
            result.failure == nil && link.upSince != nil
            ? [.collect(event(.write, of: point, octets, at: now))] : []
        return written + perform(work.records?.handle(.written(result.failure), at: now), at: now)
    }

    /// Carries out what the clock wants.
    mutating func perform(_ wishes: [ClockSetting.Action]?, at now: Moment) -> [Action] {
        (wishes ?? []).flatMap { wish -> [Action] in
            switch wish {
            case .read(let path): return [.call(.readClock(path), .readValue(at: path))]
            case .write(let path, let octets):
                return [.call(.writeClock(path, octets), .writeValue(octets, at: path))]
            case .askHostClock: return [.askHostClock]
            case .note(let event, let text): return [.note(event, text)]
            case .finished(let outcome): return clockIsOver(outcome) + workOn(at: now)
            }
        }
    }

    /// Takes in what the clock shows.
    mutating func clockRead(
        _ path: String, _ result: Result<[BusValue], BusError>, at now: Moment
    ) -> [Action] {
        let octets = result.map { $0.first?.bytes ?? [] }
        var actions: [Action] = []
        if case .success(let value) = octets, let clock = characteristics[path] {
            actions = [.collect(event(.read, of: clock, value, at: now))]
        }
        return actions + perform(work.clock?.handle(.read(octets), at: now), at: now)
    }

    /// Takes in what became of a write of the clock.
    mutating func clockWritten(
        _ path: String, _ octets: [UInt8], _ result: Result<[BusValue], BusError>, at now: Moment
    ) -> [Action] {
        var actions: [Action] = []
        if result.failure == nil, let clock = characteristics[path],
            clock.uuid != .localTimeInformation
        {
            actions = [.collect(event(.write, of: clock, octets, at: now))]
        }
        return actions + perform(work.clock?.handle(.written(result.failure), at: now), at: now)
    }

    /// What was collected is on the disk, or could not be written.
    mutating func persisted(_ isKept: Bool, at now: Moment) -> [Action] {
        perform(work.records?.handle(.persisted(isKept), at: now), at: now)
    }
}
