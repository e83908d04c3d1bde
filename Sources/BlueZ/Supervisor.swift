import DBus
import Measurements

/// Everything between bluetoothd and the door: what comes in over D-Bus becomes events, what has to be
/// done comes out as actions.
///
///     bus ─► presence ─► object tree ─► adapters ─► sensors ─► door
///                                    └► pairing   └► forgetting
///
/// Nothing is asked in the steady state. A call that is pending when bluetoothd goes is forgotten, so
/// that its late answer reaches nobody.
package struct Supervisor {
    /// Sensors that are cared for; a ward has fewer, and each costs some calls at a start.
    package static let sensorLimit = 64
    /// Bonds that are being removed at the same time: one operator each.
    static let forgettingLimit = 8

    /// What a call was made for.
    enum Purpose: Sendable {
        case presence(Presence.Request)
        case agent
        case radio(String, Radio.Request)
        case sensor(DeviceAddress, SensorSession.Request)
        case pairing(PairingCall)
        case forgetting(OperatorID, String)
        /// Leaving the sensor of the device object at this path, which is not wanted.
        case dismissal(String)
    }

    /// How far the orderly stop is.
    enum Stop: Equatable, Sendable {
        case none
        case leaving(until: Int64)
        case done
    }

    /// What the configuration says.
    var settings: Settings
    /// What spreads the retries.
    let seed: UInt64
    /// Whether the bus and bluetoothd are there.
    var presence: Presence
    /// What bluetoothd has.
    var tree = ObjectTree()
    /// The calls that wait for their answers.
    var book = CallBook<Purpose>()
    /// By path.
    var radios: [String: Radio] = [:]
    /// The sensors that are cared for.
    var sessions: [DeviceAddress: SensorSession] = [:]
    /// When each session that waits for the time is due: asked for at every turn, and rarely new.
    var deadlines: [DeviceAddress: Int64] = [:]
    /// Which sensor the device object at a path is of.
    var routes: [String: DeviceAddress] = [:]
    /// The window that is open, and whose it is.
    var pairing: (operator: OperatorID, window: Pairing)?
    /// Who wants to pair before it is known whether bluetoothd is there, and how long that is waited for.
    var early: (operator: OperatorID, wish: PairingWish, until: Int64)?
    /// The number of the next call that a window makes.
    var nextPairingCall: UInt64 = 1
    /// What an operator has paired since the start, wanted whatever the configuration lists.
    var adopted: Set<DeviceAddress> = []
    /// The bonds that are being removed, by who has ordered it.
    var forgettings: [OperatorID: Forgetting] = [:]
    /// Device objects that bluetoothd is removing for us: its answer may come before they go.
    var removing: Set<String> = []
    /// What is done about sensors that are not wanted, by the path of the device object.
    var dismissals: [String: SensorDismissal] = [:]
    /// Sensors that were left while the daemon goes on, each of which a section or a session had made ours.
    ///
    /// With what was counted of each until then.
    var left: [DeviceAddress: SensorTally] = [:]
    /// Who waits for a sensor's clock to be set.
    var clockOrders: [DeviceAddress: OperatorID] = [:]
    /// Which sensor waits for the disk.
    var persists: [PersistID: DeviceAddress] = [:]
    /// The number of the next wish to have everything on the disk.
    var nextPersist: UInt64 = 1
    /// Whether bluetoothd knows our agent.
    var isAgentKnown = false
    /// Whether the kernel keeps radios off, as it was last told.
    var block: RadioBlock?
    /// Whether this computer's clock is right, as it was last told.
    var isClockSynchronised: Bool?
    /// How far the stop is.
    var stop = Stop.none
    /// What was counted.
    var tally = SupervisorTally()

    /// A supervisor that knows nothing of the bus yet; the seed spreads the retries.
    package init(_ settings: Settings, seed: UInt64 = 0x1822_1809_180D) {
        self.settings = settings
        self.seed = seed
        presence = Presence(seed: seed)
        for (address, sensor) in settings.sensors where sensor.isEnabled {
            makeSession(address)
        }
    }

    /// When `BlueZEvent.deadline` is due, on the clock of `Moment.boot`; nil if nothing is waited for.
    package var nextDeadline: Int64? {
        var due = earlier(presence.nextDeadline, pairing?.window.nextDeadline)
        due = earlier(due, early?.until)
        for radio in radios.values { due = earlier(due, radio.nextDeadline) }
        for deadline in deadlines.values { due = earlier(due, deadline) }
        guard case .leaving(let until) = stop else { return stop == .done ? nil : due }
        return earlier(due, until)
    }

    /// Takes an event in and says what is to be done, in order.
    package mutating func handle(_ event: BlueZEvent, at now: Moment) -> [BlueZAction] {
        guard stop != .done else { return [] }
        let actions = take(event, at: now) + beginEarlyPairing(at: now)
        return actions + finishStop(at: now)
    }

    private mutating func take(_ event: BlueZEvent, at now: Moment) -> [BlueZAction] {
        switch event {
        case .busOpened: return perform(presence.handle(.opened, at: now.boot), at: now)
        case .busClosed(let error):
            return perform(presence.handle(.closed(error), at: now.boot), at: now)
        case .message(let message): return take(message, at: now)
        case .reply(let id, let result): return reply(id, result, at: now)
        case .deadline: return deadline(at: now)
        case .persisted(let id, let isKept):
            guard let address = persists.removeValue(forKey: id) else { return [] }
            return pass(.persisted(isKept), to: address, at: now)
        case .request(let who, let request): return take(request, of: who, at: now)
        case .hostClock(let isSynchronised):
            isClockSynchronised = isSynchronised
            return passToAll(.hostClock(isSynchronised: isSynchronised), at: now)
        case .radioBlock(let block):
            self.block = block
            return []
        case .settings(let new): return take(new, at: now)
        case .stop: return beginStop(at: now)
        }
    }
}

extension Supervisor {
    private mutating func take(_ message: BusMessage, at now: Moment) -> [BlueZAction] {
        switch message.kind {
        case .signal:
            tally.signals += 1
            let event = Presence.Event.signal(message, isServing: tree.hasAgentManager)
            return perform(presence.handle(event, at: now.boot), at: now)
        case .call: return answer(message, at: now)
        case .reply, .error: return []
        }
    }

    private mutating func deadline(at now: Moment) -> [BlueZAction] {
        var actions = perform(presence.handle(.deadline, at: now.boot), at: now)
        for path in radios.keys.sorted() {
            actions += perform(radios[path]?.handle(.deadline, at: now), of: path, at: now)
        }
        let due = deadlines.filter { $0.value <= now.boot }.keys
        for address in due.sorted(by: { $0.bits < $1.bits }) {
            actions += pass(.deadline, to: address, at: now)
        }
        return actions + passToPairing(.deadline, at: now)
    }

    /// Makes a call, if there is somebody to call.
    ///
    /// bluetoothd is called by its unique name: a call by its well-known one would start it again
    /// while it is being stopped.
    mutating func call(_ purpose: Purpose, _ call: Call) -> [BlueZAction] {
        guard call.destination == BlueZNames.service else {
            tally.calls += 1
            return [.call(book.open(purpose), call)]
        }
        guard let owner = presence.owner else { return [] }
        tally.calls += 1
        let direct = Call(
            to: owner, path: call.path, interface: call.interface, member: call.member,
            call.arguments, patience: call.patience)
        return [.call(book.open(purpose), direct)]
    }

    private mutating func reply(
        _ id: CallID, _ result: Result<[BusValue], BusError>, at now: Moment
    ) -> [BlueZAction] {
        guard let purpose = book.close(id) else {
            tally.lateReplies += 1
            return []
        }
        let doubt = doubt(purpose, result, at: now)
        switch purpose {
        case .presence(let request):
            return perform(presence.handle(.reply(request, result), at: now.boot), at: now)
        case .agent: return agentRegistered(result.failure, at: now)
        case .radio(let path, let request):
            let event = Radio.Event.reply(request, result.failure)
            return doubt + perform(radios[path]?.handle(event, at: now), of: path, at: now)
        case .sensor(let address, let request):
            return doubt + pass(.reply(request, result), to: address, at: now)
        case .pairing(let call):
            return passToPairing(.reply(call, result.failure), at: now)
        case .forgetting(let who, let path):
            if result.failure != nil { removing.remove(path) }
            return passToForgetting(who, .removed(path, result.failure), at: now)
        case .dismissal(let path): return passToDismissal(.answered(result.failure), of: path)
        }
    }

    /// What bluetoothd did not answer in time makes one ask whether it answers at all.
    private mutating func doubt(
        _ purpose: Purpose, _ result: Result<[BusValue], BusError>, at now: Moment
    ) -> [BlueZAction] {
        guard let error = result.failure, ErrorClass(error, of: .bus) == .unanswered else {
            return []
        }
        tally.unanswered += 1
        switch purpose {
        case .presence, .pairing, .forgetting: return []
        case .agent, .radio, .sensor, .dismissal:
            return perform(presence.handle(.doubt, at: now.boot), at: now)
        }
    }

    /// Keeps something in the ledger.
    func note(
        _ event: LedgerEntry.Event, _ detail: String, of device: DeviceAddress? = nil,
        at now: Moment
    ) -> BlueZAction {
        .note(LedgerEntry(at: now.wall, device: device, event, detail))
    }
}
