import DBus
import Measurements

/// What follows from the objects that bluetoothd has of a sensor.
extension SensorSession {
    /// The link before the arming, so that the sessions are asked for once, and on the right side.
    mutating func found(
        _ new: DeviceObject, _ objects: [CharacteristicObject], at now: Moment
    ) -> [Action] {
        let ended = object.map { $0.path != new.path } == true ? moved(at: now) : []
        trust = SensorTrust()
        removal = nil
        removedAt = nil
        object = new
        describe(new)
        for object in objects { characteristics[object.path] = object }
        if !objects.isEmpty { _ = link.handle(.object, at: now.boot) }
        var actions = ended + trustIfNeeded()
        actions += connection(new, [.isConnected, .isResolved], hadBond: new.hasBond, at: now)
        _ = link.handle(.found, at: now.boot)
        return actions + objects.flatMap { appeared($0, at: now) }
    }

    /// Another adapter is to be used.
    private mutating func moved(at now: Moment) -> [Action] {
        let ended = cut("another adapter is used", at: now)
        forgetObject()
        return ended
    }

    /// Properties of the object were announced.
    mutating func changed(
        _ new: DeviceObject, _ named: Set<DeviceProperty>, at now: Moment
    ) -> [Action] {
        let hadBond = object?.hasBond ?? new.hasBond
        if new.hasBond, !hadBond { isNew = true }
        object = new
        describe(new)
        let advert = named.contains(.rssi) && new.rssi != nil ? advertised(at: now) : []
        return advert + connection(new, named, hadBond: hadBond, at: now)
    }

    private mutating func describe(_ object: DeviceObject) {
        remote.address = address
        remote.name = object.name
        remote.addressType = object.addressType
        remote.adapter = lastComponent(of: object.adapter)
        remote.rssi = object.rssi
    }

    /// Connected before ServicesResolved where one signal has both, as a link comes up; going down,
    /// the end of the link says it all.
    private mutating func connection(
        _ object: DeviceObject, _ named: Set<DeviceProperty>, hadBond: Bool, at now: Moment
    ) -> [Action] {
        tally.hadBondAtLinkUp = link.upSince == nil ? hadBond : tally.hadBondAtLinkUp
        var actions: [Action] = []
        if named.contains(.isConnected) {
            actions += perform(link.handle(.connected(object.isConnected), at: now.boot), at: now)
        }
        if named.contains(.isResolved) {
            actions += perform(link.handle(.resolved(object.isResolved), at: now.boot), at: now)
        }
        return actions
    }

    /// Whether somebody removed it is clear only when neither adapter nor bluetoothd has followed.
    mutating func objectGone(at now: Moment) -> [Action] {
        guard let gone = object else { return [] }
        let ended = cut("the device was removed", at: now)
        forgetObject()
        removal = gone.hasBond || gone.isTrusted ? (gone.path, now.boot + Self.removalGrace) : nil
        return ended
    }

    /// Says that somebody removed the sensor, once that is clear.
    mutating func judgeRemoval(at now: Moment) -> [Action] {
        guard let removal, removal.due <= now.boot else { return [] }
        self.removal = nil
        removedAt = now.wall
        return [.note(.removedElsewhere, "\(removal.path) is gone from bluetoothd")]
    }

    /// Nothing is known of the object any more.
    mutating func forgetObject() {
        object = nil
        wasBlind = false
        characteristics = [:]
        _ = link.handle(.noObjects, at: 0)
        _ = arming.handle(.lost, at: 0)
        reads.forgetAll()
    }

    /// A characteristic is there.
    mutating func appeared(_ object: CharacteristicObject, at now: Moment) -> [Action] {
        if characteristics[object.path]?.uuid != object.uuid { reads.forget(object.path) }
        characteristics[object.path] = object
        var actions = perform(link.handle(.object, at: now.boot), at: now)
        if object.isArmed, !farewell.isLeaving {
            actions += perform(arming.handle(.appeared(object), at: now.boot), at: now)
        }
        return actions
    }

    /// A characteristic is gone.
    mutating func gone(_ path: String) -> [Action] {
        characteristics[path] = nil
        reads.forget(path)
        _ = arming.handle(.gone(path), at: 0)
        if characteristics.isEmpty { _ = link.handle(.noObjects, at: 0) }
        return []
    }

    /// Adverts are heard while anybody searches; each that changed its strength is a signal.
    private mutating func advertised(at now: Moment) -> [Action] {
        tally.lastSeen = now.wall
        guard link.upSince == nil, now.boot - (tally.advertNotedAt ?? .min / 2) >= Self.advertRest
        else { return [] }
        tally.advertNotedAt = now.boot
        return [.note(.advertised, object?.rssi.map { "\($0) dBm" } ?? "")]
    }
}
