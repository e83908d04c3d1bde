package import Measurements

/// Turns events into readings: follows links, counts ordinals, reads device clocks, judges stamps.
///
/// A link lasts from connect to disconnect; values outside of any form one link of their own.
/// Equal readings are counted anew at each link and after each Record Access Control Point indication,
/// because then a sensor sends its memory again.
package struct ReadingAssembler {
    /// Devices one assembler follows: a recording of a whole clinic has fewer.
    package static let deviceLimit = 1024

    private let hostZone: Zone
    private var devices: [DeviceAddress: Link] = [:]
    private var lastZone: (name: String, zone: Zone?)?
    /// What the present event says of readings before it.
    private var corrections: [TimeCorrection] = []

    /// What is known of a device in the present link.
    private struct Link {
        var ordinals = RunOrdinals()
        var clock = LinkClock()
        var unmapped = UnmappedReadings()

        mutating func corrections(in zone: Zone) -> [TimeCorrection] {
            unmapped.corrections(by: clock.state, in: zone)
        }
    }

    /// An assembler that reads device stamps in `hostZone` where an event names no zone.
    package init(hostZone: Zone) {
        self.hostZone = hostZone
    }

    /// Whether `name` is a zone that stamps can be read in; events naming others use the host's.
    package func knowsZone(_ name: String) -> Bool {
        lastZone?.name == name && lastZone?.zone != nil || Zone(named: name) != nil
    }

    /// Takes an event in and says what is to be kept of it.
    package mutating func handle(_ event: GATTEvent) -> Intake {
        corrections = []
        let content = content(of: event)
        return Intake(
            device: .sensor(event.device), at: event.at, content: content,
            corrections: corrections)
    }

    /// The events of a device's present link that say how its clock goes, oldest first.
    ///
    /// Behind a connect they bring another assembler to the same knowledge.
    package func clockEvidence(of address: DeviceAddress) -> [GATTEvent] {
        devices[address]?.clock.evidence ?? []
    }

    /// The same event with the zone that its stamps are read in, whether or not it names one.
    package mutating func withZone(_ event: GATTEvent) -> GATTEvent {
        var event = event
        event.zone = zone(of: event).name
        return event
    }

    private mutating func content(of event: GATTEvent) -> Intake.Content {
        let address = event.device.address
        if devices[address] == nil {
            guard devices.count < Self.deviceLimit else { return .skipped(.tooManyDevices) }
            devices[address] = Link()
        }
        switch event.kind {
        case .connect, .disconnect:
            devices[address] = Link()
            return .link
        case .write: return written(event)
        case .read, .notify, .indicate: return value(event)
        }
    }

    /// A confirmed write of ours changes the device's clock, and nothing else that matters here.
    private mutating func written(_ event: GATTEvent) -> Intake.Content {
        switch event.characteristic {
        case .currentTime, .dateTime:
            let evidence = withZone(event)
            devices[event.device.address]?.clock.write(evidence)
            // What the clock says from now on tells nothing of stamps from before.
            devices[event.device.address]?.unmapped = UnmappedReadings()
            return .link
        case .recordAccessControlPoint: return .link
        case .some: return .skipped(.unknownCharacteristic)
        case nil: return .skipped(.noCharacteristic)
        }
    }

    private mutating func value(_ event: GATTEvent) -> Intake.Content {
        guard let characteristic = event.characteristic else { return .skipped(.noCharacteristic) }
        if let measurement = MeasurementCharacteristic(characteristic) {
            return .reading(reading(event, measurement))
        }
        switch characteristic {
        case .currentTime, .dateTime: return clockRead(event)
        case .recordAccessControlPoint:
            devices[event.device.address]?.ordinals.reset()
            return .link
        default: return attribute(event, characteristic)
        }
    }

    private func attribute(
        _ event: GATTEvent, _ characteristic: BluetoothUUID
    ) -> Intake.Content {
        do throws(MalformedValue) {
            let attribute = try DeviceAttribute(characteristic, event.value)
            return attribute.map { .attribute($0) } ?? .skipped(.unknownCharacteristic)
        } catch {
            return .skipped(.malformedAttribute)
        }
    }

    private mutating func clockRead(_ event: GATTEvent) -> Intake.Content {
        let time: DeviceClock.Time?
        do throws(MalformedValue) {
            time = try DeviceClock.Time(event)
        } catch {
            return .skipped(.malformedAttribute)
        }
        guard let time else { return .link }
        let (zone, evidence) = (zone(of: event), withZone(event))
        devices[event.device.address]?.clock.read(time, evidence, in: zone)
        corrections = devices[event.device.address]?.corrections(in: zone) ?? []
        return .clock(offset: event.at.milliseconds - time.milliseconds)
    }
}

extension ReadingAssembler {
    private mutating func reading(
        _ event: GATTEvent, _ characteristic: MeasurementCharacteristic
    ) -> NewReading {
        do throws(MalformedValue) {
            let packet = try DecodedPacket(event.value, of: characteristic)
            return reading(event, characteristic, packet)
        } catch {
            return reading(event, characteristic, nil, malformed: error)
        }
    }

    private mutating func reading(
        _ event: GATTEvent, _ characteristic: MeasurementCharacteristic,
        _ packet: DecodedPacket?, malformed: MalformedValue? = nil
    ) -> NewReading {
        let time = measuredAt(event, packet)
        let key = RunOrdinals.Key(
            characteristic: characteristic, instance: event.instance,
            time: time.stamp ?? event.at.milliseconds, octets: event.value)
        let reading = NewReading(
            characteristic: characteristic, instance: event.instance, start: time.start,
            stamp: time.stamp, ordinal: devices[event.device.address]?.ordinals.next(key) ?? 0,
            flags: ReadingFlags(
                timeQuality: time.quality, origin: event.origin, isAmbiguous: time.isAmbiguous),
            octets: event.value,
            isUnrepeatable: time.stamp != nil || event.kind == .indicate,
            sampleCount: packet?.samples.count ?? 0,
            typeBits: packet?.samples.reduce(0) { $0 | 1 << Int64($1.type.place) } ?? 0,
            malformed: malformed)
        if let civil = packet?.timeStamp?.civilTime {
            devices[event.device.address]?.unmapped.note(reading, civil, at: event.at)
        }
        return reading
    }

    private mutating func measuredAt(
        _ event: GATTEvent, _ packet: DecodedPacket?
    ) -> MeasuredTime {
        guard let packet, let stamp = packet.timeStamp else { return .received }
        guard !packet.isClockNotSet, let civil = stamp.civilTime else { return .untrusted }
        let clock = devices[event.device.address]?.clock.state ?? .unknown
        return clock.measuredTime(of: civil, receivedAt: event.at, in: zone(of: event))
    }

    /// The zone in force for an event; one name is remembered, since a recording rarely has two.
    private mutating func zone(of event: GATTEvent) -> Zone {
        guard let name = event.zone else { return hostZone }
        if let lastZone, lastZone.name == name { return lastZone.zone ?? hostZone }
        let zone = Zone(named: name)
        lastZone = (name, zone)
        return zone ?? hostZone
    }
}
