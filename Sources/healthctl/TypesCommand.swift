import ControlProtocol
import JSON

/// `healthctl types`: the types of samples, their units, ranges and codes.
enum TypesCommand {
    private static let columns = [
        TextTable.Column("TYPE"), TextTable.Column("ALIASES"), TextTable.Column("UNIT"),
        TextTable.Column("ALSO"), TextTable.Column("RANGE"), TextTable.Column("LOINC"),
        TextTable.Column("MDC", .right),
    ]

    /// Prints the types.
    ///
    /// - Throws: The daemon's failure, or one of the output.
    static func run(_ session: inout Session) throws(Failure) -> Int32 {
        let types = try fetchObjects(try session.request(), &session).objects
        guard !types.isEmpty else { return ExitCode.success }
        let table = TextTable.text(columns, types.map(row), isColored: session.isColored)
        try session.output.write(table)
        return ExitCode.success
    }

    /// The cells of one type.
    static func row(_ type: JSONValue) -> [TextTable.Cell] {
        let texts = [
            type.text("id"), type.texts("aliases").joined(separator: ", "), type.text("unit"),
            type.texts("units").filter { $0 != type.text("unit") }.joined(separator: ", "),
            range(type.text("minimum"), type.text("maximum")),
            type.texts("loinc").joined(separator: ", "), type.text("mdc"),
        ]
        return texts.map { TextTable.Cell($0) }
    }

    private static func range(_ least: String, _ greatest: String) -> String {
        switch (least.isEmpty, greatest.isEmpty) {
        case (true, true): ""
        case (false, true): "from \(least)"
        case (true, false): "to \(greatest)"
        case (false, false): "\(least) to \(greatest)"
        }
    }
}
