import ControlProtocol
import JSON

/// `healthctl explain`: how a sample came about, from the octets on.
enum ExplainCommand {
    /// Prints the account.
    ///
    /// - Throws: The daemon's failure, or one of the output.
    static func run(_ session: inout Session) throws(Failure) -> Int32 {
        let request = try session.request(arguments: session.invocation.arguments)
        for account in try fetchObjects(request, &session).objects {
            try session.output.write(text(account, isColored: session.isColored))
        }
        return ExitCode.success
    }

    /// The account for a person: facts, reasons, the decoded fields, the samples.
    static func text(_ account: JSONValue, isColored: Bool) -> String {
        let paragraphs = [
            facts(account, isColored), list("Why", account.texts("why")),
            list("The octets say", decoded(account)),
            samples(account["samples"]?.array ?? [], isColored),
        ]
        return paragraphs.filter { !$0.isEmpty }.joined(separator: "\n")
    }

    private static func facts(_ account: JSONValue, _ isColored: Bool) -> String {
        let rows = [
            ("id", account.text("id")), ("seq", account.text("seq")),
            ("device", account.text("device")), ("subject", account.text("subject")),
            ("source", account.text("source")),
            ("characteristic", account.text("characteristic")),
            ("octets", pairs(account.text("octets"))), ("received", account.text("received")),
            ("device's time", account.text("stamp")), ("ordinal", account.text("ordinal")),
            ("time quality", account.text("timeQuality")),
        ]
        let width = rows.map(\.0.count).max() ?? 0
        return rows.filter { !$0.1.isEmpty }.map { key, text in
            key + String(repeating: " ", count: width - key.count + 2) + printable(text) + "\n"
        }.joined()
    }

    /// Octets with a blank between them.
    private static func pairs(_ digits: String) -> String {
        var text = ""
        for (place, digit) in digits.enumerated() {
            if place > 0, place.isMultiple(of: 2) { text += " " }
            text.append(digit)
        }
        return text
    }

    private static func list(_ title: String, _ lines: [String]) -> String {
        guard !lines.isEmpty else { return "" }
        return "\(title):\n" + lines.map { "  \(printable($0))\n" }.joined()
    }

    /// What the octets of a packet say; those of an imported sample say what is shown anyway.
    private static func decoded(_ account: JSONValue) -> [String] {
        guard account["source"]?.string != "import" else { return [] }
        let words = "\(account.text("characteristic")) \(account.text("octets"))"
        return DecodedLine(Array(words.utf8)[...]).text.split(separator: "\n").map { String($0) }
    }

    private static func samples(_ samples: [JSONValue], _ isColored: Bool) -> String {
        let rows = samples.map { SampleRow($0) }
        guard !rows.isEmpty else { return "" }
        let layout = SampleLayout(rows, zone: nil, isColored: isColored)
        return ([layout.heading] + rows.map(layout.line)).map { "\($0)\n" }.joined()
    }
}
