import ControlProtocol
import JSON

/// `healthctl changes`: what happened since an anchor.
enum ChangesCommand {
    /// Prints the records, and tells the anchor to go on from.
    ///
    /// - Throws: A usage failure, the daemon's, or one of the output or the cursor file.
    static func run(_ session: inout Session) throws(Failure) -> Int32 {
        let invocation = session.invocation
        _ = try invocation.number(.mostChanges)
        let start = try FeedStart(invocation)
        guard let since = start.position?.since else {
            throw .usage("`changes` needs --since with an anchor or `start`")
        }
        let request = try session.request(arguments: invocation.arguments)
            .with([Request.Option(key: "since", value: since)])
        do throws(Failure) {
            let (count, details) = try print(request, &session)
            try keep(details["anchor"], start.file, &session)
            tell(count, details, session)
            return count == 0 && invocation.has(.failEmpty) ? ExitCode.empty : ExitCode.success
        } catch {
            throw error.advising(start.source)
        }
    }

    private static func print(
        _ request: Request, _ session: inout Session
    ) throws(Failure) -> (count: Int, details: [String: String]) {
        let printer = FeedPrinter(
            format: session.format, zone: request["tz"] ?? "UTC", isColored: session.isColored)
        var connection = try session.connect()
        var parser = JSONParser()
        var count = 0
        try connection.send(request)
        while let line = try connection.nextLine() {
            guard case .object(let text) = line else { continue }
            if count == 0 { try session.output.write(printer.heading) }
            try session.output.write(printer.line(text, try object(text, with: &parser)))
            count += 1
        }
        if count == 0, session.format == .csv { try session.output.write(printer.heading) }
        return (count, connection.details ?? [:])
    }

    /// The anchor is kept only once everything before it is out.
    private static func keep(
        _ anchor: String?, _ file: CursorFile?, _ session: inout Session
    ) throws(Failure) {
        try session.output.flush()
        guard var file, let anchor = anchor.flatMap({ Anchor($0) }) else { return }
        try file.save(FollowPosition(after: anchor), at: 0, isUrgent: true)
    }

    private static func tell(_ count: Int, _ details: [String: String], _ session: Session) {
        let number = count == 0 ? "nothing happened" : healthctl.count(count, "record")
        let rest = details["more"] == "1" ? "there are more" : "that is all"
        session.remark("\(number), \(rest); go on with --since \(details["anchor"] ?? "?")")
    }
}
