import JSON

/// `healthctl why`: what holds between healthd and its sensors, and what to do.
enum WhyCommand {
    /// Prints the findings.
    ///
    /// - Throws: The daemon's failure, or one of the output.
    static func run(_ session: inout Session) throws(Failure) -> Int32 {
        let request = try session.request(arguments: session.invocation.arguments)
        let findings = try fetchObjects(request, &session).objects
        let texts = findings.map { text($0, isColored: session.isColored) }
        try session.output.write(texts.joined(separator: "\n"))
        return ExitCode.success
    }

    /// A paragraph a finding: the sensor and what holds, what it is concluded from, what to do.
    static func text(_ finding: JSONValue, isColored: Bool) -> String {
        let device = finding.text("device")
        let words = (device.isEmpty ? "" : "\(device): ") + finding.text("text")
        let table = TextTable([TextTable.Column("")], measuring: [], isColored: isColored)
        let first = table.line([TextTable.Cell(words, style(finding.text("level")))])
        let more = [
            labelled("seen", finding.text("evidence")), labelled("next", finding.text("next")),
        ]
        return ([first] + more.filter { !$0.isEmpty }).map { $0 + "\n" }.joined()
    }

    /// A line below what it belongs to; empty where there is nothing to say.
    static func labelled(_ label: String, _ text: String) -> String {
        text.isEmpty ? "" : printable("  \(label): \(text)")
    }

    /// How a level of a finding looks.
    static func style(_ level: String) -> TextTable.Style {
        switch level {
        case "ok": .good
        case "fail": .bad
        default: .doubtful
        }
    }
}
