import DaemonHarness
import Foundation
import Testing

/// What a person gets who presses the tabulator key.
@Suite struct CompletionTests {
    /// The end of a command line, and what its last word may become.
    static let lines: [(line: String, words: Set<String>)] = [
        ("healthctl sam", ["samples"]),
        ("healthctl samples sp", ["spo2"]),
        ("healthctl samples spo2 --sub", ["--subject"]),
        ("healthctl samples spo2 -o json", ["json", "json-pretty"]),
        ("healthctl watch --since st", ["start"]),
        ("healthctl --color al", ["always"]),
        ("healthctl help check", ["checkpoint"]),
        ("healthctl completion z", ["zsh"]),
        ("healthctl replay /etc/hostn", ["/etc/hostname"]),
        ("healthctl samples /etc/hostn", []),
        ("healthctl latest --max-age 1", []),
    ]

    @Test(arguments: lines) func bashCompletes(line: String, words: Set<String>) throws {
        let script = """
            source <("$0" completion bash)
            COMP_WORDS=($1); COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
            _healthctl 2> /dev/null
            printf '%s\\n' "${COMPREPLY[@]}"
            """
        #expect(try said(by: ["bash", "-c", script], line) == words)
    }

    @Test(.enabled(if: Self.has("fish"), "fish is not installed"), arguments: lines)
    func fishCompletes(line: String, words: Set<String>) throws {
        let script = """
            $argv[1] completion fish | source
            complete --do-complete $argv[2] | string split --fields 1 \\t
            """
        #expect(try said(by: ["fish", "--no-config", "-c", script], line) == words)
    }

    /// What is typed in zsh, and how the line goes on once the tabulator key is pressed behind it.
    static let typed = [
        ("healthctl sam", "ples"), ("healthctl samples sp", "o2"),
        ("healthctl samples spo2 --sub", "ject"), ("healthctl --color al", "ways"),
        ("healthctl help check", "point"), ("healthctl completion z", "sh"),
        ("healthctl replay /etc/hostn", "ame"),
    ]

    @Test(
        .enabled(if: Self.has("zsh") && Self.has("tmux"), "zsh or tmux is not installed"))
    func zshCompletesOnATerminal() throws {
        let directory = try ScratchDirectory()
        let program = BuiltProgram.healthctl.path
        let functions = try ChildProcess([program, "completion", "zsh"])
        try functions.wait()
        _ = try directory.write(functions.output, to: "_healthctl")
        let settings = """
            fpath=($ZDOTDIR $fpath)
            path=(\(URL(fileURLWithPath: program).deletingLastPathComponent().path) $path)
            PS1='%% '
            autoload -Uz compinit; compinit -u -D
            """
        _ = try directory.write(settings, to: ".zshrc")
        let terminal = try Terminal("clear; ZDOTDIR=\(directory.path(".")) exec zsh -i")
        for (line, rest) in Self.typed {
            try waitUntil { try terminal.picture.hasPrefix("%") }
            try terminal.type(line + "\t")
            try waitUntil { try terminal.picture.hasPrefix("% " + (line + rest)) }
            try terminal.type("\u{15}")
        }
    }

    /// What zsh's functions are told, of which most is seen only in lists.
    @Test(
        .enabled(if: Self.has("zsh"), "zsh is not installed"),
        arguments: [
            (
                "samples",
                "(-S --since)--since=[from this time on\\: today, -1h, 2026-11-29 22\\:00]:TIME: "
            ),
            ("samples", "*:TYPE…:(spo2 hr pi temp rr battery steps)"),
            (
                "latest",
                "(-o --output)-o+[form of the output (default\\: table)]"
                    + ":table|json|json-pretty|csv|tsv:(table json json-pretty csv tsv)"
            ),
            ("replay", "*:FILE…:_files"),
            ("backup", "(-q --quiet)-q[no remarks and no progress on standard error]"),
            ("help", "*:\\[COMMAND\\]:(samples "),
        ])
    func zshIsTold(verb: String, specification: String) throws {
        let script = """
            compdef() { }; _describe() { }
            _arguments() { state=argument; line=($verb); print -rl -- "$@" }
            verb=$1; source <($0 completion zsh); _healthctl
            """
        let told = try said(by: ["zsh", "-f", "-c", script], verb)
        #expect(told.contains { $0.hasPrefix(specification) }, "\(told)")
    }

    private func said(by shell: [String], _ line: String) throws -> Set<String> {
        let process = try ChildProcess(shell + [BuiltProgram.healthctl.path, line])
        try process.wait()
        return Set(process.output.split(separator: "\n").map(String.init))
    }

    private static func has(_ program: String) -> Bool {
        FileManager.default.isExecutableFile(atPath: "/usr/bin/\(program)")
    }
}
