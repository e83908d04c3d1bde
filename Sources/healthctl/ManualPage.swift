import ControlProtocol

/// The manual page healthctl(1), in the language of man(7), from the table of commands.
enum ManualPage {
    /// The whole page.
    static var text: String {
        let parts = [
            ".nr HY 0\n.TH HEALTHCTL 1 \"\" \"healthd \(Release.version)\" \"User Commands\"\n.ad l",
            ".SH NAME\nhealthctl \\- ask healthd for the readings of Bluetooth sensors",
            ".SH SYNOPSIS\n.B healthctl\n.I COMMAND\n[\\fIARGUMENT\\fP…] [\\fIOPTION\\fP…]",
            ".SH DESCRIPTION\n" + paragraphs(Self.description),
            ".SH COMMANDS\n" + Command.all.map(section).joined(separator: "\n"),
            ".SH OPTIONS OF EVERY COMMAND\n" + options(CommandOption.global),
            ".SH EXIT STATUS\n" + list(Self.exitCodes.map { ("\($0.code)", $0.meaning) }),
            ".SH ENVIRONMENT\n" + list(Self.environment),
            ".SH SEE ALSO\n"
                + Self.others.map { ".BR \($0.name) (\($0.section))" }
                .joined(separator: ",\n"),
        ]
        return parts.joined(separator: "\n") + "\n"
    }

    private static let description = [
        "healthctl asks healthd(8) for samples, shows how the daemon and its sensors fare, and does",
        "what has to be done with them. Data goes to standard output; remarks, progress and",
        "questions go to standard error.",
        "",
        "Options stand before or after arguments; `--` ends them. A value of an option may begin",
        "with `-`, as in `-S -1h`.",
    ]

    private static let exitCodes: [(code: Int32, meaning: String)] = [
        (ExitCode.success, "All went well, also where there was nothing to show."),
        (ExitCode.failed, "`healthctl doctor` has found what keeps readings away."),
        (ExitCode.usage, "The command line is wrong."),
        (ExitCode.anchor, "The anchor is of another store, or what lies behind it is gone."),
        (ExitCode.stale, "A value is older than `--max-age`."),
        (ExitCode.empty, "There is nothing to show, and `--fail-empty` asks to say so."),
        (64, "healthd does not understand the request."),
        (ExitCode.dataError, "The input, a unit or a range is not what it should be."),
        (ExitCode.noInput, "There is no such file, type, device, person or sample."),
        (ExitCode.unavailable, "healthd cannot be reached; the message says why."),
        (ExitCode.software, "healthd, its store or its disk has a problem."),
        (ExitCode.cannotCreate, "A file is there that would be overwritten."),
        (ExitCode.inputOutput, "Reading or writing a file failed."),
        (ExitCode.temporary, "Not now: another one is at work, or Bluetooth is not there."),
        (77, "You may not; `healthctl access` says what you may."),
        (ExitCode.signal(2), "Ended by Ctrl-C."),
    ]

    private static let environment = [
        ("HEALTHD_SOCKET", "Where the daemon listens, if not at `\(CommandOption.defaultSocket)`."),
        ("TZ", "The zone of times; else that of `/etc/localtime`."),
        ("NO_COLOR", "If it is set, tables have no colour."),
    ]

    private static let others = [
        (name: "healthd", section: 8), (name: "healthd.conf", section: 5),
        (name: "healthd\\-protocol", section: 7), (name: "healthd\\-gattlog", section: 5),
    ]
}

extension ManualPage {
    private static func section(_ command: Command) -> String {
        let parts = [
            ".SS \(Roff.escaped(command.usage.dropFirst("healthctl ".count)))",
            paragraphs([HelpText.sentence(command.summary), ""] + command.details),
            options(command.options),
            examples(command.examples),
        ]
        return parts.filter { !$0.isEmpty }.joined(separator: "\n")
    }

    private static func paragraphs(_ lines: [String]) -> String {
        lines.split(separator: "").map(paragraph).joined(separator: "\n.PP\n")
    }

    /// Lines that stand together; those that are indented are words, each with its meaning.
    private static func paragraph(_ lines: ArraySlice<String>) -> String {
        let text = lines.prefix { !$0.hasPrefix("  ") }
        let items = lines.dropFirst(text.count).map { line in
            let parts = line.drop { $0 == " " }.split(separator: ": ", maxSplits: 1)
            return (String(parts[0]), parts.dropFirst().joined())
        }
        return Roff.text(text.joined(separator: " ")) + (items.isEmpty ? "" : "\n" + list(items))
    }

    private static func options(_ options: [CommandOption]) -> String {
        options.map { option in
            let names = (option.letter.map { ["-\($0)"] } ?? []) + ["--\(option.name)"]
            let term = names.map { "\\fB\(Roff.escaped($0))\\fP" }.joined(separator: ", ")
            let form = option.form.map { " \\fI\(Roff.escaped($0))\\fP" } ?? ""
            return ".TP\n\(term)\(form)\n\(Roff.text(HelpText.sentence(option.summary)))"
        }.joined(separator: "\n")
    }

    private static func examples(_ examples: [Command.Example]) -> String {
        examples.map { example in
            ".PP\nExample, \(Roff.text(example.summary)):\n.PP\n.in +4n\n.EX\n"
                + "healthctl \(Roff.escaped(example.line))\n.EE\n.in"
        }.joined(separator: "\n")
    }

    private static func list(_ rows: [(String, String)]) -> String {
        rows.map { ".TP\n.B \(Roff.escaped($0.0))\n\(Roff.text($0.1))" }.joined(separator: "\n")
    }
}

/// Text as groff_man(7) reads it.
enum Roff {
    /// A line of text, with bold for what stands between grave accents.
    static func text(_ line: some StringProtocol) -> String {
        let parts = line.split(separator: "`", omittingEmptySubsequences: false)
        let joined = parts.enumerated().map { place, part in
            place % 2 == 0 ? escaped(part) : "\\fB\(escaped(part))\\fP"
        }.joined()
        return joined.hasPrefix(".") || joined.hasPrefix("\\(aq") ? "\\&" + joined : joined
    }

    /// Characters that groff would change or obey, as those that are printed.
    static func escaped(_ text: some StringProtocol) -> String {
        text.map { character in
            switch character {
            case "\\": "\\e"
            case "-": "\\-"
            case "'": "\\(aq"
            case "`": "\\(ga"
            case "^": "\\(ha"
            case "~": "\\(ti"
            case "\"": "\\(dq"
            default: String(character)
            }
        }.joined()
    }
}
