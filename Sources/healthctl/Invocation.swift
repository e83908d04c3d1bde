import ControlProtocol

/// A command line taken apart: the command, its arguments and its options.
struct Invocation: Sendable {
    /// The command; nil if none is named.
    private(set) var command: Command?
    /// The words beside the options.
    private(set) var arguments: [String] = []
    /// The values of options by name, the last one given, all with commas between for `--map`; empty
    /// for options without one.
    private(set) var values: [String: String] = [:]

    /// Takes the words behind the program's name apart.
    ///
    /// Options stand before or after arguments, global ones also before the verb; `--` ends them.
    ///
    /// - Throws: A usage failure with the nearest match.
    init(_ words: [String]) throws(Failure) {
        var words = words[...]
        while let word = words.popFirst() {
            if word == "--" {
                while let word = words.popFirst() { try take(argument: word) }
            } else if word.hasPrefix("--") {
                try take(long: word.dropFirst(2), &words)
            } else if word.hasPrefix("-"), word.count > 1 {
                try take(letters: word.dropFirst(), &words)
            } else {
                try take(argument: word)
            }
        }
        if !has(.help), !has(.version) { try checkArguments() }
    }

    /// Whether an option is given.
    func has(_ option: CommandOption) -> Bool { values[option.name] != nil }

    /// The value of an option, if it is given.
    subscript(option: CommandOption) -> String? { values[option.name] }

    private var known: [CommandOption] { command?.allOptions ?? CommandOption.global }

    private mutating func take(argument word: String) throws(Failure) {
        if command != nil { return arguments.append(word) }
        guard let verb = CommandVerb(rawValue: word) else {
            let hint = nearest(to: word, in: CommandVerb.allCases.map(\.rawValue))
            throw .usage(
                "unknown command `\(word)`" + didYouMean(hint, else: "`healthctl help` lists them"))
        }
        command = Command.of(verb)
    }

    private mutating func take(
        long text: Substring, _ words: inout ArraySlice<String>
    ) throws(Failure) {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let name = String(parts[0])
        guard let option = known.first(where: { $0.name == name }) else {
            throw unknown(
                "--\(name)", hint: nearest(to: name, in: known.map(\.name)).map { "--\($0)" })
        }
        if parts.count == 2 {
            try set(option, to: String(parts[1]))
        } else {
            try set(option, &words)
        }
    }

    /// Letters may stand together; the rest behind one that takes a value is its value.
    private mutating func take(
        letters: Substring, _ words: inout ArraySlice<String>
    ) throws(Failure) {
        var letters = letters
        while let letter = letters.popFirst() {
            guard let option = known.first(where: { $0.letter == letter }) else {
                throw unknown("-\(letter)", hint: nil)
            }
            if option.form != nil, !letters.isEmpty { return try set(option, to: String(letters)) }
            try set(option, &words)
        }
    }

    private mutating func set(
        _ option: CommandOption, _ words: inout ArraySlice<String>
    ) throws(Failure) {
        guard let form = option.form else {
            values[option.name] = ""
            return
        }
        guard let value = words.popFirst() else {
            throw .usage("--\(option.name) needs a value: \(form)")
        }
        try set(option, to: value)
    }

    private mutating func set(_ option: CommandOption, to value: String) throws(Failure) {
        guard option.form != nil else { throw .usage("--\(option.name) takes no value") }
        let before = option == .handles ? values[option.name].map { "\($0)," } ?? "" : ""
        values[option.name] = before + value
    }

    private func unknown(_ option: String, hint: String?) -> Failure {
        guard let verb = command?.verb.rawValue else {
            let isLater = Command.all.contains { $0.options.contains { "--\($0.name)" == option } }
            let advice = isLater ? "it stands behind the command" : "see `healthctl help`"
            return .usage("no option \(option) before a command" + didYouMean(hint, else: advice))
        }
        return .usage(
            "`\(verb)` has no option \(option)"
                + didYouMean(hint, else: "see `healthctl help \(verb)`"))
    }

    private func checkArguments() throws(Failure) {
        guard let command else { throw .usage("what shall be done? `healthctl help` lists it") }
        let form = command.arguments
        let verb = command.verb.rawValue
        guard arguments.count >= form.least else { throw .usage("`\(verb)` needs \(form.missing)") }
        if let most = form.most, arguments.count > most {
            throw .usage("`\(verb)` takes no argument `\(arguments[most])`; \(command.usage)")
        }
    }
}

extension Invocation {
    /// The form of the output that is asked for.
    ///
    /// - Throws: A usage failure for one that the command does not have.
    var format: OutputFormat {
        get throws(Failure) {
            guard let command, let standard = command.formats.first else { return .text }
            guard let word = values["output"] else { return standard }
            guard let format = OutputFormat(rawValue: word), command.formats.contains(format) else {
                let words = command.formats.map(\.rawValue)
                let advice = "there are " + words.joined(separator: ", ")
                throw .usage(
                    "`\(command.verb.rawValue)` has no output `\(word)`"
                        + didYouMean(nearest(to: word, in: words), else: advice))
            }
            return format
        }
    }
}
