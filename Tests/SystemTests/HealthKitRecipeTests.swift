import DaemonHarness
import Foundation
import Testing

/// The recipes of docs/HEALTHKIT.md do what they say, as they stand there.
@Suite struct HealthKitRecipeTests {
    private static let here = URL(fileURLWithPath: #filePath).deletingLastPathComponent()

    /// A command of the document, and what it prints.
    private struct Recipe {
        let command: String
        var output: [String] = []
    }

    /// The recipes, in the order of the document.
    private static let recipes: [Recipe] = {
        let path = here.appendingPathComponent("../../docs/HEALTHKIT.md").standardizedFileURL.path
        let document = String(
            decoding: FileManager.default.contents(atPath: path) ?? Data(), as: UTF8.self)
        var recipes: [Recipe] = []
        for block in document.components(separatedBy: "```console\n").dropFirst() {
            for line in block.components(separatedBy: "\n```")[0].components(separatedBy: "\n") {
                if line.hasPrefix("$ ") {
                    recipes.append(Recipe(command: String(line.dropFirst(2))))
                } else {
                    recipes[recipes.count - 1].output.append(line)
                }
            }
        }
        return recipes
    }()

    @Test func eachRecipePrintsWhatTheDocumentSays() throws {
        let daemon = try DaemonUnderTest()
        try prepare(daemon.directory)
        #expect(Self.recipes.count >= 14)
        for recipe in Self.recipes {
            let output = try run(recipe.command, daemon)
            let isSame =
                output.count == recipe.output.count
                && zip(output, recipe.output).allSatisfy { matches($0, $1) }
            #expect(isSame, "\(recipe.command)\n\(output)\nis not\n\(recipe.output)")
        }
    }

    /// Puts the files that recipes import into a folder.
    private func prepare(_ folder: ScratchDirectory) throws {
        let export = Self.here.appendingPathComponent("HealthKit/export.xml")
        try FileManager.default.copyItem(atPath: export.path, toPath: folder.path("export.xml"))
        let first = ISO8601DateFormatter().date(from: "2026-10-24T00:00:00Z") ?? Date()
        let hours = (0..<72).map { hour in
            let time = first.addingTimeInterval(Double(hour) * 3600 - 7200)
            return "temp,\(ISO8601DateFormatter().string(from: time)),36.\(hour % 10)"
        }
        try folder.write(table(hours), to: "hours.csv")
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = try #require(TimeZone(identifier: "Asia/Tokyo"))
        let today = calendar.startOfDay(for: Date())
        let steps = [(-3600.0, 12), (-43_200.0, 4000)].map { before, count in
            "steps,\(ISO8601DateFormatter().string(from: today.addingTimeInterval(before))),\(count)"
        }
        try folder.write(table(steps), to: "steps.csv")
    }

    private func table(_ rows: [String]) -> String {
        (["type,start,value"] + rows).joined(separator: "\n") + "\n"
    }

    private func run(_ command: String, _ daemon: DaemonUnderTest) throws -> [String] {
        let programs = URL(fileURLWithPath: BuiltProgram.healthctl.path).deletingLastPathComponent()
        let shell = try ChildProcess(
            ["env", "--chdir", daemon.directory.path, "sh", "-c", command],
            environment: [
                "TZ": "Asia/Tokyo", "HEALTHD_SOCKET": daemon.socket,
                "PATH": programs.path + ":/usr/bin:/bin",
            ])
        try shell.wait()
        var lines = shell.output.components(separatedBy: "\n")
        if lines.last == "" { lines.removeLast() }
        return lines
    }

    /// Whether a line is the documented one, in which `…` stands for any text.
    private func matches(_ line: String, _ documented: String) -> Bool {
        let parts = documented.components(separatedBy: "…")
        guard let first = parts.first, line.hasPrefix(first) else { return false }
        var rest = line.dropFirst(first.count)
        for part in parts.dropFirst() {
            guard let found = part.isEmpty ? rest.endIndex..<rest.endIndex : rest.range(of: part)
            else { return false }
            rest = rest[found.upperBound...]
        }
        return rest.isEmpty
    }
}

/// Authorization, as the first recipe tells it apart.
@Suite(.enabled(if: AccessPeer.isPermitted, "only root can be somebody else"))
struct HealthKitAuthorizationTests {
    /// What `access` says of a type to a user whom a rule names, or not.
    private func verdict(_ rule: String) throws -> (read: String, samples: String) {
        let directory = try ScratchDirectory()
        let path = try directory.write("[access]\n\(rule)\n", to: "healthd.conf")
        let daemon = try DaemonUnderTest(in: directory, arguments: ["--config", path])
        let peer = try AccessPeer(daemon)
        let line = try peer.request("access").data.first {
            $0.contains(#""type":"oxygenSaturation""#)
        }
        let read = line?.components(separatedBy: #""read":""#).last?.prefix { $0 != "\"" }
        let reply = try peer.request("samples spo2")
        return (read.map { String($0) } ?? "", reply.isOK ? "n=\(reply["n"] ?? "")" : reply.failure)
    }

    @Test func noDataIsToldApartFromDenied() throws {
        #expect(try verdict("user nobody = read spo2") == ("authorized", "n=0"))
        #expect(try verdict("user nobody = read temp") == ("denied", "403 denied"))
        #expect(
            try verdict("user daemon = read") == ("notDetermined", "403 not-determined"))
    }
}
