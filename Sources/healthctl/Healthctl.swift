import ControlProtocol

/// The program: one command line in, an exit code out.
enum Healthctl {
    /// Does what the words behind the program's name ask for.
    static func run(_ words: [String]) -> Int32 {
        do throws(Failure) {
            var session = try Session(Invocation(words))
            return try runPaged(&session)
        } catch {
            if !error.message.isEmpty {
                writeToStandardError("healthctl: \(printable(error.message))\n")
            }
            return error.exitCode
        }
    }

    /// Runs the command with its output on the terminal, or page by page.
    private static func runPaged(_ session: inout Session) throws(Failure) -> Int32 {
        let verb = session.invocation.command?.verb ?? .help
        guard verb.isPaged, !session.invocation.has(.noPager), let pager = Pager() else {
            return try runWhole(&session)
        }
        do throws(Failure) {
            let code = try runWhole(&session)
            pager.finish()
            return code
        } catch {
            pager.finish()
            // Whoever has seen enough has not failed.
            guard error.exitCode != ExitCode.brokenPipe else { return ExitCode.success }
            throw error
        }
    }

    private static func runWhole(_ session: inout Session) throws(Failure) -> Int32 {
        let code = try run(&session)
        try session.output.flush()
        return code
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
        case .stats, .series: try StatisticsCommand.run(&session)
        case .report: try ReportCommand.run(&session)
        case .plot: try PlotCommand.run(&session)
        case .latest: try LatestCommand.run(&session)
        case .watch: try WatchCommand.run(&session)
        case .changes: try ChangesCommand.run(&session)
        case .explain: try ExplainCommand.run(&session)
        case .types: try TypesCommand.run(&session)
        case .devices: try DevicesCommand.run(&session)
        case .sources: try SourcesCommand.run(&session)
        case .status: try StatusCommand.run(&session)
        case .why: try WhyCommand.run(&session)
        case .doctor: try DoctorCommand.run(&session)
        case .top: try TopCommand.run(&session)
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
        case .reprocess: try ReprocessCommand.run(&session)
        case .backup: try BackupCommand.run(&session)
        case .checkpoint: try CheckpointCommand.run(&session)
        case .simulate: try SimulateCommand.run(&session)
        case .decode: try DecodeCommand.run(&session)
        case .completion: try CompletionCommand.run(&session)
        case .help where session.invocation.has(.manual): try printManual(&session)
        case .help: try printHelp(try topic(session.invocation), &session)
        }
    }

    private static func topic(_ invocation: Invocation) throws(Failure) -> Command? {
        guard let word = invocation.arguments.first else { return nil }
        return try Invocation([word, "--help"]).command
    }

    private static func printManual(_ session: inout Session) throws(Failure) -> Int32 {
        try session.output.write(ManualPage.text)
        return ExitCode.success
    }

    private static func printHelp(
        _ command: Command?, _ session: inout Session
    ) throws(Failure) -> Int32 {
        try session.output.write(command.map(HelpText.of) ?? HelpText.overview)
        return ExitCode.success
    }
}
