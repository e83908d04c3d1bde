import JSON

/// `healthctl metrics`: the counters of the daemon.
enum MetricsCommand {
    /// Prints the counters.
    ///
    /// - Throws: The daemon's failure, or one of the output.
    static func run(_ session: inout Session) throws(Failure) -> Int32 {
        for metrics in try fetchObjects(try session.request(), &session).objects {
            try session.output.write(text(metrics, isColored: session.isColored))
        }
        return ExitCode.success
    }

    /// A line a counter.
    static func text(_ metrics: JSONValue, isColored: Bool) -> String {
        let columns = [TextTable.Column("METRIC"), TextTable.Column("VALUE", .right)]
        let rows = (metrics.members ?? []).filter { $0.key != "class" }.flatMap { name, value in
            value.members?.map { row("\(name).\($0.key)", value.text($0.key)) }
                ?? [row(name, metrics.text(name))]
        }
        return TextTable.text(columns, rows, isColored: isColored)
    }

    private static func row(_ name: String, _ value: String) -> [TextTable.Cell] {
        [TextTable.Cell(name), TextTable.Cell(value)]
    }
}
