import ControlProtocol

/// The program: one command line in, an exit code out.
enum Healthctl {
    /// Does what the words behind the program's name ask for.
    static func run(_ words: [String]) -> Int32 {
        do throws(Failure) {
            var session = try Session(Invocation(words))
            let code = try run(&session)
            try session.output.flush()
            return code
        } catch {
            if !error.message.isEmpty {
                writeToStandardError("healthctl: \(printable(error.message))\n")
            }
            return error.exitCode
        }
    }

    private static func run(_ session: inout Session) throws(Failure) -> Int32 {
        if session.invocation.has(.version) {
            try session.output.write("healthctl \(Release.version)\n")
            return ExitCode.success
        }
        guard let command = session.invocation.command, !session.invocation.has(.help) else {
            return try printHelp(session.invocation.command, &session)
        }
        do throws(Failure) {
            return try run(command.verb, &session)
        } catch {
            try session.output.flush()  // what came before the failure is true all the same
            throw error
        }
    }

    private static func run(_ verb: CommandVerb, _ session: inout Session) throws(Failure) -> Int32
    {
        switch verb {
        case .samples: try SamplesCommand.run(&session)
        case .latest: try LatestCommand.run(&session)
        case .watch: try WatchCommand.run(&session)
        case .changes: try ChangesCommand.run(&session)
        case .explain: try ExplainCommand.run(&session)
        case .types: try TypesCommand.run(&session)
        case .devices: try DevicesCommand.run(&session)
        case .sources: try SourcesCommand.run(&session)
        case .status: try StatusCommand.run(&session)
        case .why: try WhyCommand.run(&session)
        case .gaps: try GapsCommand.run(&session)
        case .access: try AccessCommand.run(&session)
        case .metrics: try MetricsCommand.run(&session)
        case .pair: try PairCommand.run(&session)
        case .forget: try ForgetCommand.run(&session)
        case .setClock: try SetClockCommand.run(&session)
        case .replay: try ReplayCommand.run(&session)
        case .import: try ImportCommand.run(&session)
        case .export: try ExportCommand.run(&session)
        case .convert: try ConvertCommand.run(&session)
        case .record: try RecordCommand.run(&session)
        case .assign: try AssignCommand.run(&session)
        case .delete: try DeleteCommand.run(&session)
        case .backup: try BackupCommand.run(&session)
        case .checkpoint: try CheckpointCommand.run(&session)
        case .decode: try DecodeCommand.run(&session)
        case .help: try printHelp(try topic(session.invocation), &session)
        }
    }

    private static func topic(_ invocation: Invocation) throws(Failure) -> Command? {
        guard let word = invocation.arguments.first else { return nil }
        return try Invocation([word, "--help"]).command
    }

    private static func printHelp(
        _ command: Command?, _ session: inout Session
    ) throws(Failure) -> Int32 {
        try session.output.write(command.map(HelpText.of) ?? HelpText.overview)
        return ExitCode.success
    }
}
