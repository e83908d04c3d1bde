/// `healthctl completion`: what a shell needs to complete command lines, from the table of commands.
enum CompletionCommand {
    /// Prints the script for the shell that the argument names.
    ///
    /// - Throws: A usage failure for a shell that there is none for.
    static func run(_ session: inout Session) throws(Failure) -> Int32 {
        let word = session.invocation.arguments[0]
        guard let shell = Shell(rawValue: word) else {
            let names = Shell.allCases.map(\.rawValue).joined(separator: ", ")
            throw .usage("there is no completion for `\(word)`, but for \(names)")
        }
        try session.output.write(shell.script)
        return ExitCode.success
    }
}

/// The shells that command lines can be completed in.
enum Shell: String, CaseIterable, Sendable {
    /// GNU Bash, with or without the package bash-completion.
    case bash
    /// The Z shell.
    case zsh
    /// The friendly interactive shell.
    case fish

    /// What the shell is to read.
    var script: String {
        switch self {
        case .bash: BashCompletion.script
        case .zsh: ZshCompletion.script
        case .fish: FishCompletion.script
        }
    }

    /// A text between apostrophes, as a word of bash and zsh.
    static func quoted(_ text: String) -> String {
        "'" + text.replacing("'", with: "'\\''") + "'"
    }
}

extension Command {
    /// `healthctl completion`.
    static let completion = Command(
        verb: .completion, arguments: .shell, options: [], formats: [],
        summary: "the script that completes command lines in a shell",
        details: [
            "The package installs them; elsewhere, in ~/.bashrc: `eval \"$(healthctl completion bash)\"`."
        ],
        examples: [
            Example(line: "completion bash > healthctl", summary: "for a folder of completions")
        ])
}

extension Command.Arguments {
    /// The name of a shell.
    static let shell = Command.Arguments(
        usage: "bash|zsh|fish", least: 1, most: 1, missing: "the name of a shell: bash, zsh or fish"
    )
}
