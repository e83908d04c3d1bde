import DaemonHarness
import Foundation
import Testing

@Suite struct DamageTests {
    private func daemon() throws -> DaemonUnderTest {
        let daemon = try DaemonUnderTest()
        let rows = RecordingText.oximeter(seconds: 20_000, characteristic: "2a5e")
        #expect(try daemon.replay(rows).isOK)
        #expect(try daemon.replay(QueryData.recording).isOK)
        #expect(try daemon.request("checkpoint").isOK)
        return daemon
    }

    /// Overwrites a stretch in the middle of the store's file.
    private func damage(_ directory: ScratchDirectory) throws {
        let store = URL(fileURLWithPath: directory.path("state/healthd.db"))
        let file = try FileHandle(forUpdating: store)
        let middle = try file.seekToEnd() / 2 / 4096 * 4096
        try file.seek(toOffset: middle)
        file.write(Data(repeating: 0xA5, count: 64 * 4096))
        try file.close()
    }

    private func check(_ daemon: DaemonUnderTest) throws {
        let reply = try daemon.request("samples spo2 hr")
        #expect(reply.failure == "500 store-damaged")
        #expect(try daemon.request("ping").isOK)
        #expect(try daemon.request("types").isOK)
        #expect(try daemon.request("samples temp modality=all")["n"] == "4")
        let status = try daemon.request("status").data.joined()
        #expect(!status.contains(#""state":"ok""#))
    }

    @Test func damageUnderARunningDaemonIsSaid() throws {
        let daemon = try daemon()
        try damage(daemon.directory)
        try check(daemon)
        // Readings go on being kept: in this store, or in a new one beside it.
        let replay = {
            try daemon.replay(RecordingText.oximeter(seconds: 5, from: 1_800_000_000))
        }
        try waitUntil { try replay().isOK }
        #expect(
            try daemon.request("samples spo2 start=@1800000000 end=@1800000100")["n"] == "5")
    }

    @Test func damageDoneWhileItWasStoppedIsSaid() throws {
        let daemon = try daemon()
        try daemon.stop()
        try damage(daemon.directory)
        try check(try DaemonUnderTest(in: daemon.directory))
    }

    @Test func aDamagedBlockCostsThatBlock() throws {
        let daemon = try DaemonUnderTest()
        #expect(try daemon.replay(RecordingText.oximeter(seconds: 4000)).isOK)
        #expect(try daemon.request("checkpoint").isOK)
        try daemon.stop()
        let damage = try ChildProcess([
            "sqlite3", daemon.directory.path("state/healthd.db"),
            "UPDATE block_data SET data = zeroblob(length(data)) WHERE id = "
                + "(SELECT id FROM block WHERE n = 900 LIMIT 1)",
        ])
        #expect(try damage.wait() == .exit(0))
        let next = try DaemonUnderTest(in: daemon.directory)
        let reply = try next.request("samples spo2 format=tsv")
        #expect(reply["n"] == "3100")
        #expect(reply["damaged"] == "900")
        #expect(try next.request("report odi")["damaged"] == "900")
        #expect(try next.request("stats spo2 fn=max")["damaged"] == nil)
        let status = try next.request("status").data.joined()
        #expect(status.contains(#""state":"ok""#))
        #expect(status.contains(#""damagedReadings":900,"damagedBlocks":[{"#))
        #expect(next.process.errors.contains("900 readings"))
        let client = try next.healthctl(["stats", "spo2", "--fn", "twavg"])
        #expect(client.errors.contains("900 readings of the interval cannot be read"))
        #expect(try next.request("delete spo2 where=value>0 dry-run=yes")["damaged"] == "900")
        let request = "delete device=\(RecordingText.device)"
        #expect(try next.request("\(request) dry-run=yes")["n"] == "4000")
        #expect(try next.request(request)["n"] == "4000")
        #expect(try !next.request("status").data.joined().contains("damagedBlocks"))
    }

    /// Makes a page of a table into one that SQLite calls malformed.
    private func spoilAPage(of table: String, _ directory: ScratchDirectory) throws {
        let store = directory.path("state/healthd.db")
        let pages = try ChildProcess([
            "sqlite3", store,
            "SELECT pageno - 1 FROM dbstat WHERE name = '\(table)' AND pagetype = 'leaf' "
                + "ORDER BY path LIMIT 1 OFFSET 1",
        ])
        #expect(try pages.wait() == .exit(0))
        let page = try #require(UInt64(pages.output.dropLast()))
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: store))
        try file.seek(toOffset: page * 1024)
        try file.write(contentsOf: Data(repeating: 0xFF, count: 8))
        try file.close()
    }

    /// A daemon with packed readings, some of which lie in a malformed page.
    private func daemonWithAMalformedPage(
        seconds: Int, arguments: [String] = []
    ) throws -> (daemon: DaemonUnderTest, epoch: String) {
        let daemon = try DaemonUnderTest()
        #expect(try daemon.replay(RecordingText.oximeter(seconds: seconds)).isOK)
        #expect(try daemon.request("checkpoint").isOK)
        let epoch = try daemon.epoch
        try daemon.stop()
        try spoilAPage(of: "block_data", daemon.directory)
        return (try DaemonUnderTest(in: daemon.directory, arguments: arguments), epoch)
    }

    @Test func whatARequestLeavesOfADamagedBlockIsSaid() throws {
        let (daemon, _) = try daemonWithAMalformedPage(seconds: 20_000)
        let block = try #require(try daemon.request("samples spo2")["damaged"].flatMap { Int($0) })
        #expect(block % 900 == 0)
        // A block that cannot be read goes as a whole or not at all.
        let status = try daemon.request("status").data.joined()
        let first = try #require(status.components(separatedBy: "damagedBlocks").last)
        let start = first.components(separatedBy: #""start":""#)[1].prefix(19)
        let date = try #require(ISO8601DateFormatter().date(from: "\(start)Z"))
        let end = Int(date.timeIntervalSince1970) + 420
        let request = "delete device=\(RecordingText.device) end=@\(end)"
        let rehearsal = try daemon.request("\(request) dry-run=yes")
        let reply = try daemon.request(request)
        #expect(reply.isOK)
        #expect(reply["n"] == "\(end - 420 - 1_700_000_000)")
        #expect(reply["damaged"] == "900")
        #expect(rehearsal["n"] == reply["n"])
        #expect(rehearsal["damaged"] == reply["damaged"])
        #expect(try daemon.request("status").data.joined().contains("damagedBlocks"))
    }

    @Test func retentionGoesRoundAMalformedPage() throws {
        let directory = try ScratchDirectory()
        let path = try directory.write(
            "[retention]\nkeep = 30d\nsummaries = drop\n", to: "healthd.conf")
        let (daemon, epoch) = try daemonWithAMalformedPage(
            seconds: 30_000, arguments: ["--config", path])
        try waitUntil { try daemon.request("samples spo2")["n"] == "0" }
        #expect(!daemon.process.errors.contains("neither packed nor dropped"))
        #expect(try daemon.epoch == epoch)
    }

    @Test func aDeletedDeviceTakesItsDamageAlong() throws {
        let (next, epoch) = try daemonWithAMalformedPage(seconds: 30_000)
        #expect(try next.request("samples spo2 format=tsv")["damaged"] != nil)
        #expect(try next.request("status").data.joined().contains("damagedBlocks"))
        let request = "delete device=\(RecordingText.device)"
        #expect(try next.request("\(request) dry-run=yes")["n"] == "30000")
        let reply = try next.request(request)
        #expect(reply["n"] == "30000")
        #expect(reply["damaged"] == nil)
        #expect(try next.request("samples spo2")["n"] == "0")
        #expect(try !next.request("status").data.joined().contains("damagedBlocks"))
        #expect(try next.epoch == epoch)
    }

    @Test func damageThatOnlyUpkeepMeetsLeavesTheStoreInUse() throws {
        let daemon = try DaemonUnderTest()
        #expect(try daemon.replay(RecordingText.oximeter(seconds: 4000)).isOK)
        let epoch = try daemon.epoch
        daemon.crash()
        try spoilAPage(of: "reading", daemon.directory)
        let next = try DaemonUnderTest(in: daemon.directory)
        try waitUntil { next.process.errors.contains("neither packed nor dropped") }
        let later = RecordingText.oximeter(seconds: 5, from: 1_800_000_000)
        try waitUntil { try next.replay(later).isOK }
        #expect(
            try next.request("samples spo2 start=@1800000000 end=@1800000100")["n"] == "5")
        #expect(try next.epoch == epoch)
    }

    @Test func afterACrashThePagesAreGoneThrough() throws {
        let daemon = try daemon()
        daemon.crash()
        try damage(daemon.directory)
        let next = try DaemonUnderTest(in: daemon.directory)
        try waitUntil {
            try !next.request("status").data.joined().contains(#""state":"ok""#)
        }
        #expect(next.process.errors.contains("damaged"))
    }
}
