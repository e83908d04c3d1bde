import DBus
import Measurements

/// What a sensor says, and what is asked of it on a link.
extension SensorSession {
    /// Takes a value in that bluetoothd announced.
    mutating func value(_ path: String, _ octets: [UInt8], at now: Moment) -> [Action] {
        guard let object = characteristics[path], !isEcho(path) else { return [] }
        guard object.isArmed else {
            tally.unwanted += 1
            return []
        }
        var actions = perform(link.handle(.value, at: now.boot), at: now)
        actions.append(.collect(event(object.kind, of: object, octets, at: now)))
        count(object, octets, at: now)
        if tally.framesOfLink == 1, object.isMeasurement { actions += firstFrame(object, at: now) }
        return actions + passOn(object, octets, at: now)
    }

    /// To whoever waits for records, for their end, or for the end of all of them.
    private mutating func passOn(
        _ object: CharacteristicObject, _ octets: [UInt8], at now: Moment
    ) -> [Action] {
        var actions: [Action] = []
        if object.uuid == .recordAccessControlPoint {
            actions += perform(work.records?.handle(.response(octets), at: now), at: now)
        }
        if object.uuid == .plxSpotCheckMeasurement {
            actions += perform(work.records?.handle(.record(octets), at: now), at: now)
        }
        guard isTransfer(object) else { return actions }
        tally.lastTransfer = now.boot
        actions += perform(work.clock?.handle(.indicated, at: now), at: now)
        return actions + perform(farewell.handle(.transfer, at: now.boot), at: now)
    }

    /// The answer to ReadValue comes a second time, as a value of nobody's.
    private func isEcho(_ path: String) -> Bool { reads.reading?.path == path }

    private func isTransfer(_ object: CharacteristicObject) -> Bool {
        object.kind == .indicate || object.uuid == .recordAccessControlPoint
    }

    private mutating func count(
        _ object: CharacteristicObject, _ octets: [UInt8], at now: Moment
    ) {
        if tally.valuesOfLink == 0 { history.valueCame() }
        _ = arming.handle(.value(object.path), at: now.boot)
        tally.valuesOfLink += 1
        tally.lastSeen = now.wall
        if object.uuid == .batteryLevel { batteryNotified(octets) }
        guard object.isMeasurement else { return }
        tally.framesOfLink += 1
        tally.frames += 1
        tally.lastFrame = now.wall
        tally.lastFrameBoot = now.boot
        tally.lastFrameValue = (object.uuid, octets)
        let isValueless = SensorStatus.isValueless(object.uuid, octets)
        tally.valuelessFrames = isValueless ? tally.valuelessFrames + 1 : 0
    }

    private func firstFrame(_ object: CharacteristicObject, at now: Moment) -> [Action] {
        [.note(.firstFrame, "\(object.uuid), \(linkAge(now)) ms after link up")]
    }

    private mutating func batteryNotified(_ octets: [UInt8]) {
        tally.isBatteryNotified = true
        tally.battery = octets.first.map { Int($0) }
        reads.batteryCame()
    }

    /// bluetoothd reads the level at each link; what the sensor notifies comes by itself.
    mutating func battery(_ percent: Int, at now: Moment) -> [Action] {
        tally.battery = percent
        guard link.upSince != nil, !tally.isBatteryNotified, tally.batteryOfLink != percent,
            let octet = UInt8(exactly: percent)
        else { return [] }
        tally.batteryOfLink = percent
        reads.batteryCame()
        return [.collect(batteryEvent(octet, at: now))]
    }

    private func batteryEvent(_ percent: UInt8, at now: Moment) -> GATTEvent {
        GATTEvent(
            .read, origin: .ble, device: remote, service: .batteryService,
            characteristic: .batteryLevel, value: [percent], at: now.wall,
            bootMilliseconds: now.boot, zone: settings.zone)
    }

    /// Something that this sensor said, as it goes through the door.
    func event(
        _ kind: GATTEvent.Kind, of object: CharacteristicObject? = nil, _ octets: [UInt8] = [],
        at now: Moment
    ) -> GATTEvent {
        GATTEvent(
            kind, origin: .ble, device: remote, service: object?.service,
            characteristic: object?.uuid, instance: object?.instance ?? 0, value: octets,
            at: now.wall, bootMilliseconds: now.boot, zone: settings.zone)
    }
}

// MARK: - Replies and work

extension SensorSession {
    /// Takes the answer to one of our calls in.
    mutating func reply(
        _ request: Request, _ result: Result<[BusValue], BusError>, at now: Moment
    ) -> [Action] {
        switch request {
        case .trust:
            trust.answered()
            return []
        case .untrust: return perform(farewell.handle(.answered, at: now.boot), at: now)
        case .disconnect: return hungUp(result, at: now)
        case .connected:
            guard case .success(let body) = result, let isConnected = body.first?.bool else {
                return []
            }
            return perform(link.handle(.connected(isConnected), at: now.boot), at: now)
        case .startNotify(let path):
            return perform(arming.handle(.reply(path, result.failure), at: now.boot), at: now)
        case .read(let path): return readCame(path, result, at: now)
        case .records(let octets): return recordsWritten(octets, result, at: now)
        case .readClock(let path): return clockRead(path, result, at: now)
        case .writeClock(let path, let octets): return clockWritten(path, octets, result, at: now)
        }
    }

    private mutating func hungUp(
        _ result: Result<[BusValue], BusError>, at now: Moment
    ) -> [Action] {
        let error = result.failure.flatMap {
            ErrorClass($0, of: .disconnect) == .alreadyDone ? nil : $0
        }
        return perform(link.handle(.hungUp(error), at: now.boot), at: now)
            + perform(farewell.handle(.answered, at: now.boot), at: now)
    }

    private mutating func readCame(
        _ path: String, _ result: Result<[BusValue], BusError>, at now: Moment
    ) -> [Action] {
        guard let read = reads.reply(path, result, at: now.boot) else { return workOn(at: now) }
        if read.object.uuid == .batteryLevel { tally.battery = read.octets.first.map { Int($0) } }
        return [.collect(event(.read, of: read.object, read.octets, at: now))] + workOn(at: now)
    }
}

extension Result where Success == [BusValue], Failure == BusError {
    /// The error; nil if there is none.
    var failure: BusError? {
        if case .failure(let error) = self { error } else { nil }
    }
}
