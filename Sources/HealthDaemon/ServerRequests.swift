internal import ControlProtocol
internal import Measurements

extension Server {
    /// Begins the next request in the connection's input; false if there is no whole one.
    func startNextRequest(_ connection: Connection) -> Bool {
        guard !connection.output.isLarge else { return false }
        switch connection.nextLine() {
        case .none: return false
        case .tooLong:
            let limit = Request.longestLine
            let error = ProtocolError(.lineTooLong, "a request has at most \(limit) octets")
            connection.send(line: Reply.failure(tag: nil, error))
        case .line(let line):
            if !Request.isIgnored(line) { start(line, connection) }
        }
        return true
    }

    private func start(_ line: ArraySlice<UInt8>, _ connection: Connection) {
        connection.tag = Request.tag(of: line)
        do throws(ProtocolError) {
            let request = try Request(line)
            counters.requests += 1
            let verb = try Verb.of(request)
            let access = accessRules.access(of: connection.peer, daemon: facts.uid)
            let bringsIn = verb.name == "replay" || verb.name == "import"
            guard !verb.needsAdmin || access.isAdmin || (bringsIn && access.mayReplay)
            else { throw Self.denied(verb) }
            try start(request, connection, access)
        } catch {
            end(connection, Reply.failure(tag: connection.tag, error))
        }
    }

    private func start(
        _ request: Request, _ connection: Connection, _ access: Access
    ) throws(ProtocolError) {
        switch request.verb {
        case "ping": end(connection, Reply.ok(tag: request.tag))
        case "hello":
            connection.send(line: greeting)
            end(connection, Reply.ok(tag: request.tag))
        case "quit":
            end(connection, Reply.ok(tag: request.tag))
            connection.state = .closing
        case "replay", "import": try startReplay(request, connection)
        case "pair", "forget", "set-clock": try startOperation(request, connection)
        case "answer":
            throw ProtocolError(
                .conflict, "nothing is asked; `answer` answers a question of `pair`")
        default:
            let answer = try context(connection, access).answer(to: request)
            connection.verb = request.verb
            startAnswer(answer, connection)
        }
    }

    private func context(_ connection: Connection, _ access: Access) -> RequestContext {
        counters.connections = connections.count
        counters.followers = followerCount
        return RequestContext(
            facts: facts, writer: writer, access: access, uid: connection.peer.uid,
            now: Clock.now, serving: counters, names: SensorNames(configuration),
            priority: SourcePriority(configuration), tee: tee)
    }

    /// Asks a worker, once it is known how the sensors fare where the answer tells that.
    private func startAnswer(_ answer: any Answer, _ connection: Connection) {
        connection.firstOctetDeadline = .now.advanced(by: Connection.firstOctetTimeout)
        if facts.source == .bluez, let answer = answer as? any RadioAnswer {
            askCollector(answer, connection)
        } else {
            askVisible(answer, connection)
        }
    }

    /// Asks a worker, once what came before the question is visible.
    func askVisible(_ answer: any Answer, _ connection: Connection) {
        guard writer.hasUncommitted else { return ask(answer, connection) }
        connection.state = .waiting(answer, until: .now.advanced(by: Self.commitTimeout))
        writer.mailbox.post(.commit(connection.id))
    }

    private static func denied(_ verb: Verb) -> ProtocolError {
        ProtocolError(
            .denied,
            "`\(verb.name)` is for administrators: root, or the user that healthd runs as; try sudo"
        )
    }
}
