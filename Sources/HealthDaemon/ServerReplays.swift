internal import ControlProtocol
internal import JSON
internal import Storage

extension Server {
    func startReplay(
        _ request: Request, _ connection: Connection
    ) throws(ProtocolError) {
        let running = connections.values.count { $0.isReplaying }
        guard running < Self.replayLimit else {
            throw ProtocolError(
                .busy, "\(Self.replayLimit) recordings are coming in already; wait for one to end")
        }
        let options = try ReplayOptions(request)
        let session = ReplaySession(
            hostZone: facts.zone, subject: options.subject, tee: options.isDryRun ? nil : tee,
            content: options.content)
        connection.state = .replaying(
            ReplayProgress(session, options, tag: request.tag))
        connection.send(line: "# send")
    }

    func updateReplay(
        _ id: ConnectionID, _ update: (Connection, inout ReplayProgress) -> Void
    ) {
        guard let connection = connections[id],
            case .replaying(var progress) = connection.state
        else { return }
        update(connection, &progress)
        connection.state = .replaying(progress)
        advance(connection)
    }

    /// Sends the next piece on its way, or tells the writer that all has come.
    func advanceReplay(_ connection: Connection) {
        guard case .replaying(var progress) = connection.state else { return }
        let isEnd = connection.isInputEnded
        if progress.canParse, !connection.output.isLarge, isEnd || !connection.input.isEmpty {
            let octets = connection.input.takeAll()
            progress.isParsing = true
            workers.post(.parse(connection.id, progress.session, octets, isEnd: isEnd))
        }
        if progress.isComplete {
            progress.isFinishing = true
            writer.mailbox.post(
                .finishReplay(
                    connection.id, progress.assignments, isDryRun: progress.isDryRun))
        }
        connection.state = .replaying(progress)
    }

    func finishReplay(_ id: ConnectionID, _ result: Result<Int64, ReplayLedger.Failure>) {
        guard let connection = connections[id],
            case .replaying(var progress) = connection.state
        else { return }
        if case .failure(let failure) = result { progress.takeBack(failure.lost) }
        connection.send(progress.account())
        let isCut = progress.isCut
        if case .dot(let rest, _) = progress.ending { connection.input.putBack(rest) }
        switch result {
        case .failure(let failure):
            end(connection, Reply.failure(tag: progress.tag, failure.error.reply))
        case .success where isCut:
            end(connection, Reply.failure(tag: progress.tag, Self.cut(progress)))
        case .success(let seq):
            end(connection, Reply.ok(tag: progress.tag, [(key: "seq", value: "\(seq)")]))
        }
        advance(connection)
    }

    private static func cut(_ progress: ReplayProgress) -> ProtocolError {
        ProtocolError(
            .incomplete,
            "what was sent ended without a line that holds a dot; "
                + "what came before line \(progress.lines + 1) is kept")
    }
}

extension ReplayProgress {
    /// Whether the input ended before the line with a dot.
    var isCut: Bool {
        if case .endOfInput = ending { true } else { false }
    }

    /// Whose the readings are to be.
    var assignments: ReplayAssignments? {
        switch ending {
        case .dot(_, let assignments), .endOfInput(let assignments): assignments
        case nil: nil
        }
    }

    mutating func note(_ piece: ReplayPiece, for connection: Connection, _ server: Server) {
        note(piece)
        connection.send(piece.report.octets)
        guard !piece.intakes.isEmpty else { return }
        server.writer.mailbox.post(.replay(connection.id, piece.intakes, isDryRun: isDryRun))
    }

    mutating func noteStored(_ part: ReplayTally, for connection: Connection) {
        noteStored(part)
        guard connection.output.isEmpty, let remark = remark() else { return }
        connection.send(line: remark)
    }
}
