import DaemonHarness
import Foundation
import Testing

@Suite struct WatchdogTests {
    /// A daemon whose service manager wants a word every 200 ms.
    private struct Watched {
        let manager: NotifySocket
        let process: ChildProcess

        init(
            in directory: ScratchDirectory, _ arguments: [String] = [],
            _ more: [String: String] = [:]
        ) throws {
            manager = try NotifySocket(in: directory)
            let watched = ["NOTIFY_SOCKET": manager.path, "WATCHDOG_USEC": "200000"]
            process = try DaemonUnderTest.process(
                in: directory, arguments, environment: watched.merging(more) { $1 })
            #expect(try manager.next(from: process) == "READY=1")
        }

        func assures(_ times: Int) throws {
            for _ in 0..<times { #expect(try manager.next(from: process) == "WATCHDOG=1") }
        }
    }

    @Test func itSaysThatItTurnsWhileNothingHappens() throws {
        try Watched(in: ScratchDirectory()).assures(3)
    }

    @Test func whatMayTakeLongIsAnnounced() throws {
        let directory = try ScratchDirectory()
        let watched = try Watched(in: directory)
        let client = try LineClient(path: directory.path("s"), keeping: watched.process)
        #expect(try client.request("checkpoint").isOK)
        var said: [String] = []
        while said.last != "WATCHDOG_USEC=200000" {
            said.append(try #require(try watched.manager.next(from: watched.process)))
        }
        #expect(
            said.filter { $0 != "WATCHDOG=1" } == [
                "WATCHDOG_USEC=3600000000", "WATCHDOG_USEC=200000",
            ])
    }

    @Test func itSaysNothingWhereNobodyWatches() throws {
        let daemon = try DaemonUnderTest()
        daemon.process.send(SIGTERM)
        #expect(try daemon.nextNotification() == "STOPPING=1")
    }

    @Test func anotherProcessIsNotWatched() throws {
        let watched = try Watched(in: ScratchDirectory(), [], ["WATCHDOG_PID": "1"])
        watched.process.send(SIGTERM)
        #expect(try watched.manager.next(from: watched.process) == "STOPPING=1")
    }

    @Test func aDeadBusIsNoReasonToEndIt() throws {
        let directory = try ScratchDirectory()
        let nowhere = "unix:path=\(directory.path("no-bus"))"
        try Watched(
            in: directory, ["--source", "bluez"], ["DBUS_SYSTEM_BUS_ADDRESS": nowhere]
        ).assures(3)
    }

    @Test(.enabled(if: DiskFullFileSystem.isPermitted, "this user may not mount a file system"))
    func aFullDiskIsNoReasonToEndIt() throws {
        let disk = try DiskFullFileSystem(kibibytes: 512)
        let watched = try Watched(in: disk.directory)
        let client = try LineClient(path: disk.directory.path("s"), keeping: watched.process)
        let reply = try client.replay(RecordingText.oximeter(seconds: 120_000))
        #expect(reply.end.hasPrefix("ERR 500 store-full"))
        try watched.assures(30)
    }
}
