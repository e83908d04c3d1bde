/// The completion of command lines in bash.
enum BashCompletion {
    /// What bash is to read; the package bash-completion is not needed.
    static var script: String {
        """
        # Completion of healthctl(1) in bash.
        _healthctl() {
            local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} verb= word
            if [[ $current == = ]]; then
                current=
            elif [[ $previous == = ]]; then
                previous=${COMP_WORDS[COMP_CWORD-2]}
            fi
            for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
                case $word in \(verbs)) verb=$word; break;; esac
            done
            local words= files=
            case $verb:$previous in
        \(values)
            *) case $verb in
        \(arguments)
                esac
                [[ $current != -* ]] || files=;;
            esac
            COMPREPLY=($(compgen ${files:+-f} -W "$words" -- "$current"))
            [[ -z $files ]] || compopt -o filenames
        }
        complete -F _healthctl healthctl

        """
    }

    private static var verbs: String {
        CommandVerb.allCases.map(\.rawValue).joined(separator: "|")
    }

    /// What stands behind options that take a value.
    private static var values: String {
        let ofCommands = Command.all.flatMap { command in
            command.options.compactMap { value($0, verb: command.verb.rawValue) }
        }
        let ofAll = CommandOption.global.compactMap { value($0, verb: "*") }
        return (ofCommands + ofAll).joined(separator: "\n")
    }

    private static func value(_ option: CommandOption, verb: String) -> String? {
        guard let value = option.value else { return nil }
        let patterns = option.spellings.map { "\(verb):\($0)" }.joined(separator: "|")
        return "    \(patterns)) \(assignments(value));;"
    }

    /// What stands elsewhere: arguments and options, and before the command the commands.
    private static var arguments: String {
        let cases = Command.all.map { command in
            let form = Completable(form: command.arguments.usage)
            return line(command.verb.rawValue, form, command.allOptions)
        }
        let first = line("*", Completable(form: "COMMAND"), CommandOption.global)
        return (cases + [first]).joined(separator: "\n")
    }

    private static func line(
        _ verb: String, _ form: Completable, _ options: [CommandOption]
    ) -> String {
        "        \(verb)) \(assignments(form, and: options.flatMap(\.spellings)));;"
    }

    private static func assignments(_ form: Completable, and more: [String] = []) -> String {
        let words = (form.words + more).joined(separator: " ")
        return "words='\(words)'" + (form.takesFiles ? " files=1" : "")
    }
}
