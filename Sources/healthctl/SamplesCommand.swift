import ControlProtocol

/// `healthctl samples`: asks for the samples of an interval and prints them as they come.
enum SamplesCommand {
    /// Prints the samples.
    ///
    /// - Throws: A usage failure, the daemon's, or one of the output.
    static func run(_ session: inout Session) throws(Failure) -> Int32 {
        let invocation = session.invocation
        let order = try SampleOrder(
            limit: invocation[.limit], newestFirst: invocation.has(.reverse),
            continues: invocation.has(.after))
        let form = try RowForm(session)
        let request = try session.request(
            arguments: invocation.arguments, options(order, session.format))
        var connection = try session.connect()
        try connection.send(request)
        let reply = try print(&connection, isTurned: order.isTurned, form, &session)
        remark(on: reply, next: order.isTurned ? nil : connection.details?["next"], session)
        remarkOnDamage(connection.details, session)
        return reply.count == 0 && invocation.has(.failEmpty) ? ExitCode.empty : ExitCode.success
    }

    private static func options(_ order: SampleOrder, _ format: OutputFormat) -> [Request.Option] {
        let isJSON = format == .json || format == .jsonPretty
        let limit = order.limit.map { [Request.Option(key: "limit", value: "\($0)")] } ?? []
        return limit + [
            Request.Option(key: "order", value: order.isDescending ? "desc" : "asc"),
            Request.Option(key: "format", value: isJSON ? "json" : "tsv"),
        ]
    }

    private static func print(
        _ connection: inout Connection, isTurned: Bool, _ form: RowForm?,
        _ session: inout Session
    ) throws(Failure) -> SampleReply {
        var printer = SamplePrinter(format: session.format, isColored: session.isColored)
        printer.form = form
        var reply = SampleReply(isTurned: isTurned, printer: printer)
        while let line = try connection.nextLine() { try reply.take(line, &session.output) }
        try reply.finish(&session.output)
        return reply
    }

    private static func remark(on reply: SampleReply, next: String?, _ session: Session) {
        for text in reply.header?.remarks(samples: reply.count) ?? [] { session.remark(text) }
        if let next { session.remark("there are more: go on with --after \(quoted(next))") }
    }
}

/// The lines of a reply on their way to the output.
private struct SampleReply {
    /// What the reply begins with.
    private(set) var header: ReplyHeader?
    /// How many samples came.
    private(set) var count = 0
    private let isTurned: Bool
    private var printer: SamplePrinter
    private var kept: [[UInt8]] = []

    /// A reply of which nothing has come.
    init(isTurned: Bool, printer: SamplePrinter) {
        self.isTurned = isTurned
        self.printer = printer
    }

    /// Prints a sample, or keeps it if the order is turned.
    mutating func take(_ line: ReplyLine, _ output: inout StandardOutput) throws(Failure) {
        switch line {
        case .remark(let text):
            header = header ?? ReplyHeader(text)
            printer.zone = header?.zone
        case .object(let text), .row(let text):
            count += 1
            if isTurned { kept.append(Array(text)) } else { try printer.print(text, to: &output) }
        case .end: break
        }
    }

    /// Prints what was kept.
    mutating func finish(_ output: inout StandardOutput) throws(Failure) {
        while let line = kept.popLast() { try printer.print(line[...], to: &output) }
        try printer.finish(&output)
    }
}
