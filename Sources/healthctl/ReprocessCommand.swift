import ControlProtocol
import JSON

/// `healthctl reprocess`: sums everything up anew, or tells what would come out different.
enum ReprocessCommand {
    private static let columns = [
        TextTable.Column("FROM"), TextTable.Column("DEVICE"), TextTable.Column("TYPE"),
        TextTable.Column("MODALITY"), TextTable.Column("BEFORE"), TextTable.Column("AFTER"),
    ]

    /// Asks for it, and prints what differs.
    ///
    /// - Throws: The daemon's failure, or one of the output.
    static func run(_ session: inout Session) throws(Failure) -> Int32 {
        let isDry = session.invocation.has(.dryReprocess)
        let request = try session.request(
            isDry ? [Request.Option(key: "dry-run", value: "yes")] : [])
        var connection = try session.connect()
        try connection.send(request)
        var parser = JSONParser()
        var objects: [JSONValue] = []
        while let line = try connection.nextLine() {
            guard case .object(let text) = line else { continue }
            objects.append(try object(text, with: &parser))
            if session.format == .json { try session.output.writeLine(text) }
        }
        if session.format == .jsonPretty {
            for object in objects { try session.output.write(indented(object)) }
        } else if session.format != .json {
            try session.output.write(text(objects, isColored: session.isColored))
        }
        remarkOnDamage(connection.details, session)
        return ExitCode.success
    }

    /// The differences as a table, and what they come to.
    static func text(_ objects: [JSONValue], isColored: Bool) -> String {
        let rows = objects.filter { $0.text("class") == "difference" }.map { difference in
            [
                TextTable.Cell(shortTime(difference.text("start"))),
                TextTable.Cell(difference.text("device")), TextTable.Cell(difference.text("type")),
                TextTable.Cell(difference.text("modality")),
                TextTable.Cell(side(difference["before"])),
                TextTable.Cell(side(difference["after"])),
            ]
        }
        let table = rows.isEmpty ? "" : TextTable.text(columns, rows, isColored: isColored)
        let ends = objects.filter { $0.text("class") == "reprocess" }.map { end in
            let blocks = count(end["blocks"]?.integer ?? 0, "block")
            let differences = count(end["differences"]?.integer ?? 0, "difference")
            let isDry = end["dryRun"]?.bool ?? false
            return "\(isDry ? "compared" : "summed up anew"): \(blocks), \(differences)\n"
        }
        return table + ends.joined()
    }

    private static func side(_ side: JSONValue?) -> String {
        guard let side, side["count"] != nil else { return "-" }
        let range = "\(side.text("min")) to \(side.text("max"))"
        return "\(side.text("count")) values, \(range), \(side.text("excluded")) left out"
    }
}
