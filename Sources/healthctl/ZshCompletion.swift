/// The completion of command lines in zsh.
enum ZshCompletion {
    /// What zsh is to read, as the file `_healthctl` of a folder in its fpath, or with `eval`.
    static var script: String {
        """
        #compdef healthctl
        # Completion of healthctl(1) in zsh.
        _healthctl() {
            local curcontext="$curcontext" state line
            local -a commands every
            commands=(
        \(Command.all.map(verb).joined(separator: "\n"))
            )
            every=(
        \(CommandOption.global.flatMap(option).map { "        \($0)" }.joined(separator: "\n"))
            )
            _arguments -C -S $every '1: :->command' '*:: :->argument'
            case $state in
            command) _describe -t commands command commands;;
            argument) case $line[1] in
        \(Command.all.map(command).joined(separator: "\n"))
                esac;;
            esac
        }
        if [[ $funcstack[1] == _healthctl ]]; then _healthctl "$@"; else compdef _healthctl healthctl; fi

        """
    }

    private static func verb(_ command: Command) -> String {
        "        \(Shell.quoted("\(command.verb.rawValue):\(escaped(command.summary))"))"
    }

    private static func command(_ command: Command) -> String {
        let form = Completable(form: command.arguments.usage)
        let argument = "*\(action(form, named: command.arguments.usage))"
        let words = ["$every"] + command.options.flatMap(option) + [Shell.quoted(argument)]
        return "        \(command.verb.rawValue)) _arguments -S \(words.joined(separator: " "));;"
    }

    /// The specifications of an option, one for each way to write it.
    private static func option(_ option: CommandOption) -> [String] {
        let others = "(\(option.spellings.joined(separator: " ")))"
        let end = "[\(escaped(option.summary))]" + value(option)
        return option.spellings.map { spelling in
            let glue = option.form == nil ? "" : spelling.hasPrefix("--") ? "=" : "+"
            return Shell.quoted(others + spelling + glue + end)
        }
    }

    private static func value(_ option: CommandOption) -> String {
        guard let value = option.value, let form = option.form else { return "" }
        return action(value, named: form)
    }

    private static func action(_ form: Completable, named name: String) -> String {
        let words = form.words.isEmpty ? " " : "(\(form.words.joined(separator: " ")))"
        return ":\(escaped(name)):\(form.takesFiles ? "_files" : words)"
    }

    /// A text without the signs that end a part of a specification.
    private static func escaped(_ text: String) -> String {
        [":", "[", "]"].reduce(text.replacing("\\", with: "\\\\")) {
            $0.replacing($1, with: "\\\($1)")
        }
    }
}
