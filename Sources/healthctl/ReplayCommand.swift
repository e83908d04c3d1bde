import ControlProtocol

/// `healthctl replay`: sends recordings to the daemon, one after another.
enum ReplayCommand {
    /// Replays each file and prints an account of it; a file that cannot be read stops no other.
    ///
    /// - Returns: The code of the first file that failed.
    /// - Throws: The daemon's failure, or one of the output.
    static func run(_ session: inout Session) throws(Failure) -> Int32 {
        let options = try CaptureOptions(session.invocation)
        var code = ExitCode.success
        for path in session.invocation.arguments {
            let result = try replay(path, options, &session)
            if code == ExitCode.success { code = result }
        }
        return code
    }

    private static func replay(
        _ path: String, _ options: CaptureOptions, _ session: inout Session
    ) throws(Failure) -> Int32 {
        let input: RecordingInput
        do throws(Failure) {
            input = try RecordingInput.opened(path, options)
        } catch {
            writeToStandardError("healthctl: \(printable(error.message))\n")
            return error.exitCode
        }
        let isDryRun = session.invocation.has(.dryRun)
        let request = try session.request(
            isDryRun ? [Request.Option(key: "dry-run", value: "yes")] : [])
        var exchange = ReplayExchange(
            input, over: try session.connect(), isQuiet: session.isQuiet)
        try exchange.run(request, &session)
        exchange.input.account?.lines.forEach { session.remark($0) }
        let code = try close(exchange.account, isDryRun, &session)
        guard let damage = exchange.input.damage else { return code }
        writeToStandardError("healthctl: \(printable("\(path): \(damage)"))\n")
        return ExitCode.dataError
    }

    private static func close(
        _ account: ReplayAccount, _ isDryRun: Bool, _ session: inout Session
    ) throws(Failure) -> Int32 {
        if account.untold > 0 {
            session.remark(
                "… and \(count(account.untold, "more damaged line", "more damaged lines"))")
        }
        if session.format == .text {
            try session.output.write(printable(account.text(isDryRun: isDryRun)) + "\n")
            try session.output.flush()
        }
        let isFailure = account.damaged > 0 && session.invocation.has(.strictReplay)
        return isFailure ? ExitCode.dataError : ExitCode.success
    }
}
