import DaemonHarness
import Foundation
import Testing

@Suite struct StoreFileTests {
    @Test func aDamagedStoreIsSetAsideAndANewOneBegun() throws {
        let daemon = try DaemonUnderTest()
        try daemon.replay(QueryData.recording)
        let epoch = Greeting(try daemon.connect().greeting).epoch
        try daemon.stop()
        let noise = String(repeating: "noise ", count: 5000)
        try daemon.directory.write(noise, to: "state/healthd.db")
        let next = try DaemonUnderTest(in: daemon.directory)
        #expect(try next.request("samples spo2").end == "OK n=0 more=0")
        #expect(Greeting(try next.connect().greeting).epoch != epoch)
        #expect(next.process.errors.contains("the store is damaged"))
        let aside = try next.directory.names(in: "state")
            .filter { $0.hasPrefix("healthd.db.damaged-") }
        #expect(aside.count == 1)
        let kept = try String(
            contentsOfFile: next.directory.path("state/\(aside[0])"), encoding: .utf8)
        #expect(kept == noise)
        #expect(try next.replay(QueryData.recording).count("stored") == 9)
    }

    @Test func aStoreOfALaterVersionIsRefusedUntouched() throws {
        let daemon = try DaemonUnderTest()
        try daemon.replay(QueryData.recording)
        try daemon.stop()
        let path = daemon.directory.path("state/healthd.db")
        let file = try #require(FileHandle(forUpdatingAtPath: path))
        try file.seek(toOffset: 60)  // user_version in the header of an SQLite file
        try file.write(contentsOf: [0, 0, 3, 0xE7])
        try file.close()
        let before = try Data(contentsOf: URL(fileURLWithPath: path))
        let process = try DaemonUnderTest.process(in: daemon.directory)
        #expect(try process.wait() == .exit(69))
        #expect(process.errors.contains("version"))
        #expect(process.errors.contains("999"))
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
    }

    @Test func damagedPagesFailOnlyWhatNeedsThem() throws {
        let daemon = try DaemonUnderTest()
        try daemon.replay(RecordingText.oximeter(seconds: 2000, characteristic: "2a5e"))
        try daemon.stop()
        let path = daemon.directory.path("state/healthd.db")
        let file = try #require(FileHandle(forUpdatingAtPath: path))
        let size = try file.seekToEnd()
        let beginning: UInt64 = 60 * 1024  // behind the schema and the small tables
        try #require(size > beginning)
        try file.seek(toOffset: beginning)
        try file.write(contentsOf: [UInt8](repeating: 0xA5, count: Int(size - beginning)))
        try file.close()
        let next = try DaemonUnderTest(in: daemon.directory)
        #expect(try next.request("samples spo2 where=value<0").failure == "500 store-damaged")
        #expect(try next.request("types")["n"] == "7")
        #expect(try next.request("ping").end == "OK")
        #expect(try next.stop() == .exit(0))
    }

    @Test func aReplayThatACrashCutIsCompletedByAnother() throws {
        let daemon = try DaemonUnderTest()
        let client = try daemon.connect()
        try client.send("replay\n" + RecordingText.oximeter(seconds: 300) + "\n")
        #expect(try client.line() == "# send")
        daemon.crash()
        let next = try DaemonUnderTest(in: daemon.directory)
        let kept = try #require(try next.request("samples spo2")["n"].flatMap { Int($0) })
        let reply = try next.replay(RecordingText.oximeter(seconds: 300))
        #expect(reply.count("duplicate") == kept)
        #expect(reply.count("stored") == 300 - kept)
        #expect(try next.request("samples spo2")["n"] == "300")
    }
}
