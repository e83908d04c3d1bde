import Testing

@testable import healthctl

@Suite struct ManualPageTests {
    private let lines = ManualPage.text.split(separator: "\n", omittingEmptySubsequences: false)

    @Test(arguments: Command.all) func everyCommandHasItsSection(_ command: Command) throws {
        let title = ".SS " + Roff.escaped(command.usage.dropFirst("healthctl ".count))
        let start = try #require(lines.firstIndex { $0 == title })
        let section = lines[(start + 1)...].prefix { !$0.hasPrefix(".S") }
        for option in command.options {
            let name = "\\fB\(Roff.escaped("--\(option.name)"))\\fP"
            #expect(section.contains { $0.contains(name) }, "\(option.name)")
        }
        for example in command.examples {
            #expect(section.contains { $0 == "healthctl \(Roff.escaped(example.line))" })
        }
    }

    @Test func everyLineThatBeginsWithAPointIsARequest() {
        let requests = ["TH", "SH", "SS", "TP", "PP", "B", "BR", "I", "EX", "EE", "in", "ad", "nr"]
        for line in lines where line.hasPrefix(".") || line.hasPrefix("'") {
            let word = line.dropFirst().prefix { $0 != " " }
            #expect(requests.contains(String(word)), "\(line)")
        }
    }

    @Test func whatGroffWouldObeyOrChangeIsText() {
        #expect(Roff.text(".SH") == "\\&.SH")
        #expect(Roff.text("'x") == "\\&\\(aqx")
        #expect(Roff.text("a-b\\n \"c\" ^~") == "a\\-b\\en \\(dqc\\(dq \\(ha\\(ti")
        #expect(Roff.text("see `why -q`, or") == "see \\fBwhy \\-q\\fP, or")
    }

    @Test func helpCanAskForIt() throws {
        #expect(try Invocation(["help", "--man"]).has(.manual))
    }
}

@Suite struct CompletableTests {
    @Test(arguments: [
        ("auto|always|never", ["auto", "always", "never"], false), ("FILE…", [], true),
        ("ANCHOR|start|now", ["start", "now"], false), ("value<90", [], false),
        ("[TYPE…]", ["spo2", "hr", "pi", "temp", "rr", "battery", "steps"], false),
        ("PATH", [], true),
        ("NAME,…|all", ["all"], false), ("HANDLE=UUID", [], false),
        ("json|json-pretty", ["json", "json-pretty"], false),
        ("[COMMAND]", CommandVerb.allCases.map(\.rawValue), false),
    ])
    func aFormSaysWhatMayStandThere(form: String, words: [String], takesFiles: Bool) {
        let form = Completable(form: form)
        #expect(form.words == words)
        #expect(form.takesFiles == takesFiles)
    }
}
