internal import BlueZ
internal import ControlProtocol
internal import Measurements
internal import Storage

extension Server {
    /// Lets an answer wait for what comes.
    func follow(_ answer: any WaitingAnswer, _ connection: Connection) {
        let interval = answer.heartbeat ?? Self.longestHeartbeat
        let due = connection.nextHeartbeat ?? MonotonicTime.now.advanced(by: interval)
        connection.nextHeartbeat = due
        // A reply begins soon, also when there is nothing to tell: with where it stands.
        if connection.firstOctetDeadline != nil {
            connection.send(line: answer.heartbeatLine(Clock.now))
        }
        connection.state = .following(answer, heartbeat: due)
    }

    private static let longestHeartbeat: Int64 = 3_600_000

    /// Ends a follow that the next request ends, or tells a worker that there is something new.
    func advanceFollow(_ answer: any WaitingAnswer, _ connection: Connection) {
        if connection.hasRequest, !answer.hasRest() {
            let details = answer.endDetails(connection.records)
            end(connection, Reply.ok(tag: connection.tag, details))
            advance(connection)
        } else if answer.hasNews(in: writer), connection.output.isEmpty {
            askShared(answer, connection)
        }
    }

    /// Asks a worker for what comes next, unless one is making it for somebody else.
    private func askShared(_ answer: any WaitingAnswer, _ connection: Connection) {
        guard let follow = answer as? FollowAnswer, !sharedParts.join(follow, connection.id) else {
            return ask(answer, connection)
        }
        connection.state = .answering
    }

    /// Gives a part to all who wait for it.
    func takeShared(_ part: AnswerPart, _ id: ConnectionID) {
        for id in sharedParts.finish(id) {
            guard let connection = connections[id] else { continue }
            take(part, connection)
            advance(connection)
        }
    }

    /// Says that the follow goes on.
    func beat(_ answer: any WaitingAnswer, _ connection: Connection, _ now: MonotonicTime) {
        let due = now.advanced(by: answer.heartbeat ?? Self.longestHeartbeat)
        connection.nextHeartbeat = due
        connection.state = .following(answer, heartbeat: due)
        guard connection.output.isEmpty else { return }
        connection.send(line: answer.heartbeatLine(Clock.now))
        connection.flush()
    }

    /// Ends all follows, because the store that they follow is no more.
    func endFollows() {
        let error = ProtocolError(
            .storeDamaged, "the store was damaged and a new one begun; follow it with since=start")
        for connection in connections.values
        where ["follow", "changes"].contains(connection.verb) { endFollow(connection, error) }
    }

    /// Ends an answer that waits, now or when the worker that has it is back.
    private func endFollow(_ connection: Connection, _ error: ProtocolError) {
        switch connection.state {
        case .following, .paused:
            end(connection, Reply.failure(tag: connection.tag, error))
            advance(connection)
        case .answering, .waiting: connection.followEnd = error
        case .idle, .inquiring, .operating, .writing, .replaying, .closing: break
        }
    }

    /// Goes on with an answer once the writer has done its part.
    func takeWritten(_ id: ConnectionID, _ result: Result<StoreResult, StorageError>) {
        guard let connection = connections[id], case .writing(var answer) = connection.state else {
            return
        }
        switch result {
        case .success(let result):
            answer.take(result)
            ask(answer, connection)
        case .failure(let error):
            end(connection, Reply.failure(tag: connection.tag, error.reply))
        }
        advance(connection)
    }

    /// Puts a configuration into force that was read while the daemon runs.
    func reload(_ configuration: Configuration) {
        let before = accessRules
        accessRules = configuration.access
        self.configuration = configuration
        collector.post(.settings(Settings(configuration, zone: facts.zone)))
        claimSensors(from: Clock.now)
        connections.values.forEach { endFollowWithoutRight($0, before) }
        writer.mailbox.post(.configure(configuration))
        Log.write(
            .notice,
            "the configuration was read again: sensors, [bluetooth], [retention], access rules "
                + "and commit_interval hold")
    }

    /// Ends a follow by somebody who may read less than when it began.
    private func endFollowWithoutRight(_ connection: Connection, _ before: AccessRules) {
        let then = before.access(of: connection.peer, daemon: facts.uid)
        let now = accessRules.access(of: connection.peer, daemon: facts.uid)
        guard now.isLess(than: then), ["follow", "record"].contains(connection.verb) else { return }
        endFollow(
            connection,
            ProtocolError(.denied, "the configuration has changed: see what `access` says now"))
    }
}
