import ControlProtocol
import JSON

/// `healthctl report`: desaturations per hour, or the days with fever.
enum ReportCommand {
    private static let days = [
        TextTable.Column("DAY"), TextTable.Column("HIGHEST", .point), TextTable.Column("AT"),
        TextTable.Column("SITE"), TextTable.Column("VALUES", .right), TextTable.Column("FEVER"),
    ]

    /// Prints the report.
    ///
    /// - Throws: The daemon's failure, or one of the output.
    static func run(_ session: inout Session) throws(Failure) -> Int32 {
        let request = try session.request(arguments: session.invocation.arguments)
        var connection = try session.connect()
        try connection.send(request)
        var (objects, header): ([JSONValue], ReplyHeader?) = ([], nil)
        var parser = JSONParser()
        while let line = try connection.nextLine() {
            switch line {
            case .remark(let text): header = header ?? ReplyHeader(text)
            case .object(let text):
                objects.append(try object(text, with: &parser))
                if session.format == .json { try session.output.writeLine(text) }
            case .row, .end: break
            }
        }
        try print(objects, header, &session)
        for remark in header?.remarks(samples: objects.count) ?? [] { session.remark(remark) }
        remarkOnDamage(connection.details, session)
        return objects.isEmpty && session.invocation.has(.failEmpty)
            ? ExitCode.empty : ExitCode.success
    }

    private static func print(
        _ objects: [JSONValue], _ header: ReplyHeader?, _ session: inout Session
    ) throws(Failure) {
        switch session.format {
        case .json: break
        case .jsonPretty: for object in objects { try session.output.write(indented(object)) }
        case .text, .table, .csv, .tsv, .ndjson, .gattlog:
            let text = text(objects, zone: header?.zone ?? "", isColored: session.isColored)
            try session.output.write(text)
        }
    }

    /// The reports for a person.
    static func text(_ objects: [JSONValue], zone: String, isColored: Bool) -> String {
        objects.filter { $0.text("class") == "report" }.map { report in
            let isFever = report.text("report") == "fever"
            let facts = isFever ? fever(report, zone) : oximetry(report, zone)
            let ofPerson = objects.filter {
                $0.text("class") == "day" && $0.text("subject") == report.text("subject")
            }
            let table =
                ofPerson.isEmpty
                ? "" : TextTable.text(days, ofPerson.map(day), isColored: isColored)
            return facts.map { printable($0) + "\n" }.joined() + table
        }.joined(separator: "\n")
    }

    private static func oximetry(_ report: JSONValue, _ zone: String) -> [String] {
        let valid = report.seconds("validSeconds").map { lengthOfTime(seconds: $0) } ?? "0 s"
        return [
            "oxygen desaturations of \(report.text("subject")), device \(report.text("device"))",
            interval(report, zone),
            "falls of 3 points: \(report.text("falls3")), \(perHour(report, "odi3"))",
            "falls of 4 points: \(report.text("falls4")), \(perHour(report, "odi4"))",
            "lowest \(or(report.text("nadir"))) %, mean \(or(report.text("avg"))) %",
            "below 90 %: \(report.text("below90Seconds")) s, "
                + "below 88 %: \(report.text("below88Seconds")) s",
            "\(values(report)); valid time \(valid)",
            "algorithm: \(report.text("algorithm"))",
            "per hour of: \(report.text("denominator"))", report.text("note"),
        ]
    }

    private static func fever(_ report: JSONValue, _ zone: String) -> [String] {
        [
            "fever of \(report.text("subject")), from \(report.text("threshold")) °C on",
            interval(report, zone),
            "days with fever: \(report.text("feverDays")) of \(report.text("days")) with values; "
                + "highest \(or(report.text("highest"))) °C",
            values(report), report.text("rule"), report.text("note"),
        ]
    }

    private static func day(_ day: JSONValue) -> [TextTable.Cell] {
        let hasFever = day["fever"]?.bool ?? false
        return [
            TextTable.Cell(String(day.text("start").prefix(10))),
            TextTable.Cell(day.text("highest"), hasFever ? .bad : .plain),
            TextTable.Cell(shortTime(day.text("highestAt"))), TextTable.Cell(day.text("site")),
            TextTable.Cell(day.text("count")), TextTable.Cell(hasFever ? "yes" : "no"),
        ]
    }

    private static func interval(_ report: JSONValue, _ zone: String) -> String {
        let (start, end) = (report.text("start"), report.text("end"))
        let from = start.isEmpty ? "from the first value" : "from \(shortTime(start))"
        let until = end.isEmpty ? "to the last one" : "until \(shortTime(end))"
        return "\(from) \(until), \(zone)"
    }

    private static func values(_ report: JSONValue) -> String {
        let number = report["count"]?.integer ?? 0
        let excluded = report["excluded"]?.integer.map { ", \(grouped($0)) left out" } ?? ""
        return count(number, "value") + excluded
    }

    private static func perHour(_ report: JSONValue, _ key: String) -> String {
        let index = report.text(key)
        return index.isEmpty ? "no valid time" : "\(index) per hour"
    }

    private static func or(_ text: String) -> String { text.isEmpty ? "-" : text }
}
