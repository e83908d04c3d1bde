internal import BlueZ
internal import DBus

/// The way to the message bus: opens it, gives each call its deadline, and opens it again when it is lost.
///
/// ```
/// closed --time--> opening --let in--> open
///   ^                 |                  |
///   +-----------------+------lost--------+
/// ```
///
/// A bus that lets nobody in is waited for with the one connection: a further one at each attempt
/// would fill the bus's queue until connecting waits, and with it everybody who waits for us.
struct BusClient {
    /// What comes from the bus.
    enum Arrival {
        /// It has let us in, under this name.
        case opened(String)
        /// It is lost, or cannot be reached; why. A reason that lasts is told once.
        case closed(BusError)
        /// A signal, or a call of one of our objects.
        case message(BusMessage)
        /// What became of a call.
        case answer(Purpose, Result<[BusValue], BusError>)
    }

    /// Who wants a call's answer.
    enum Purpose: Equatable, Sendable {
        /// The supervisor of the sensors.
        case supervisor(CallID)
        /// The supervisor again, to know whether the host's clock is right.
        case hostClock
        /// The store, to know the same of the stretch of time that it is in.
        case stretch
    }

    private enum State {
        case closed(until: Int64)
        case opening(BusConnection, toldAt: Int64?)
        case open(BusConnection, since: Int64)
    }

    /// Messages that one turn takes in, so that signals and requests have their turn too.
    private static let messagesAtOnce = 256
    /// How long the bus may take to let us in before it is told, in ms.
    private static let patience: Int64 = 30_000

    private let address: String
    private var state = State.closed(until: 0)
    private var backoff = Backoff()
    private var pending = PendingCalls<Purpose>()
    private var undelivered: [Arrival] = []
    /// Whether the last turn left messages behind.
    private(set) var hasMore = false
    /// Why it is closed, as it was told.
    private var reason: BusError?
    private(set) var counters = BusCounters()

    /// A way to the bus at `address`, which is opened at the first turn.
    init(address: String) {
        self.address = address
    }

    /// What to poll, and whether also for room to write; nil while there is no connection.
    var poller: (descriptor: Int32, wantsToWrite: Bool)? {
        connection.map { ($0.descriptor, $0.wantsToWrite) }
    }

    /// When a turn is due though nothing came, in ms of the boot clock; nil if nothing is waited for.
    var nextDeadline: Int64? {
        switch state {
        case .closed(let until): until
        case .opening(_, let due): due
        case .open: pending.nextDeadline
        }
    }

    private var connection: BusConnection? {
        switch state {
        case .closed: nil
        case .opening(let connection, _), .open(let connection, _): connection
        }
    }

    /// Calls a method; the answer arrives in a later turn, within the call's patience.
    mutating func call(_ call: Call, for purpose: Purpose, at now: Int64) {
        guard case .open(let connection, _) = state else {
            return refuse(purpose, BusError(name: BusError.disconnected))
        }
        guard pending.hasRoom else {
            return refuse(purpose, BusError(name: Self.limitsExceeded, text: Self.tooMany))
        }
        let serial = connection.send(
            .call(
                to: call.destination, path: call.path, interface: call.interface,
                member: call.member, call.arguments))
        guard serial != 0 else {
            return refuse(purpose, BusError(name: Self.invalid, text: "it cannot be sent"))
        }
        counters.calls += 1
        pending.note(serial, purpose, deadline: now + call.patience)
    }

    /// Sends a reply, an error or a signal; without a bus there is nobody to send it to.
    mutating func send(_ message: BusMessage) {
        guard case .open(let connection, _) = state else { return }
        _ = connection.send(message)
    }

    private mutating func refuse(_ purpose: Purpose, _ error: BusError) {
        undelivered.append(.answer(purpose, .failure(error)))
        hasMore = true
    }

    private static let limitsExceeded = "org.freedesktop.DBus.Error.LimitsExceeded"
    private static let invalid = "org.freedesktop.DBus.Error.InvalidArgs"
    private static let tooMany = "healthd waits for too many answers already"
}

extension BusClient {
    /// Does what can be done now without waiting.
    mutating func turn(at now: Int64) -> [Arrival] {
        var arrivals = undelivered
        undelivered = []
        hasMore = false
        switch state {
        case .closed(let until):
            if until <= now { arrivals += open(at: now) }
        case .opening(let connection, let due):
            arrivals += exchange(connection, at: now)
            if case .opening = state, let due, due <= now {
                state = .opening(connection, toldAt: nil)
                arrivals += told(BusError(name: BusError.noReply, text: Self.silence))
            }
        case .open(let connection, _): arrivals += exchange(connection, at: now)
        }
        return arrivals + overdue(at: now)
    }

    private mutating func open(at now: Int64) -> [Arrival] {
        do throws(BusError) {
            let connection = try BusConnection(address: address)
            state = .opening(connection, toldAt: now + Self.patience)
            return exchange(connection, at: now)
        } catch {
            return close(error, at: now)
        }
    }

    private mutating func exchange(_ connection: BusConnection, at now: Int64) -> [Arrival] {
        _ = connection.exchange()
        var arrivals: [Arrival] = []
        while arrivals.count < Self.messagesAtOnce, let message = connection.next() {
            if let arrival = arrival(of: message) { arrivals.append(arrival) }
        }
        hasMore = hasMore || arrivals.count == Self.messagesAtOnce
        if case .opening = state, let name = connection.uniqueName {
            state = .open(connection, since: now)
            reason = nil
            counters.openings += 1
            arrivals.insert(.opened(name), at: 0)
        }
        guard let error = connection.failure, !hasMore else { return arrivals }
        return arrivals + close(error, at: now)
    }

    /// A message as what it is for us; nil for an answer that nobody waits for any more.
    private mutating func arrival(of message: BusMessage) -> Arrival? {
        switch message.kind {
        case .call, .signal: return .message(message)
        case .reply:
            return pending.take(message.replySerial).map { .answer($0, .success(message.body)) }
        case .error:
            let error = BusError(
                name: message.errorName ?? "", text: message.body.first?.text ?? "")
            return pending.take(message.replySerial).map { .answer($0, .failure(error)) }
        }
    }

    private mutating func overdue(at now: Int64) -> [Arrival] {
        let overdue = pending.takeOverdue(at: now)
        counters.timeouts += overdue.count
        return overdue.map { .answer($0, .failure(BusError(name: BusError.noReply))) }
    }

    /// Gives the connection up; calls that wait are forgotten, since whoever closed tells it at once.
    private mutating func close(_ error: BusError, at now: Int64) -> [Arrival] {
        if case .open(_, let since) = state, now - since >= Self.patience { backoff = Backoff() }
        state = .closed(until: now + backoff.next())
        pending.forget()
        undelivered = []
        hasMore = false
        return told(error)
    }

    /// Why there is no bus, unless that was the last that was told.
    private mutating func told(_ error: BusError) -> [Arrival] {
        defer { reason = error }
        return reason == error ? [] : [.closed(error)]
    }

    private static let silence = "the bus does not let healthd in within 30 s"

    /// Whether it is open, and the calls that wait now.
    var present: (isOpen: Bool, pendingCalls: Int) {
        if case .open = state { (true, pending.count) } else { (false, pending.count) }
    }
}

/// What was counted on the way to the bus since the start.
struct BusCounters: Equatable, Sendable {
    /// Times that the bus let us in.
    var openings = 0
    /// Calls that were made.
    var calls = 0
    /// Calls that nobody answered in time.
    var timeouts = 0
}

/// How long to wait before the next attempt: 1 s, then twice as long each time, at most 30 s.
struct Backoff {
    private var wait: Int64 = 1000

    private static let longest: Int64 = 30_000

    /// The next wait in ms, up to a fifth longer or shorter, so that many programs do not come at once.
    mutating func next() -> Int64 {
        defer { wait = min(wait * 2, Self.longest) }
        return wait + Int64.random(in: -wait / 5...wait / 5)
    }
}
