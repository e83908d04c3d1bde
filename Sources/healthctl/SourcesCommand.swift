import ControlProtocol
import JSON

extension Command {
    /// `healthctl sources`.
    static let sources = Command(
        verb: .sources, arguments: .none,
        options: [.output(OutputFormat.forObjects), .zone, .utc, .failEmpty],
        formats: OutputFormat.forObjects,
        summary: "what samples came from, sensors and imported files alike",
        details: [
            "--device selects one of them in samples, latest and export; `healthctl delete --device NAME`",
            "removes all that came from it.",
        ],
        examples: [Example(line: "sources", summary: "one line a source")])
}

/// `healthctl sources`: what samples came from, and from when to when.
enum SourcesCommand {
    private static let columns = ["SOURCE", "NAME", "KIND", "TYPES", "FIRST", "LAST"]
        .map { TextTable.Column($0) }

    /// Prints the sources.
    ///
    /// - Throws: The daemon's failure, or one of the output.
    static func run(_ session: inout Session) throws(Failure) -> Int32 {
        let (sources, count) = try fetchObjects(try session.request(), &session)
        if !sources.isEmpty {
            let table = TextTable.text(columns, sources.map(row), isColored: session.isColored)
            try session.output.write(table)
        }
        guard count == 0 else { return ExitCode.success }
        session.remark("no samples of any source")
        return session.invocation.has(.failEmpty) ? ExitCode.empty : ExitCode.success
    }

    private static func row(_ source: JSONValue) -> [TextTable.Cell] {
        let texts = [
            source.text("device"), source.text("name"), source.text("kind"),
            source.texts("types").joined(separator: ", "), shortTime(source.text("first")),
            shortTime(source.text("last")),
        ]
        return texts.map { TextTable.Cell($0) }
    }
}
