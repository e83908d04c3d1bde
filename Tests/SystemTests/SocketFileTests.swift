import DaemonHarness
import Foundation
import Testing

@Suite struct SocketFileTests {
    @Test func itIsForOwnerAndGroup() throws {
        let daemon = try DaemonUnderTest()
        #expect(try daemon.directory.mode(of: "s") == 0o660)
        #expect(try daemon.directory.names(in: ".") == ["notify", "s", "state"])
    }

    @Test func itGoesWhenTheDaemonEnds() throws {
        let daemon = try DaemonUnderTest()
        try daemon.stop()
        #expect(!daemon.directory.holds("s"))
    }

    @Test func aDeadOneIsReplaced() throws {
        let daemon = try DaemonUnderTest()
        daemon.crash()
        #expect(daemon.directory.holds("s"))
        let next = try DaemonUnderTest(in: daemon.directory)
        #expect(try next.request("ping").end == "OK")
    }

    @Test func aLivingOneIsNotReplaced() throws {
        let daemon = try DaemonUnderTest()
        let second = try ChildProcess([
            BuiltProgram.healthd.path, "--state-dir", daemon.directory.path("state2"),
            "--socket", daemon.socket,
        ])
        #expect(try second.wait() == .exit(69))
        #expect(second.errors.contains("a daemon answers at \(daemon.socket) already"))
        #expect(try daemon.request("ping").end == "OK")
        #expect(try daemon.directory.names(in: ".") == ["notify", "s", "state", "state2"])
    }

    @Test func anotherFileInItsPlaceIsLeftAlone() throws {
        let directory = try ScratchDirectory()
        try directory.write("precious", to: "s")
        let process = try DaemonUnderTest.process(in: directory)
        #expect(try process.wait() == .exit(69))
        #expect(process.errors.contains("\(directory.path("s")) exists and is no socket"))
        #expect(try String(contentsOfFile: directory.path("s"), encoding: .utf8) == "precious")
    }

    @Test func aLinkInItsPlaceIsLeftAlone() throws {
        let directory = try ScratchDirectory()
        try directory.write("precious", to: "file")
        symlink("file", directory.path("s"))
        let process = try DaemonUnderTest.process(in: directory)
        #expect(try process.wait() == .exit(69))
        #expect(try String(contentsOfFile: directory.path("file"), encoding: .utf8) == "precious")
        #expect(try directory.names(in: ".") == ["file", "s", "state"])
    }

    @Test(arguments: [103, 104, 108, 300])
    func aPathIsAsLongAsAnAddressHolds(length: Int) throws {
        let directory = try ScratchDirectory()
        let name = String(repeating: "n", count: length - directory.path("").utf8.count)
        let process = try DaemonUnderTest.process(
            in: directory, ["--socket", directory.path(name)])
        if length <= 107 {
            try waitUntil { directory.holds(name) }
            process.send(SIGTERM)
            #expect(try process.wait() == .exit(0))
        } else {
            #expect(try process.wait() == .exit(69))
            #expect(
                process.errors.contains(
                    "the socket's path must have 1 to 107 octets, not \(length)"))
        }
        #expect(!directory.holds(name))
    }

    @Test func aMissingDirectoryIsAnError() throws {
        let directory = try ScratchDirectory()
        let path = directory.path("missing/s")
        let process = try DaemonUnderTest.process(in: directory, ["--socket", path])
        #expect(try process.wait() == .exit(69))
        #expect(process.errors.contains("No such file or directory"))
    }
}
