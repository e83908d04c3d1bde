import Foundation
import Measurements
import Testing

@testable import Samples

/// Each test has a process of its own, because zones stay loaded and TZDIR is the whole process's.
@Suite struct ZoneDataTests {
    @Test func withoutTimeZoneDataThereIsUTC() async {
        await #expect(processExitsWith: .success) {
            setenv("TZDIR", "/nonexistent", 1)
            #expect(Zone(named: "UTC") == Zone.utc)
            #expect(Zone.utc.offset(at: Instant(milliseconds: 0)) == 0)
            #expect(Zone(named: "Europe/Berlin") == nil)
        }
    }

    @Test func aNameThatWasUnknownIsFoundOnceItsFileIsThere() async {
        await #expect(processExitsWith: .success) {
            let directory = try ZoneDirectory()
            defer { directory.remove() }
            #expect(Zone(named: "Elsewhere") == nil)
            try directory.addZone("Elsewhere")
            #expect(Zone(named: "Elsewhere")?.offset(at: Instant(milliseconds: 0)) == 32_400)
        }
    }

    @Test func filesThatHoldNoTimeZoneAreNone() async {
        await #expect(processExitsWith: .success) {
            let directory = try ZoneDirectory()
            defer { directory.remove() }
            for (name, text) in [("Empty", ""), ("Text", "root:x:0:0"), ("Cut", "TZif2")] {
                try directory.addFile(name, text)
                #expect(Zone(named: name) == nil)
                #expect(Zone(named: name) == nil)
            }
        }
    }

    @Test func thereIsALimitToTheZonesLoaded() async {
        await #expect(processExitsWith: .success) {
            let directory = try ZoneDirectory()
            defer { directory.remove() }
            let names = (0..<900).map { "Copy\($0)" }
            for name in names { try directory.addZone(name) }
            let loaded = names.compactMap(Zone.init(named:))
            #expect(loaded.count == 799)
            #expect(loaded.allSatisfy { $0.offset(at: Instant(milliseconds: 0)) == 32_400 })
            #expect(Zone(named: "Copy0") == loaded.first)
            #expect(Zone(named: "UTC") == Zone.utc)
        }
    }

    @Test(.enabled(if: getenv("ASAN_OPTIONS") == nil, "the sanitizer keeps what was freed"))
    func unknownNamesLeaveNothingInMemory() async {
        await #expect(processExitsWith: .success) {
            let warmUp = (0..<5000).filter { Zone(named: "Warm/Up\($0)") != nil }
            let before = try residentPages()
            let found = (0..<50_000).filter { Zone(named: "Zone/Number\($0)/\($0 % 7)_") != nil }
            #expect(warmUp + found == [])
            #expect(try residentPages() - before < 500, "50,000 kept names take over 1,500 pages")
        }
    }
}

/// A directory of zones, which TZDIR names as long as the process runs.
private struct ZoneDirectory {
    private let url = FileManager.default.temporaryDirectory
        .appendingPathComponent("zones-\(UUID().uuidString)")

    init() throws {
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        setenv("TZDIR", url.path, 1)
    }

    func addZone(_ name: String) throws {
        try FileManager.default.createSymbolicLink(
            at: url.appendingPathComponent(name),
            withDestinationURL: URL(fileURLWithPath: "/usr/share/zoneinfo/Asia/Tokyo"))
    }

    func addFile(_ name: String, _ text: String) throws {
        try Data(text.utf8).write(to: url.appendingPathComponent(name))
    }

    func remove() {
        try? FileManager.default.removeItem(at: url)
    }
}

private func residentPages() throws -> Int {
    let text = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
    return try #require(Int(text.split(separator: " ")[1]))
}
