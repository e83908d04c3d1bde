import ControlProtocol

/// `healthctl assign`: tells whose readings the ones of a device are.
enum AssignCommand {
    /// Assigns the device that the first argument names to the person of the second one.
    ///
    /// - Throws: A usage failure or the daemon's.
    static func run(_ session: inout Session) throws(Failure) -> Int32 {
        let words = session.invocation.arguments
        let request = try session.request().with(
            zip(["device", "subject"], words).map { Request.Option(key: $0, value: $1) })
        let details = try ask(request, session).details
        session.remark("assigned at seq \(details["seq"] ?? "?")")
        return ExitCode.success
    }
}
