import JSON

/// `healthctl gaps`: when nothing came, and why.
enum GapsCommand {
    private static let columns = [
        TextTable.Column("FROM"), TextTable.Column("UNTIL"), TextTable.Column("LENGTH", .right),
        TextTable.Column("DEVICE"), TextTable.Column("TYPE"), TextTable.Column("CAUSE"),
        TextTable.Column("WHY"),
    ]

    /// Prints the gaps; as a table in the order of their beginnings.
    ///
    /// - Throws: The daemon's failure, or one of the output.
    static func run(_ session: inout Session) throws(Failure) -> Int32 {
        let request = try session.request(arguments: session.invocation.arguments)
        let (gaps, count) = try fetchObjects(request, &session)
        if !gaps.isEmpty {
            let rows = gaps.sorted { $0.text("start") < $1.text("start") }.map(row)
            try session.output.write(TextTable.text(columns, rows, isColored: session.isColored))
        }
        guard count == 0 else { return ExitCode.success }
        session.remark("no gaps")
        return session.invocation.has(.failEmpty) ? ExitCode.empty : ExitCode.success
    }

    /// The cells of one gap.
    static func row(_ gap: JSONValue) -> [TextTable.Cell] {
        let end = gap.text("end")
        let device = gap.text("device")
        let cause = gap.text("cause")
        return [
            TextTable.Cell(shortTime(gap.text("start"))),
            TextTable.Cell(end.isEmpty ? "now" : shortTime(end)),
            TextTable.Cell(gap.seconds("seconds").map { lengthOfTime(seconds: $0) } ?? ""),
            TextTable.Cell(device.isEmpty ? "all" : device, device.isEmpty ? .plain : .faint),
            TextTable.Cell(gap.text("type")),
            TextTable.Cell(cause, cause == "unknown" ? .doubtful : .plain),
            TextTable.Cell(gap.text("text")),
        ]
    }
}
