import DaemonHarness
import Foundation
import Testing

@Suite struct DamageTests {
    private func daemon() throws -> DaemonUnderTest {
        let daemon = try DaemonUnderTest()
        #expect(try daemon.replay(RecordingText.oximeter(seconds: 20_000)).isOK)
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
