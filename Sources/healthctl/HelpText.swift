/// What `healthctl help` prints.
enum HelpText {
    /// All commands and the options that every one of them has.
    static var overview: String {
        let commands = Command.all.map { (key: $0.verb.rawValue, text: $0.summary) }
        let options = CommandOption.global.map { (key: $0.usage, text: $0.summary) }
        return """
            usage: healthctl COMMAND [ARGUMENT…] [OPTION…]

            Samples of pulse oximeters, thermometers and heart rate straps, as healthd keeps them.

            Commands:
            \(columns(commands))

            Options of every command:
            \(columns(options))

            `healthctl help COMMAND` shows the options of a command, with examples.

            """
    }

    /// How one command is used.
    static func of(_ command: Command) -> String {
        let paragraphs = [
            "usage: \(command.usage)\n\n\(sentence(command.summary))",
            command.details.joined(separator: "\n"),
            options("Options:", command.options),
            options("Options of every command:", CommandOption.global),
            examples(command.examples),
        ]
        return paragraphs.filter { !$0.isEmpty }.joined(separator: "\n\n") + "\n"
    }

    private static func options(_ title: String, _ options: [CommandOption]) -> String {
        guard !options.isEmpty else { return "" }
        return title + "\n" + columns(options.map { (key: $0.usage, text: $0.summary) })
    }

    private static func examples(_ examples: [Command.Example]) -> String {
        guard !examples.isEmpty else { return "" }
        return "Examples:\n"
            + columns(examples.map { (key: "healthctl \($0.line)", text: $0.summary) })
    }

    /// Two columns; what is too wide for the first one puts its text on the next line.
    private static func columns(_ rows: [(key: String, text: String)]) -> String {
        let widest = 40
        let width = min(widest, rows.map(\.key.count).max() ?? 0)
        let lines = rows.map { row in
            let gap =
                row.key.count > width
                ? "\n" + String(repeating: " ", count: width + 4)
                : String(repeating: " ", count: width - row.key.count + 2)
            return "  " + row.key + gap + row.text
        }
        return lines.joined(separator: "\n")
    }

    /// A summary as a sentence.
    static func sentence(_ text: String) -> String {
        text.prefix(1).uppercased() + text.dropFirst() + (text.hasSuffix("…") ? "" : ".")
    }
}
