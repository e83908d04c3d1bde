import JSON

/// `healthctl access`: what the caller may read and write, and why.
enum AccessCommand {
    private static let columns = [
        TextTable.Column("TYPE"), TextTable.Column("READ"), TextTable.Column("WRITE"),
        TextTable.Column("WHY"),
    ]

    /// Prints the rights.
    ///
    /// - Throws: The daemon's failure, or one of the output.
    static func run(_ session: inout Session) throws(Failure) -> Int32 {
        let objects = try fetchObjects(try session.request(), &session).objects
        if !objects.isEmpty {
            try session.output.write(text(objects, isColored: session.isColored))
        }
        return ExitCode.success
    }

    /// The rights of the user as such, then a line a type.
    static func text(_ objects: [JSONValue], isColored: Bool) -> String {
        let users = objects.filter { $0["user"] != nil }.map { user in
            let why = user.text("why")
            let reason = why.isEmpty ? "" : ": \(why)"
            return printable("user \(user.text("user")) has right \(user.text("right"))\(reason)")
                + "\n"
        }
        let types = objects.filter { $0["type"] != nil }.map { type in
            [TextTable.Cell(type.text("type")), right(type, "read"), right(type, "write")]
                + [TextTable.Cell(type.text("why"), .faint)]
        }
        guard !types.isEmpty else { return users.joined() }
        let table = TextTable.text(columns, types, isColored: isColored)
        return (users + [table]).joined(separator: users.isEmpty ? "" : "\n")
    }

    private static func right(_ type: JSONValue, _ key: String) -> TextTable.Cell {
        let right = type.text(key)
        let style: TextTable.Style =
            switch right {
            case "authorized": .good
            case "denied": .bad
            default: .doubtful
            }
        return TextTable.Cell(words(ofName: right), style)
    }
}
