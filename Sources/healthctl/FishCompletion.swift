/// The completion of command lines in fish.
enum FishCompletion {
    /// What fish is to read.
    static var script: String {
        let lines =
            ["# Completion of healthctl(1) in fish.", "complete -c healthctl -f"]
            + Command.all.map(verb) + CommandOption.global.map { option($0, condition: "") }
            + Command.all.flatMap(command)
        return lines.joined(separator: "\n") + "\n"
    }

    private static func verb(_ command: Command) -> String {
        "complete -c healthctl -n __fish_use_subcommand -a \(command.verb.rawValue)"
            + " -d \(quoted(command.summary))"
    }

    private static func command(_ command: Command) -> [String] {
        let verb = command.verb.rawValue
        let condition = " -n '__fish_seen_subcommand_from \(verb)'"
        let form = Completable(form: command.arguments.usage)
        let argument = [
            form.takesFiles ? "complete -c healthctl\(condition) -F" : nil,
            form.words.isEmpty
                ? nil : "complete -c healthctl\(condition) -a \(quoted(form.words))",
        ]
        return argument.compactMap { $0 } + command.options.map { option($0, condition: condition) }
    }

    private static func option(_ option: CommandOption, condition: String) -> String {
        "complete -c healthctl\(condition)" + (option.letter.map { " -s \($0)" } ?? "")
            + " -l \(option.name)\(value(option)) -d \(quoted(option.summary))"
    }

    private static func value(_ option: CommandOption) -> String {
        guard let value = option.value else { return "" }
        if value.takesFiles { return " -r -F" }
        return " -x" + (value.words.isEmpty ? "" : " -a \(quoted(value.words))")
    }

    private static func quoted(_ words: [String]) -> String { quoted(words.joined(separator: " ")) }

    private static func quoted(_ text: String) -> String {
        "'" + text.replacing("\\", with: "\\\\").replacing("'", with: "\\'") + "'"
    }
}
