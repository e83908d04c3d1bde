internal import BlueZ
internal import CLinux
internal import DBus
internal import Glibc
internal import Measurements
internal import Samples
internal import Storage

/// The main thread's loop: takes in what sensors say by way of the bus, and signals.
///
/// It touches no file that can keep it waiting, and never waits for the store or for a client. What
/// happens between bluetoothd and the sensors is the supervisor's; the loop only performs its actions.
struct Collector: ~Copyable {
    /// What other threads ask of it.
    enum Message: Sendable {
        /// Everything that was collected before is on the disk, or could not be written.
        case persisted(PersistID, Bool)
        /// Tell how the sensors fare, for an answer.
        case report(ConnectionID)
        /// Somebody at a terminal wants something.
        case request(OperatorID, OperatorRequest)
        /// The configuration was read again.
        case settings(Settings)
        /// A loop turns that was asked whether it does.
        case turned(Watchdog.Loop)
    }

    private let signals: Int32
    private let threads: DaemonThreads
    /// How the last run ended, for the ledger.
    private let beginning: String
    private var supervisor: Supervisor
    private var bus: BusClient?
    private var door: EventDoor
    private var timer: BootTimer
    private var clockWatch: ClockWatch
    /// Whether the host's clock is right is asked again while it was set and is not known to be.
    private var inquiry = ClockInquiry()
    /// Nil where no service manager wants to know whether the daemon hangs.
    private var watchdog: Watchdog?
    /// What is to be told to the supervisor, oldest first.
    private var events: [BlueZEvent] = []
    /// What was collected and not given to the writer yet.
    private var collected: [GATTEvent] = []
    /// When the end is not waited for any longer; nil as long as nobody wants it.
    private var lastMoment: Int64?
    private var isStopped = false
    /// When the supervisor's deadline is taken up again, after one that had not moved on.
    private var deadlineAgain: Int64 = 0

    /// How long sensors may be left in order before the end, in ms; systemd waits for 10 s in all.
    private static let farewell: Int64 = 5000
    /// How long to leave a deadline alone that is not moved on, in ms: it must not keep a core busy.
    private static let deadlineRest: Int64 = 100

    /// A collector that is ended by signals that wait in a signalfd.
    ///
    /// - Parameters:
    ///   - signals: The signalfd.
    ///   - threads: The threads beside it.
    ///   - beginning: How the last run ended, for the ledger.
    ///   - settings: What the configuration says of Bluetooth.
    ///   - bus: The address of the message bus; nil to collect nothing.
    ///   - zone: The zone that sensors' clocks show.
    /// - Throws: An error if there are no descriptors left for its timers.
    init(
        signals: Int32, _ threads: DaemonThreads, beginning: String, _ settings: Settings,
        bus: String?, zone: Zone
    ) throws(SystemError) {
        let timer = try BootTimer()
        let clockWatch = try ClockWatch(at: Clock.moment)
        self.signals = signals
        self.threads = threads
        self.beginning = beginning
        supervisor = Supervisor(settings, seed: .random(in: .min ... .max))
        self.bus = bus.map { BusClient(address: $0) }
        door = EventDoor(hostZone: zone, tee: threads.tee)
        self.timer = timer
        self.clockWatch = clockWatch
        watchdog = ServiceManager.watchdogTimeout.map {
            Watchdog(timeout: $0, at: Clock.bootMilliseconds)
        }
    }

    /// Collects until SIGTERM or SIGINT; sensors are then left so that they keep their readings.
    mutating func run() {
        note(LedgerEntry(at: Clock.now, .started, beginning))
        turn([])
        while !isStopped { turn(wait()) }
        note(LedgerEntry(at: Clock.now, .stopped))
        handOver()
    }

    /// One turn: take in what came, tell the supervisor, do what it wants, hand over what was said.
    private mutating func turn(_ ready: Set<Int32>) {
        if ready.contains(signals) { takeSignals() }
        if ready.contains(timer.descriptor) { timer.noteRing() }
        if ready.contains(clockWatch.descriptor) { noteClockStep() }
        if ready.contains(threads.collector.descriptor) {
            threads.collector.take().forEach { take($0) }
        }
        let now = Clock.bootMilliseconds
        if let arrivals = bus?.turn(at: now) { arrivals.forEach { take($0) } }
        watch(.deadline)
        if inquiry.isDue(at: now) { bus?.call(HostClock.question, for: .stretch, at: now) }
        if let due = supervisor.nextDeadline, due <= now, deadlineAgain <= now {
            events.append(.deadline)
        }
        advance()
        if let due = supervisor.nextDeadline, due <= now { deadlineAgain = now + Self.deadlineRest }
        if let last = lastMoment, last <= now, !isStopped {
            Log.write(.warning, "bluetoothd did not let the sensors be left in order in time")
            isStopped = true
        }
        handOver()
    }

    /// Waits until there is something to do; gives the descriptors that can be read.
    private mutating func wait() -> Set<Int32> {
        timer.set(to: nextDeadline)
        var pollers = [
            signals, threads.collector.descriptor, timer.descriptor, clockWatch.descriptor,
        ]
        .map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        if let (descriptor, wantsToWrite) = bus?.poller {
            let events = Int16(POLLIN) | (wantsToWrite ? Int16(POLLOUT) : 0)
            pollers.append(pollfd(fd: descriptor, events: events, revents: 0))
        }
        let isBehind = bus?.hasMore ?? false
        _ = poll(&pollers, nfds_t(pollers.count), isBehind ? 0 : -1)
        return Set(pollers.filter { $0.revents != 0 }.map(\.fd))
    }

    private var nextDeadline: Int64? {
        let due = supervisor.nextDeadline.map { max($0, deadlineAgain) }
        return [due, bus?.nextDeadline, inquiry.due, lastMoment, watchdog?.nextDeadline]
            .compactMap { $0 }.min()
    }

    private mutating func takeSignals() {
        while true {
            switch clinux_next_signal(signals) {
            case SIGTERM, SIGINT: stop()
            case SIGHUP: threads.reload()
            default: return
            }
        }
    }

    /// Begins the end; a second signal, or a supervisor that has no bus, ends it at once.
    private mutating func stop() {
        ServiceManager.notify("STOPPING=1")
        guard lastMoment == nil, bus?.present.isOpen ?? false else {
            isStopped = true
            return
        }
        lastMoment = Clock.bootMilliseconds + Self.farewell
        events.append(.stop)
    }

    private mutating func noteClockStep() {
        let now = Clock.moment
        guard let step = clockWatch.step(at: now) else { return }
        handOver()
        threads.write(.beginStretch(now))
        inquiry.begin(at: now.boot)
        note(LedgerEntry(at: Clock.now, .hostClockSet, ClockStep(step).text))
    }
}

// What comes in.
extension Collector {
    private mutating func take(_ message: Message) {
        switch message {
        case .persisted(let id, let isDone): events.append(.persisted(id, isDone))
        case .request(let who, let request): events.append(.request(who, request))
        case .settings(let settings): events.append(.settings(settings))
        case .turned(let loop): watch(.turned(loop))
        case .report(let connection):
            advance()
            handOver()
            threads.answer(.reported(connection, report))
        }
    }

    private mutating func take(_ arrival: BusClient.Arrival) {
        switch arrival {
        case .opened(let name):
            events.append(.busOpened(uniqueName: name))
            bus?.call(HostClock.question, for: .stretch, at: Clock.bootMilliseconds)
        case .closed(let error):
            Log.write(.warning, BusTrouble.text(error))
            events.append(.busClosed(error))
        case .message(let message): events.append(.message(message))
        case .answer(.supervisor(let id), let result): events.append(.reply(id, result))
        case .answer(.hostClock, let result):
            events.append(.hostClock(isSynchronised: HostClock.isSynchronised(result)))
        case .answer(.stretch, let result):
            let isSynchronised = HostClock.isSynchronised(result)
            if isSynchronised { inquiry.end() }
            threads.write(.noteClock(isSynchronised: isSynchronised, Clock.moment))
        }
    }

    /// How everything fares right now.
    private var report: RadioReport {
        RadioReport(
            snapshot: supervisor.snapshot(at: Clock.moment),
            counters: bus?.counters ?? BusCounters(),
            pendingCalls: bus?.present.pendingCalls ?? 0)
    }
}

// What is done.
extension Collector {
    /// Tells the supervisor everything that came, and does what it wants.
    private mutating func advance() {
        while !events.isEmpty {
            let batch = events
            events = []
            for event in batch {
                for action in supervisor.handle(event, at: Clock.moment) { perform(action) }
            }
        }
    }

    private mutating func perform(_ action: BlueZAction) {
        switch action {
        case .call(let id, let call):
            bus?.call(call, for: .supervisor(id), at: Clock.bootMilliseconds)
        case .send(let message): bus?.send(message)
        case .collect(let event): collected.append(event)
        case .note(let entry): note(entry)
        case .persist(let id):
            handOver()
            threads.write(.persist(id))
        case .tell(let who, let message): threads.answer(.told(who, message))
        case .askHostClock:
            bus?.call(HostClock.question, for: .hostClock, at: Clock.bootMilliseconds)
        case .askRadioBlock: events.append(.radioBlock(RadioSwitches().bluetooth))
        case .stopped: isStopped = true
        }
    }

    private mutating func watch(_ event: Watchdog.Event) {
        for action in watchdog?.handle(event, at: Clock.bootMilliseconds) ?? [] {
            switch action {
            case .ask(let loop): threads.ask(loop)
            case .vouch: ServiceManager.notify("WATCHDOG=1")
            }
        }
    }

    private func note(_ entry: LedgerEntry) {
        LedgerLog.write(entry)
        threads.write(.note(LedgerRow(entry)))
    }

    /// Gives the writer what was collected, through the door that recordings also come by.
    private mutating func handOver() {
        guard !collected.isEmpty else { return }
        threads.write(.live(collected.map { door.take($0) }))
        collected = []
    }
}
