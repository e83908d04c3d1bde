import ControlProtocol
import Testing

@testable import healthctl

@Suite struct CommandTests {
    @Test(arguments: Command.all) func optionsOfACommandAreDistinct(_ command: Command) {
        let names = command.allOptions.map(\.name)
        let letters = command.allOptions.compactMap(\.letter)
        #expect(Set(names).count == names.count)
        #expect(Set(letters).count == letters.count)
    }

    @Test func everyVerbIsInTheTableOnce() {
        #expect(Command.all.map(\.verb) == CommandVerb.allCases)
        for verb in CommandVerb.allCases { #expect(Command.of(verb).verb == verb) }
    }

    @Test(arguments: Command.all) func theDaemonKnowsEveryKey(_ command: Command) throws {
        guard let verb = Verb.all.first(where: { $0.name == command.verb.rawValue }) else { return }
        let keys = Set(verb.keys.map(\.name))
        for key in command.options.compactMap(\.key) { #expect(keys.contains(key)) }
    }

    @Test(arguments: Command.all) func everyKeyOfTheDaemonHasAnOption(_ command: Command) {
        guard let verb = Verb.all.first(where: { $0.name == command.verb.rawValue }) else { return }
        let others = ["limit": "limit", "order": "reverse", "tz": "tz", "format": "output"]
        let names = command.options.map(\.name)
        let isArgument = { key in command.verb == .assign && ["device", "subject"].contains(key) }
        for key in verb.keys.map(\.name) where !isArgument(key) {
            let isCarried = command.options.contains { $0.key == key }
            #expect(isCarried || names.contains(others[key] ?? key), "\(command.verb) \(key)")
        }
    }

    @Test func watchCarriesEveryKeyOfFollow() throws {
        let verb = try #require(Verb.all.first { $0.name == "follow" })
        let names = Command.watch.options.map { $0.key ?? $0.name }
        for key in verb.keys { #expect(names.contains(key.name), "\(key.name)") }
    }

    @Test(arguments: Command.all) func examplesAreRight(_ command: Command) throws {
        for example in command.examples {
            let words = example.line.replacing(/"([^"]*)"/) {
                $0.output.1.replacing(" ", with: "_")
            }
            .split(separator: " ").map { String($0) }.prefix { !["<", ">", "|"].contains($0) }
            let invocation = try Invocation(Array(words))
            #expect(invocation.command?.verb == command.verb)
            #expect(throws: Never.self) { try invocation.format }
        }
    }
}

@Suite struct HelpTextTests {
    @Test(arguments: Command.all) func everyOptionIsTold(_ command: Command) {
        let text = HelpText.of(command)
        for option in command.allOptions { #expect(text.contains("--\(option.name)")) }
        #expect(text.hasPrefix("usage: \(command.usage)\n"))
    }

    @Test(arguments: Command.all) func noLineIsTooLong(_ command: Command) {
        for text in [HelpText.overview, HelpText.of(command)] {
            for line in text.split(separator: "\n") { #expect(line.count <= 100) }
        }
    }

    @Test func theOverviewNamesEveryCommand() {
        for command in Command.all {
            #expect(HelpText.overview.contains("\n  \(command.verb.rawValue) "))
        }
    }
}
