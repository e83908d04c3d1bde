import ControlProtocol
import JSON

/// `healthctl delete`: deletes readings, after showing which and asking.
enum DeleteCommand {
    /// Deletes what the arguments and options name.
    ///
    /// - Throws: A usage failure, the daemon's, or one of the output.
    static func run(_ session: inout Session) throws(Failure) -> Int32 {
        let invocation = session.invocation
        guard !invocation.arguments.isEmpty || invocation.has(.device) else {
            throw .usage("`delete` needs \(Command.Arguments.samplesOrTypes.missing)")
        }
        let request = try session.request(arguments: invocation.arguments)
        let dry = request.with([Request.Option(key: "dry-run", value: "yes")])
        if invocation.has(.dryDelete) { return try perform(dry, "would delete", &session) }
        if !invocation.has(.yes) {
            guard Environment.canAsk else {
                throw .usage("no terminal to ask on: --yes deletes unasked")
            }
            let account = try ask(dry, session).objects.first ?? .null
            guard account["readings"]?.integer != 0 else { return nothing(session) }
            guard Environment.confirms("delete \(text(account)) for good?") else {
                session.remark("nothing was deleted")
                return ExitCode.success
            }
        }
        return try perform(request, "deleted", &session)
    }

    /// What an account of the daemon's says: `12 readings with 24 samples (heartRate 12, …)`.
    static func text(_ account: JSONValue) -> String {
        let types = (account["types"]?.members ?? []).map { type, number in
            "\(type) \(number.integer.map(grouped) ?? number.digits ?? "?")"
        }
        let readings = count(account["readings"]?.integer ?? 0, "reading")
        let samples = count(account["samples"]?.integer ?? 0, "sample")
        let list = types.isEmpty ? "" : " (\(types.joined(separator: ", ")))"
        return "\(readings) with \(samples)\(list)"
    }

    private static func perform(
        _ request: Request, _ verb: String, _ session: inout Session
    ) throws(Failure) -> Int32 {
        for account in try fetchObjects(request, &session).objects {
            guard account["readings"]?.integer != 0 else { return nothing(session) }
            try session.output.write(printable("\(verb) \(text(account))") + "\n")
        }
        return ExitCode.success
    }

    private static func nothing(_ session: Session) -> Int32 {
        session.remark("there is nothing to delete")
        return session.invocation.has(.failEmpty) ? ExitCode.empty : ExitCode.success
    }
}
