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
        connection.tag = nil
        do throws(ProtocolError) {
            let request = try Request(line)
            connection.tag = request.tag
            let verb = try Verb.of(request)
            guard !verb.needsAdmin || facts.isAdministrator(connection.uid) else {
                throw Self.denied(verb)
            }
            try start(request, connection)
        } catch {
            end(connection, Reply.failure(tag: connection.tag, error))
        }
    }

    private func start(_ request: Request, _ connection: Connection) throws(ProtocolError) {
        switch request.verb {
        case "ping": end(connection, Reply.ok(tag: request.tag))
        case "hello":
            connection.send(line: greeting)
            end(connection, Reply.ok(tag: request.tag))
        case "quit":
            end(connection, Reply.ok(tag: request.tag))
            connection.state = .closing
        case "replay": try startReplay(request, connection)
        default: startAnswer(try facts.answer(to: request, writer: writer), connection)
        }
    }

    /// Asks a worker, once what came before the question is visible.
    private func startAnswer(_ answer: any Answer, _ connection: Connection) {
        connection.firstOctetDeadline = .now.advanced(by: Connection.firstOctetTimeout)
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
