/// `healthctl checkpoint`: waits until all that healthd has is on disk.
enum CheckpointCommand {
    /// Asks for it.
    ///
    /// - Throws: The daemon's failure.
    static func run(_ session: inout Session) throws(Failure) -> Int32 {
        let details = try ask(try session.request(), session).details
        session.remark("everything up to seq \(details["seq"] ?? "?") is on disk")
        return ExitCode.success
    }
}
