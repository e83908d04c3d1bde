internal import BlueZ
internal import CLinux
internal import ControlProtocol
internal import Glibc
internal import Measurements
internal import Samples
internal import Storage

/// The serving thread: one poll loop for all clients, which never waits for any of them.
///
/// It reads requests and sends what is ready; workers read the store, the writer writes it, and both
/// answer by mail.
final class Server {
    /// What other threads tell it.
    enum Message: Sendable {
        /// A worker has made a part of an answer.
        case answered(ConnectionID, AnswerPart)
        /// A worker has read a piece of a recording.
        case replayParsed(ConnectionID, ReplayPiece)
        /// The writer has stored a piece of a recording.
        case replayStored(ConnectionID, ReplayTally)
        /// The writer has stored a recording durably, or could not.
        case replayFinished(ConnectionID, Result<Int64, ReplayLedger.Failure>)
        /// Everything of before is visible to readers.
        case committed(ConnectionID)
        /// The writer has done what an answer asked for, or could not.
        case written(ConnectionID, Result<StoreResult, StorageError>)
        /// There is something new to follow, or to record.
        case advanced
        /// The store was damaged, and a new one begun.
        case replaced
        /// The configuration is to be read again.
        case reload
        /// The configuration was read again.
        case reloaded(Configuration)
        /// How the sensors fare, as the collector says.
        case reported(ConnectionID, RadioReport)
        /// Something for somebody at a terminal.
        case told(OperatorID, OperatorMessage)
        /// Tell the collector that serving turns.
        case turn
        /// Answer no more.
        case stop
    }

    /// Connections in all: poll and memory stay small, and no monitor needs more.
    static let connectionLimit = 128
    /// Connections of one uid, so that one user cannot keep the others out.
    static let connectionLimitPerUser = 96
    /// Recordings at once: each holds two pieces in memory.
    static let replayLimit = 8
    /// How long a question waits for the writer to make visible what came before it.
    static let commitTimeout: Int64 = 200

    let facts: DaemonFacts
    let writer: Writer
    let mailbox: Mailbox<Message>
    let collector: Mailbox<Collector.Message>
    let socket: SocketFile
    let workers: WorkerPool
    let tee: EventTee
    var connections: [ConnectionID: Connection] = [:]
    var sharedParts = SharedParts()
    /// The number of the next connection.
    var nextID: ConnectionID = 1
    /// The number of the last operator; none is used twice.
    var lastOperator: UInt64 = 0
    private var buffer = [UInt8](repeating: 0, count: Connection.inputLimit)
    private var isStopping = false
    /// When to accept again, after there were no descriptors left.
    var acceptAgain: MonotonicTime?
    /// Who may do what, as the configuration says it now.
    var accessRules: AccessRules
    /// The configuration as it was read last.
    var configuration: Configuration
    var counters = ServingCounters()

    init(
        _ facts: DaemonFacts, _ configuration: Configuration, socket: SocketFile, writer: Writer,
        workers: WorkerPool, mailbox: Mailbox<Message>, collector: Mailbox<Collector.Message>,
        tee: EventTee
    ) {
        self.tee = tee
        self.collector = collector
        self.configuration = configuration
        accessRules = configuration.access
        self.facts = facts
        self.writer = writer
        self.workers = workers
        self.mailbox = mailbox
        self.socket = socket
    }

    /// Serves until told to stop.
    func run() {
        claimSensors(from: facts.started)
        while !isStopping { turn() }
        for connection in connections.values where connection.isBusy {
            connection.send(line: Reply.failure(tag: connection.tag, Self.shuttingDown))
            connection.flush()
        }
    }

    /// One turn of the loop: wait, then do what has become possible.
    private func turn() {
        let watched = Array(connections.values)
        var pollers = [
            pollfd(fd: mailbox.descriptor, events: Int16(POLLIN), revents: 0),
            pollfd(
                fd: acceptAgain == nil ? socket.descriptor : -1, events: Int16(POLLIN), revents: 0),
        ]
        for connection in watched {
            pollers.append(connection.poller)
        }
        _ = poll(&pollers, nfds_t(pollers.count), timeout)
        if pollers[0].revents != 0 { mailbox.take().forEach(handle) }
        if pollers[1].revents != 0 { accept() }
        for (connection, poller) in zip(watched, pollers[2...]) {
            serve(connection, poller.revents)
        }
        expire(MonotonicTime.now)
        writer.setFollowers(followerCount)
    }

    private func serve(_ connection: Connection, _ events: Int16) {
        guard connections[connection.id] != nil else { return }
        if events & Int16(POLLIN) != 0 { connection.receive(into: &buffer) }
        if events & Int16(POLLERR | POLLHUP) != 0, events & Int16(POLLIN) == 0 {
            connection.hangUp()
        }
        advance(connection)
    }

    /// Does for a connection what can be done now, and closes it where nothing is left.
    func advance(_ connection: Connection) {
        repeat {
            while case .idle = connection.state, !connection.isGone {
                guard startNextRequest(connection) else { break }
            }
            if connection.isReplaying { advanceReplay(connection) }
            connection.flush()
        } while connection.canStartRequest
        if case .paused(let answer) = connection.state, connection.output.isEmpty {
            ask(answer, connection)
        }
        if case .following(let answer, _) = connection.state { advanceFollow(answer, connection) }
        if case .operating(let conversation) = connection.state {
            advanceOperation(conversation, connection)
        }
        if connection.isFinished {
            cancelOperation(of: connection)
            connections[connection.id] = nil
        }
    }

    private static let shuttingDown = ProtocolError(
        .shuttingDown, "healthd is ending; try again when it is back")
}

extension Server {
    /// Gives an answer to a worker.
    func ask(_ answer: any Answer, _ connection: Connection) {
        connection.state = .answering
        workers.post(.answer(connection.id, answer))
    }

    private func handle(_ message: Message) {
        switch message {
        case .answered(let id, let part): takeShared(part, id)
        case .committed(let id):
            guard let connection = connections[id] else { return }
            if case .waiting(let answer, _) = connection.state { ask(answer, connection) }
        case .replayParsed(let id, let piece): updateReplay(id) { $1.note(piece, for: $0, self) }
        case .replayStored(let id, let tally): updateReplay(id) { $1.noteStored(tally, for: $0) }
        case .replayFinished(let id, let result):
            finishReplay(id, result)
        case .written(let id, let result): takeWritten(id, result)
        case .advanced: connections.values.forEach(advance)
        case .replaced: endFollows()
        case .reload: workers.post(.reload)
        case .reloaded(let configuration): reload(configuration)
        case .reported(let id, let report): takeReport(id, report)
        case .told(let who, let message): tell(message, to: who)
        case .turn: collector.post(.turned(.serving))
        case .stop: isStopping = true
        }
    }

    func take(_ part: AnswerPart, _ connection: Connection) {
        if let error = connection.followEnd {
            return end(connection, Reply.failure(tag: connection.tag, error))
        }
        connection.send(part.text)
        connection.records += part.records
        switch part.outcome {
        case .more(let answer): connection.state = .paused(answer)
        case .wait(let answer): follow(answer, connection)
        case .write(let job, let answer):
            connection.state = .writing(answer)
            writer.mailbox.post(.perform(connection.id, job))
        case .ok(let details): end(connection, Reply.ok(tag: connection.tag, details))
        case .failure(let error): end(connection, Reply.failure(tag: connection.tag, error))
        }
    }

    /// Ends a reply; the next request can begin.
    func end(_ connection: Connection, _ line: String) {
        connection.send(line: line)
        connection.tag = nil
        connection.verb = nil
        connection.records = 0
        connection.followEnd = nil
        connection.nextHeartbeat = nil
        if case .closing = connection.state { return }
        connection.state = .idle
    }

    /// How many clients follow.
    var followerCount: Int { connections.values.count { $0.verb == "follow" } }

    /// How long poll may sleep: until the first of all deadlines.
    private var timeout: Int32 {
        let deadlines = connections.values.flatMap(\.deadlines) + [acceptAgain].compactMap { $0 }
        return deadlines.min()?.pollTimeout ?? -1
    }

    private func expire(_ now: MonotonicTime) {
        if let again = acceptAgain, again <= now { acceptAgain = nil }
        for connection in connections.values {
            if let deadline = connection.firstOctetDeadline, deadline <= now {
                if connection.output.isEmpty { connection.send(line: "# working") }
                connection.flush()
                connection.firstOctetDeadline = now.advanced(by: Connection.firstOctetTimeout)
            }
            if case .inquiring(_, let deadline) = connection.state, deadline <= now {
                takeReport(connection.id, nil)
            }
            if case .waiting(let answer, let deadline) = connection.state, deadline <= now {
                ask(answer, connection)
            }
            if case .following(let answer, let deadline) = connection.state, deadline <= now {
                beat(answer, connection, now)
            }
            if case .operating(let talk) = connection.state, talk.heartbeat <= now {
                beat(talk, connection, now)
            }
            if let deadline = connection.lineDeadline, deadline <= now {
                giveUpLine(connection)
            }
        }
    }

    private func giveUpLine(_ connection: Connection) {
        connection.lineDeadline = nil
        let error = ProtocolError(.incomplete, "the rest of the line did not come in a minute")
        connection.send(line: Reply.failure(tag: nil, error))
        connection.state = .closing
        advance(connection)
    }
}
