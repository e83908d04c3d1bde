import DBus
import Measurements

/// One wanted sensor: hears what bluetoothd tells of it, keeps it armed, and takes its values in.
///
///     no object ──object──► armed without a link ──up──► on a link ──resolved, settled──► at work
///         ▲                        ▲                         │ down                          │
///         └──object gone── any     └─────────────────────────┴───────────────────────────────┘
///
/// The link, the arming, the reads and the leaving are machines of their own; this one passes events
/// between them. It never searches and never connects: the kernel does, as long as our profile is
/// registered and the sensor is trusted.
struct SensorSession: Sendable {
    /// A streaming sensor that is silent for this long is armed again, in ms.
    static let silence: Int64 = 30_000
    /// While links drop at once, the sessions are asked for no more often than this, in ms.
    static let flappingRest: Int64 = 5_000
    /// The adapter or bluetoothd follows an object that goes with them within this, in ms.
    static let removalGrace: Int64 = 2_000
    /// Adverts are noted no more often than this, in ms.
    static let advertRest: Int64 = 3_600_000

    /// A call that is answered here.
    enum Request: Equatable, Sendable {
        case trust
        case untrust
        case disconnect
        /// Whether there is a link.
        case connected
        case startNotify(String)
        case read(String)
        /// A write of the Record Access Control Point.
        case records([UInt8])
        case readClock(String)
        case writeClock(String, [UInt8])
    }

    /// What comes in.
    enum Event: Sendable {
        /// The object is there, with these characteristics so far.
        case found(DeviceObject, [CharacteristicObject])
        /// These properties of the object were announced.
        case changed(DeviceObject, Set<DeviceProperty>)
        /// The object is gone: somebody removed it, or its adapter or bluetoothd will follow.
        case objectGone
        /// The adapter that had the object is gone.
        case adapterGone
        case characteristic(CharacteristicObject)
        case characteristicGone(String)
        case value(String, [UInt8])
        /// Percent, as bluetoothd has it.
        case battery(Int)
        /// Why the link is about to end.
        case reason(String)
        case reply(Request, Result<[BusValue], BusError>)
        /// bluetoothd or the bus is gone.
        case lost(String)
        case adapterOff
        case adapterOn
        /// The host woke up, or bluetoothd answers again.
        case resumed
        /// What was collected before `Action.persist` is on the disk, or could not be written.
        case persisted(Bool)
        case hostClock(isSynchronised: Bool)
        /// An operator wants the clock set, on this link or the next.
        case setClock
        /// Leave the sensor so that it keeps its readings.
        case leave
        case deadline
    }

    /// What is to be done, or became of it.
    enum Action: Sendable {
        case call(Request, Call)
        case collect(GATTEvent)
        case note(LedgerEntry.Event, String)
        /// Put everything that was collected on the disk.
        case persist
        /// Find out whether this computer's clock is right.
        case askHostClock
        /// How the setting of the clock ended that an operator wanted.
        case clock(ClockSetting.Outcome)
        /// The sensor is left.
        case left
    }

    /// The sensor; another one when a private address has been resolved.
    var address: DeviceAddress
    /// What the configuration says.
    var settings: Settings
    /// What bluetoothd says of it; nil if it has no object that is used.
    var object: DeviceObject?
    /// The adapter whose object this is, or was last.
    var bondAdapter: DeviceAddress?
    /// The same, as events have it.
    var remote: RemoteDevice
    /// The characteristics of the object, by path.
    var characteristics: [String: CharacteristicObject] = [:]
    /// Whether there is a link.
    var link = SensorLink()
    /// What the last links mean.
    var history = SensorLinkHistory()
    /// Which sessions stand.
    var arming: SensorArming
    /// What was read.
    var reads = SensorReads()
    /// Whether it is being left.
    var farewell = SensorFarewell()
    /// What was counted.
    var tally = SensorTally()
    /// Whether it was made trusted.
    var trust = SensorTrust()
    /// What is asked of it on this link.
    var work = SensorWork()
    /// Whether a link came before anything of this object could be armed.
    var wasBlind = false
    /// Whether nothing was armed yet since it was paired, so that it has nothing to send.
    var isNew = false
    /// The object that is gone, and when it is clear that somebody removed it.
    var removal: (path: String, due: Int64)?
    /// When somebody else removed the object; nil if it is there or nobody did.
    var removedAt: Instant?
    /// When a stream counts as silent.
    var silentAt: Int64?
    /// When the sessions are asked for again while links drop at once.
    var rearmAt: Int64?

    /// A session for this sensor, whose object is not known yet.
    init(_ address: DeviceAddress, _ settings: Settings, seed: UInt64) {
        self.address = address
        self.settings = settings
        remote = RemoteDevice(address)
        arming = SensorArming(seed: seed ^ address.bits)
    }

    /// When `Event.deadline` is due.
    var nextDeadline: Int64? {
        let machines = earlier(
            earlier(link.nextDeadline, history.nextDeadline),
            earlier(arming.nextDeadline, farewell.nextDeadline))
        let own = earlier(earlier(silentAt, rearmAt), removal?.due)
        let asked = earlier(work.nextDeadline, reads.nextDeadline)
        return earlier(earlier(machines, asked), own)
    }

    /// Calls that are not answered yet are never more than this: one a characteristic and a few.
    static let callLimit = SensorArming.limit + 8

    /// Takes an event in and says what is to be done, in order.
    mutating func handle(_ event: Event, at now: Moment) -> [Action] {
        switch event {
        case .found(let object, let objects): return found(object, objects, at: now)
        case .changed(let object, let named): return changed(object, named, at: now)
        case .objectGone: return objectGone(at: now)
        case .adapterGone:
            removal = nil
            return cut("adapter removed", at: now)
        case .characteristic(let object): return appeared(object, at: now)
        case .characteristicGone(let path): return gone(path)
        case .value(let path, let octets): return value(path, octets, at: now)
        case .battery(let percent): return battery(percent, at: now)
        case .reason(let text): return perform(link.handle(.reason(text), at: now.boot), at: now)
        case .reply(let request, let result): return reply(request, result, at: now)
        case .lost(let why): return lost(why, at: now)
        case .adapterOff: return cut("adapter off", at: now)
        case .adapterOn, .resumed: return arm(at: now)
        case .persisted(let isKept): return persisted(isKept, at: now)
        case .hostClock(let isSynchronised):
            return perform(
                work.clock?.handle(.hostClock(isSynchronised: isSynchronised), at: now), at: now)
        case .setClock: return setClock(at: now)
        case .leave: return leave(at: now)
        case .deadline: return deadline(at: now)
        }
    }
}

// MARK: - Leaving, losing, time

extension SensorSession {
    private mutating func lost(_ why: String, at now: Moment) -> [Action] {
        let ended = cut(why, at: now)
        forgetObject()
        trust = SensorTrust()
        removal = nil
        return ended + perform(farewell.handle(.cut, at: now.boot), at: now)
    }

    /// There can be no link any more; the objects stay.
    mutating func cut(_ why: String, at now: Moment) -> [Action] {
        perform(link.handle(.cut(why), at: now.boot), at: now)
    }

    private mutating func leave(at now: Moment) -> [Action] {
        silentAt = nil
        rearmAt = nil
        let event = SensorFarewell.Event.begin(
            isUp: link.upSince != nil, hasBond: object?.hasBond ?? false,
            lastTransfer: work.isFetching ? now.boot : tally.lastTransfer)
        return perform(farewell.handle(event, at: now.boot), at: now)
    }

    /// Asks for every session again, unless that cannot be answered now.
    mutating func arm(at now: Moment) -> [Action] {
        // The answer to Disconnect asks again, so that nothing is left to wait for here.
        rearmAt = nil
        guard !farewell.isLeaving, !link.isHangingUp else { return [] }
        return perform(arming.handle(.arm, at: now.boot), at: now)
    }

    private mutating func deadline(at now: Moment) -> [Action] {
        var actions = perform(link.handle(.deadline, at: now.boot), at: now)
        actions += notes(of: history.calmDown(at: now.boot))
        actions += perform(arming.handle(.deadline, at: now.boot), at: now)
        actions += perform(farewell.handle(.deadline, at: now.boot), at: now)
        actions += workDeadline(at: now) + judgeRemoval(at: now)
        if let rearmAt, rearmAt <= now.boot { actions += arm(at: now) }
        return actions + watchSilence(at: now)
    }

    /// The time is looked at only when it is due, so that a stream costs no timers.
    private mutating func watchSilence(at now: Moment) -> [Action] {
        guard let due = silentAt, due <= now.boot else { return [] }
        let last = max(tally.lastFrameBoot ?? 0, tally.armedAt ?? 0)
        guard now.boot - last >= Self.silence else {
            silentAt = last + Self.silence
            return []
        }
        silentAt = nil
        let seconds = (now.boot - last) / 1_000
        return [.note(.silent, "no measurement for \(seconds) s on a link that is armed")]
            + arm(at: now)
    }
}
