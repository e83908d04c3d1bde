internal import BlueZ
internal import ControlProtocol
internal import Measurements
internal import Samples

extension Server {
    /// Begins what an operator wants to do with a sensor.
    func startOperation(_ request: Request, _ connection: Connection) throws(ProtocolError) {
        guard facts.source == .bluez else {
            throw ProtocolError(
                .noAdapter,
                "healthd runs with the source none and reaches no sensors; "
                    + "set source = bluez in its configuration, and restart it")
        }
        let wish = try OperatorRequest(request)
        lastOperator += 1
        let conversation = Conversation(OperatorID(number: lastOperator))
        connection.state = .operating(conversation)
        connection.firstOctetDeadline = .now.advanced(by: Connection.firstOctetTimeout)
        collector.post(.request(conversation.id, wish))
    }

    /// Passes on what the operator answers; any other request ends what is being done.
    func advanceOperation(_ conversation: Conversation, _ connection: Connection) {
        while connection.hasRequest, let line = connection.input.peekLine() {
            guard let answer = Self.answer(line) else {
                return collector.post(.request(conversation.id, .cancel))
            }
            _ = connection.input.takeLine()
            collector.post(.request(conversation.id, .answer(answer)))
        }
    }

    /// What a line `answer VALUE` answers; nil for any other line.
    private static func answer(_ line: ArraySlice<UInt8>) -> String? {
        do throws(ProtocolError) {
            let request = try Request(line)
            guard request.verb == "answer" else { return nil }
            _ = try Verb.of(request)
            return request.arguments.first
        } catch {
            return nil
        }
    }

    /// Tells an operator something, and ends the reply where it is the last word.
    func tell(_ message: OperatorMessage, to who: OperatorID) {
        guard let connection = connections.values.first(where: { $0.conversation?.id == who })
        else { return }
        if let line = message.line { connection.send(line) }
        switch message {
        case .candidate, .ask, .progress: connection.flush()
        case .done:
            end(connection, Reply.ok(tag: connection.tag))
            advance(connection)
        case .failed(let failure, let text):
            let error = ProtocolError(failure.symbol, text)
            end(connection, Reply.failure(tag: connection.tag, error))
            advance(connection)
        }
    }

    /// Tells the collector that an operator is gone.
    func cancelOperation(of connection: Connection) {
        guard let conversation = connection.conversation else { return }
        collector.post(.request(conversation.id, .cancel))
    }

    /// Says that what is being done goes on.
    func beat(_ conversation: Conversation, _ connection: Connection, _ now: MonotonicTime) {
        var conversation = conversation
        conversation.heartbeat = now.advanced(by: Conversation.heartbeatInterval)
        connection.state = .operating(conversation)
        guard connection.output.isEmpty else { return }
        let time = Clock.now
        connection.send(line: "# hb t=\(time.text(offset: facts.zone.offset(at: time)))")
        connection.flush()
    }
}

extension Connection {
    /// What its operator does with a sensor; nil if there is none.
    var conversation: Conversation? {
        if case .operating(let conversation) = state { conversation } else { nil }
    }
}
