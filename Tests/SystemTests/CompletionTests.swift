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

    /// Completion in zsh needs a terminal; here is what its functions are told.
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
