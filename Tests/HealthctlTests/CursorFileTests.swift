import Foundation
import Testing

@testable import healthctl

@Suite struct CursorFileTests {
    private let path = "/tmp/healthctl-\(UUID().uuidString)"

    private func text() -> String? {
        FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) }
    }

    private func remove() {
        unlink(path)
    }

    @Test func aMissingOrEmptyFileHoldsNoPosition() throws {
        defer { remove() }
        var file = CursorFile(path)
        #expect(try file.load() == nil)
        _ = FileManager.default.createFile(atPath: path, contents: Data())
        #expect(try file.load() == nil)
    }

    @Test func aPositionIsWrittenAndReadBack() throws {
        defer { remove() }
        let position = FollowPosition(after: Anchor(epoch: "e", seq: 3))
        var file = CursorFile(path)
        try file.save(position, at: 0, isUrgent: false)
        #expect(text() == "e:3\n")
        var other = CursorFile(path)
        #expect(try other.load() == position)
        #expect(other.deadline(position) == nil)
    }

    @Test func twoWritesAreASecondApartUnlessUrgent() throws {
        defer { remove() }
        var file = CursorFile(path)
        let positions = (1...4).map { FollowPosition(after: Anchor(epoch: "e", seq: $0)) }
        try file.save(positions[0], at: 5000, isUrgent: false)
        try file.save(positions[1], at: 5999, isUrgent: false)
        #expect(text() == "e:1\n")
        #expect(file.deadline(positions[1]) == 6000)
        try file.save(positions[2], at: 6000, isUrgent: false)
        #expect(text() == "e:3\n")
        try file.save(positions[3], at: 6001, isUrgent: true)
        #expect(text() == "e:4\n")
    }

    @Test func anotherFileIsLeftAlone() throws {
        defer { remove() }
        _ = FileManager.default.createFile(atPath: path, contents: Data("my notes\n".utf8))
        var file = CursorFile(path)
        let failure = try #require(#expect(throws: Failure.self) { try file.load() })
        #expect(failure.exitCode == ExitCode.dataError)
        #expect(text() == "my notes\n")
    }

    @Test func aFolderThatIsMissingIsAFailure() throws {
        var file = CursorFile(path + "/cursor")
        let position = FollowPosition(after: Anchor(epoch: "e", seq: 1))
        let failure = try #require(
            #expect(throws: Failure.self) { try file.save(position, at: 0, isUrgent: true) })
        #expect(failure.exitCode == ExitCode.inputOutput)
    }
}

@Suite struct FreshFileTests {
    @Test func withoutACommitNothingIsLeft() throws {
        let path = "/tmp/healthctl-\(UUID().uuidString)"
        do {
            let file = try FreshFile(replacing: path)
            try file.write([1, 2, 3])
            #expect(FileManager.default.fileExists(atPath: path + ".new"))
        }
        #expect(!FileManager.default.fileExists(atPath: path + ".new"))
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test func onlyTheOwnerMayReadIt() throws {
        let path = "/tmp/healthctl-\(UUID().uuidString)"
        defer { unlink(path) }
        var file = try FreshFile(replacing: path)
        try file.write([1])
        try file.commit()
        let facts = try FileManager.default.attributesOfItem(atPath: path)
        #expect(facts[.posixPermissions] as? Int == 0o600)
    }
}

@Suite struct RecordingFileTests {
    private let path = "/tmp/healthctl-\(UUID().uuidString)"

    private func contents() -> [UInt8]? {
        FileManager.default.contents(atPath: path).map { Array($0) }
    }

    @Test func aFileThatIsThereIsNotTouchedUnasked() throws {
        defer { unlink(path) }
        _ = FileManager.default.createFile(atPath: path, contents: Data("old\n".utf8))
        let failure = try #require(
            #expect(throws: Failure.self) { _ = try RecordingFile(path, appends: false).name })
        #expect(failure.exitCode == ExitCode.cannotCreate)
        #expect(contents() == Array("old\n".utf8))
    }

    @Test(arguments: [("old\n", "old\nnew\n"), ("cut", "cut\nnew\n"), ("", "new\n")])
    func appendingEndsALineThatWasCut(_ old: String, _ result: String) throws {
        defer { unlink(path) }
        _ = FileManager.default.createFile(atPath: path, contents: Data(old.utf8))
        var file = try RecordingFile(path, appends: true)
        let isContinued = file.isContinued
        #expect(isContinued == (old != ""))
        try file.write(Array("new\n".utf8))
        try file.synchronize()
        #expect(contents() == Array(result.utf8))
    }
}
