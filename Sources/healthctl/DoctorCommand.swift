import JSON

/// `healthctl doctor`: whether everything that readings need is there, and what to do where it is not.
enum DoctorCommand {
    /// Prints a check a subject, or more where more is wrong, and writes the bundle that is asked for.
    ///
    /// - Returns: 1 if something fails, else 0.
    /// - Throws: A failure of the output or of the bundle.
    static func run(_ session: inout Session) throws(Failure) -> Int32 {
        let daemon = DaemonReport(asking: session)
        let host = HostReport(socket: session.socketPath, store: daemon.storePath)
        let checks = DoctorChecks(daemon, host).all
        for check in checks { try write(check, &session) }
        if let path = session.invocation[.bundle] {
            try SupportBundle(checks, daemon, host).write(to: path)
            session.remark(
                "\(path) holds what a report needs, without names; read it before you send it")
        }
        return checks.contains { $0.level == .fail } ? ExitCode.failed : ExitCode.success
    }

    private static func write(_ check: DoctorCheck, _ session: inout Session) throws(Failure) {
        switch session.format {
        case .json: try session.output.write(check.json)
        case .jsonPretty:
            var parser = JSONParser()
            let line = check.json.dropLast()
            try session.output.write(indented(try object(line, with: &parser)))
        case .table, .text, .csv, .tsv, .ndjson, .gattlog:
            try session.output.write(check.text(isColored: session.isColored))
        }
    }
}
