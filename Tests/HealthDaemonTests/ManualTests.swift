import Foundation
import Testing

@testable import HealthDaemon

/// What healthd(8) and healthd.conf(5) tell is what there is.
@Suite struct ManualTests {
    private func text(_ name: String) throws -> String {
        let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        return try String(contentsOf: package.appendingPathComponent(name), encoding: .utf8)
    }

    @Test func everyOptionIsDescribed() throws {
        let page = try text("docs/man/healthd.8.md")
        for option in Options.names {
            #expect(page.contains("\n`\(option)`"), "\(option)")
            #expect(Options.usage.contains(option), "\(option)")
        }
        let described = page.split(separator: "\n").filter { $0.hasPrefix("`--") }
        #expect(described.count == Options.names.count)
    }

    /// The manual is made of the installed file: its sections, its keys, and the remarks above them.
    @Test func everyKeyIsInTheInstalledFileWithItsMeaning() throws {
        let lines = try text("config/healthd.conf").components(separatedBy: "\n")
        var found: Set<String> = []
        var section = ""
        for (before, line) in zip([""] + lines, lines) {
            if line.hasPrefix("[") || line.hasPrefix("#[") {
                section = String(
                    line.drop { $0 == "#" }.dropFirst().prefix { $0 != "]" && $0 != " " })
            } else if let key = line.wholeMatch(of: /#([a-z_]+) = .*/)?.output.1 {
                #expect(before.hasPrefix("# "), "\(key) has no meaning")
                found.insert("\(section) \(key)")
            }
        }
        let keys = Configuration.keyNames.map { "\($0.section) \($0.name)" }
        #expect(found == Set(keys + SensorConfiguration.keys.map { "sensor \($0)" }))
    }
}
