import Foundation
import Testing

/// What docs/CONFORMANCE.md and docs/SURVIVAL.md say is tested, is tested.
@Suite struct ConformanceTablesTests {
    private static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// The names of all functions and types of the tests.
    private static let names: Set<Substring> = {
        var names: Set<Substring> = []
        for source in sources("swift") {
            let words = source.split { !$0.isLetter && !$0.isNumber }
            for (keyword, name) in zip(words, words.dropFirst()) {
                if keyword == "func" || keyword == "struct" { names.insert(name) }
            }
        }
        return names
    }()

    /// The texts of all files of the tests with this extension.
    private static func sources(_ type: String) -> [String] {
        let files = FileManager.default.enumerator(
            at: root.appending(path: "Tests"), includingPropertiesForKeys: nil)
        return (files?.compactMap { $0 as? URL } ?? []).filter { $0.pathExtension == type }
            .compactMap { try? String(contentsOf: $0, encoding: .utf8) }
    }

    private static func table(_ name: String) throws -> String {
        try String(contentsOf: root.appending(path: "docs/\(name)"), encoding: .utf8)
    }

    private static func matches(_ pattern: String, in text: String) throws -> [String] {
        let expression = try Regex(pattern)
        return text.matches(of: expression).compactMap { $0.output[1].substring.map(String.init) }
    }

    @Test(arguments: ["CONFORMANCE.md", "SURVIVAL.md"])
    func everyTestThatIsNamedExists(name: String) throws {
        let names = try Self.matches("`([A-Za-z0-9.]+)`", in: Self.table(name))
        #expect(names.count > 50)
        for test in Set(names) where !test.hasSuffix(".md") && !test.hasSuffix(".jsonl") {
            let isDeclared = test.split(separator: ".").allSatisfy(Self.names.contains)
            #expect(isDeclared || Self.words.contains(test), "\(test)")
        }
    }

    /// What is set in code font without being a test.
    private static let words: Set = [
        "Notifying", "latest", "status", "pair", "org.bluez.Error.Failed",
    ]

    @Test(arguments: ["CONFORMANCE.md", "SURVIVAL.md"])
    func everySceneThatIsNamedExists(name: String) throws {
        let scenes = try Self.matches("\"([A-Z][^\"]*)…\"", in: Self.table(name))
        #expect(!scenes.isEmpty)
        let sources = Self.sources("py").joined()
        for scene in Set(scenes) { #expect(sources.contains("\"\(scene)"), "\(scene)") }
    }

    @Test func everyScenarioHasARow() throws {
        let table = try Self.table("SURVIVAL.md")
        let counts =
            [("A", 15), ("B", 13), ("C", 15), ("D", 15), ("E", 8), ("F", 12), ("G", 11)]
            + [("H", 10), ("I", 10), ("J", 6)]
        for (letter, count) in counts {
            for number in 1...count {
                let row = try Regex(
                    "(?m)^\\| ([A-J0-9, ]*, )?\(letter)\(number)(, [A-J0-9, ]*)? \\|")
                #expect(table.contains(row), "\(letter)\(number)")
            }
        }
    }
}
