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

    @Test func aDeletedDeviceTakesItsDamageAlong() throws {
        let daemon = try DaemonUnderTest()
        #expect(try daemon.replay(RecordingText.oximeter(seconds: 30_000)).isOK)
        #expect(try daemon.request("checkpoint").isOK)
        let epoch = try daemon.epoch
        try daemon.stop()
        try spoilAPage(of: "block_data", daemon.directory)
        let next = try DaemonUnderTest(in: daemon.directory)
        #expect(try next.request("samples spo2 format=tsv")["damaged"] != nil)
        #expect(try next.request("status").data.joined().contains("damagedBlocks"))
        #expect(try next.request("delete device=\(RecordingText.device)")["n"] == "30000")
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
