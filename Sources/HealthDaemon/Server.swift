internal import Samples
internal import CLinux
internal import ControlProtocol
internal import Glibc
internal import Measurements
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
        /// There is something new to follow.
        case advanced
        /// The store was damaged, and a new one begun.
        case replaced
        /// The configuration is to be read again.
        case reload
        /// The configuration was read again.
        case reloaded(Configuration)
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
    private let socket: SocketFile
    let workers: WorkerPool
    var connections: [ConnectionID: Connection] = [:]
    private var nextID: ConnectionID = 1
    private var buffer = [UInt8](repeating: 0, count: Connection.inputLimit)
    private var isStopping = false
    /// When to accept again, after there were no descriptors left.
    private var acceptAgain: MonotonicTime?
    /// Who may do what, as the configuration says it now.
    var accessRules: AccessRules
    var counters = ServingCounters()

    init(
        _ facts: DaemonFacts, _ accessRules: AccessRules, socket: SocketFile, writer: Writer,
        workers: WorkerPool, mailbox: Mailbox<Message>
    ) {
        self.accessRules = accessRules
        self.facts = facts
        self.writer = writer
        self.workers = workers
        self.mailbox = mailbox
        self.socket = socket
    }

    /// Serves until told to stop.
    func run() {
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
        writer.setFollowers(connections.values.count { $0.isFollowing })
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
        if connection.isFinished { connections[connection.id] = nil }
    }

    private func accept() {
        while true {
            let descriptor = clinux_accept(socket.descriptor)
            if descriptor < 0 {
                // Without descriptors the waiting client would wake poll for ever.
                if errno == EMFILE || errno == ENFILE { acceptAgain = .now.advanced(by: 100) }
                return
            }
            admit(descriptor)
        }
    }

    private func admit(_ descriptor: Int32) {
        var peer = clinux_peer()
        guard clinux_peer_of(descriptor, &peer) == 0 else {
            close(descriptor)
            return
        }
        let peerGroups = Server.groups(of: descriptor, primary: peer.gid)
        let connection = Connection(
            nextID, descriptor: descriptor, peer: Peer(uid: peer.uid, groups: peerGroups))
        nextID += 1
        let ofUser = connections.values.count { $0.peer.uid == peer.uid }
        guard connections.count < Self.connectionLimit, ofUser < Self.connectionLimitPerUser else {
            counters.refused += 1
            connection.send(line: Reply.failure(tag: nil, Self.tooMany(ofUser)))
            connection.flush()
            return
        }
        connections[connection.id] = connection
        connection.send(line: greeting)
        connection.flush()
    }

    /// The line that a connection begins with.
    var greeting: String {
        Reply.greeting(
            server: facts.server, epoch: writer.epoch, newest: writer.committedSeq,
            zone: facts.zone.name)
    }

    /// The groups of a peer; only the primary one where the kernel does not tell more.
    private static func groups(of descriptor: Int32, primary: UInt32) -> Set<UInt32> {
        var groups = [UInt32](repeating: 0, count: groupLimit)
        let count = clinux_peer_groups(descriptor, &groups, Int32(groupLimit))
        return Set(count > 0 ? groups[..<Int(count)] : []).union([primary])
    }

    /// Groups a peer is looked up in: NGROUPS_MAX is 65,536, and no person is in as many.
    private static let groupLimit = 1024

    private static func tooMany(_ ofUser: Int) -> ProtocolError {
        let limit = ofUser < connectionLimitPerUser ? connectionLimit : connectionLimitPerUser
        let whose = ofUser < connectionLimitPerUser ? "in all" : "for one user"
        return ProtocolError(
            .tooManyConnections, "there are \(limit) connections \(whose); close one, or wait")
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
        case .answered(let id, let part):
            guard let connection = connections[id] else { return }
            take(part, connection)
            advance(connection)
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
        case .stop: isStopping = true
        }
    }

    private func take(_ part: AnswerPart, _ connection: Connection) {
        if let error = connection.followEnd {
            return end(connection, Reply.failure(tag: connection.tag, error))
        }
        connection.send(part.text)
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
        connection.isFollowing = false
        connection.followEnd = nil
        connection.nextHeartbeat = nil
        if case .closing = connection.state { return }
        connection.state = .idle
    }

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
            if case .waiting(let answer, let deadline) = connection.state, deadline <= now {
                ask(answer, connection)
            }
            if case .following(let answer, let deadline) = connection.state, deadline <= now {
                beat(answer, connection, now)
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
