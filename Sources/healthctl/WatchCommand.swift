import ControlProtocol
import JSON

/// `healthctl watch`: prints samples as they come, and goes on where it was.
enum WatchCommand {
    /// The seconds between heartbeats that the daemon keeps if no others are asked for.
    static let heartbeat = 15

    /// Prints records until a signal comes, or `-n` of them.
    ///
    /// - Throws: A usage failure, the daemon's, or one of the output or the cursor file.
    static func run(_ session: inout Session) throws(Failure) -> Int32 {
        let invocation = session.invocation
        let request = try session.request(arguments: invocation.arguments).with(verb: "follow", [])
        let seconds = min(try invocation.number(.heartbeat) ?? heartbeat, 86_400)
        let start = try FeedStart(invocation)
        var client = WatchClient(
            request, start, limit: try invocation.number(.mostRecords),
            FeedPrinter(
                format: session.format, zone: request["tz"] ?? "UTC",
                isColored: session.isColored))
        var reply = try LiveReply(session, longestSilence: (3 * seconds + 10) * 1000)
        do throws(Failure) {
            let end = try reply.follow(&client)
            try client.finish(until: reply.interruptionNumber)
            return tell(end, client, session)
        } catch {
            try client.finish(until: reply.interruptionNumber)
            throw error.advising(start.source)
        }
    }

    private static func tell(
        _ end: LiveReply.End, _ client: borrowing WatchClient, _ session: Session
    ) -> Int32 {
        guard case .signal(let signal) = end else { return ExitCode.success }
        if let since = client.since { session.remark("anchor \(since)") }
        return ExitCode.signal(signal)
    }
}
