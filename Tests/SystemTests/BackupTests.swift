import DaemonHarness
import Foundation
import Testing

@Suite struct BackupTests {
    private struct Chunk: Decodable {
        var offset: Int
        var data: Data
    }

    private func files(_ daemon: DaemonUnderTest) throws -> [String] {
        try daemon.directory.names(in: "state")
    }

    /// The copy that a reply brings.
    private func copy(_ reply: LineReply) throws -> Data {
        var copy = Data()
        for line in reply.data {
            let chunk = try JSONDecoder().decode(Chunk.self, from: Data(line.utf8))
            #expect(chunk.offset == copy.count)
            copy += chunk.data
        }
        #expect(reply["size"] == "\(copy.count)")
        return copy
    }

    @Test func aCopyOpensAsAStoreOfItsOwn() throws {
        let daemon = try DaemonUnderTest()
        try daemon.replay(QueryData.recording)
        try daemon.replay(RecordingText.oximeter(seconds: 3000))
        #expect(try daemon.request("delete 9").isOK)
        let before = try files(daemon)
        let anchor = try #require(try daemon.request("changes since=start")["anchor"])
        let cursor = try #require(try daemon.request("samples spo2 limit=1")["next"])
        let reply = try daemon.request("backup")
        let directory = try ScratchDirectory()
        try FileManager.default.createDirectory(
            atPath: directory.path("state"), withIntermediateDirectories: false,
            attributes: [.posixPermissions: 0o700])
        try copy(reply).write(to: URL(fileURLWithPath: directory.path("state/healthd.db")))
        #expect(try files(daemon) == before)

        let restored = try DaemonUnderTest(in: directory)
        #expect(try restored.epoch == reply["epoch"])
        #expect(try restored.epoch != daemon.epoch)
        let request = "samples spo2 hr temp quality=all modality=all"
        #expect(try restored.request(request).data == daemon.request(request).data)
        #expect(try restored.request("changes since=\(anchor)").failure == "410 anchor-foreign")
        #expect(
            try restored.request("samples spo2 after=\(cursor)").failure == "410 anchor-foreign")
        #expect(try restored.replay(QueryData.recording).count("stored") == 0)
    }

    @Test func twoBackupsAreTwoStores() throws {
        let daemon = try DaemonUnderTest()
        #expect(try daemon.request("backup")["epoch"] != daemon.request("backup")["epoch"])
    }

    @Test func aClientThatHangsUpLeavesNothingBehind() throws {
        let daemon = try DaemonUnderTest()
        // Rows, so that the copy has more pieces than are read.
        try daemon.replay(RecordingText.oximeter(seconds: 5000, characteristic: "2a5e"))
        #expect(try daemon.request("checkpoint").isOK)
        let before = try files(daemon)
        let descriptors = try daemon.openDescriptors
        for lines in (0..<30).map({ $0 % 5 }) {
            let client = try daemon.connect()
            try client.send("backup\n")
            for _ in 0..<lines where try client.line() == nil {}
            client.hangUp()
        }
        try waitUntil { try files(daemon) == before && daemon.openDescriptors <= descriptors }
        #expect(try daemon.request("samples spo2")["n"] == "5000")
    }

    @Test func readingsComeInMeanwhile() throws {
        let daemon = try DaemonUnderTest()
        try daemon.replay(RecordingText.oximeter(seconds: 3000))
        let client = try daemon.connect()
        try client.send("backup\n")
        _ = try client.line()
        #expect(
            try daemon.replay(RecordingText.oximeter(seconds: 500, from: 1_800_000_000)).isOK)
        #expect(try client.reply().isOK)
        #expect(try daemon.request("samples spo2")["n"] == "3500")
    }
}
