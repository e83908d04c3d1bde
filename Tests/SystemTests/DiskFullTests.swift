import DaemonHarness
import Foundation
import Testing

@Suite(.enabled(if: DiskFullFileSystem.isPermitted, "this user may not mount a file system"))
struct DiskFullTests {
    private func fill(_ daemon: DaemonUnderTest) throws -> Int {
        let reply = try daemon.replay(RecordingText.oximeter(seconds: 120_000))
        #expect(reply.failure == "500 store-full")
        #expect(reply.text.contains("full"))
        let kept = try daemon.request("samples spo2")
        #expect(kept.isOK)
        return Int(kept["n"] ?? "") ?? -1
    }

    @Test func aFullDiskIsSaidAndQueriesGoOn() throws {
        let disk = try DiskFullFileSystem(kibibytes: 512)
        let daemon = try DaemonUnderTest(in: disk.directory)
        #expect(try daemon.replay(QueryData.recording).isOK)
        // Asked meanwhile: what is sealed soon makes room, and then all is well again.
        let path = daemon.socket
        let watch = FollowThreads()
        watch.begin {
            let client = try LineClient(path: path)
            try waitUntil {
                try !client.request("status").data.joined().contains(#""state":"ok""#)
            }
        }
        #expect((3..<120_000).contains(try fill(daemon)))
        try watch.finish()
        // What is sealed needs so little room that there is some again.
        try disk.occupy()
        let kept = try fill(daemon)
        #expect((3..<120_000).contains(kept))
        #expect(try daemon.request("latest temp").data.count == 1)
        #expect(try daemon.request("samples spo2")["n"] == "\(kept)")
    }

    @Test func afterRoomIsMadeItGoesOnWithoutARestart() throws {
        let disk = try DiskFullFileSystem(kibibytes: 512)
        let daemon = try DaemonUnderTest(in: disk.directory)
        let kept = try fill(daemon)
        try disk.remount("size=32m")
        let reply = try daemon.replay(RecordingText.oximeter(seconds: 120_000))
        #expect(reply.isOK)
        #expect(reply.count("duplicate") == kept)
        #expect(reply.count("stored") == 120_000 - kept)
        #expect(try daemon.request("samples spo2")["n"] == "120000")
        try waitUntil {
            try daemon.request("status").data.joined().contains(#""state":"ok""#)
        }
        daemon.crash()
        let next = try DaemonUnderTest(in: disk.directory)
        #expect(try next.request("samples spo2")["n"] == "120000")
    }

    @Test func aFollowerSeesOnlyWhatIsKept() throws {
        let disk = try DiskFullFileSystem(kibibytes: 512)
        let daemon = try DaemonUnderTest(in: disk.directory)
        let listener = FollowThreads()
        let seen = FollowLines()
        let epoch = try daemon.epoch
        let path = daemon.socket
        listener.begin {
            var follower = ResumingFollower(epoch: epoch)
            let client = try LineClient(path: path)
            try client.send(follower.request)
            while let line = try client.line() { try follower.take(line) }
            follower.disconnect()
            seen.put(follower.lines)
        }
        _ = try fill(daemon)
        try disk.remount("size=32m")
        #expect(try daemon.replay(RecordingText.oximeter(seconds: 120_000)).isOK)
        let right = try daemon.request("changes quality=all modality=all since=start").data
        daemon.crash()
        try listener.finish()
        #expect(seen.all == Array(right.prefix(seen.all.count)))
        #expect(seen.all.count > 2)
    }

    @Test func aFileSystemThatIsReadOnlyFromTheStartIsSaid() throws {
        let disk = try DiskFullFileSystem(kibibytes: 4096)
        let daemon = try DaemonUnderTest(in: disk.directory)
        #expect(try daemon.replay(QueryData.recording).isOK)
        try daemon.stop()
        try disk.remount("ro")
        let next = try DaemonUnderTest.process(in: disk.directory)
        #expect(try next.wait() == .exit(69))
        #expect(next.errors.contains("read-only") || next.errors.contains("Read-only"))
        try disk.remount("rw")
        let third = try DaemonUnderTest(in: disk.directory)
        #expect(try third.request("samples temp modality=all")["n"] == "4")
    }
}
