import DaemonHarness
import Foundation
import Testing

@Suite struct StateDirectoryTests {
    @Test func aMissingDirectoryIsMadeForItsOwnerOnly() throws {
        let daemon = try DaemonUnderTest()
        try daemon.replay(QueryData.recording)
        #expect(try daemon.directory.mode(of: "state") == 0o700)
        for name in try daemon.directory.names(in: "state") {
            #expect(try daemon.directory.mode(of: "state/\(name)") == 0o600, "\(name)")
        }
        #expect(try daemon.directory.names(in: "state").contains("healthd.db"))
    }

    @Test func aDirectoryThatOthersMaySeeIsUsedWithAWarning() throws {
        let directory = try ScratchDirectory()
        mkdir(directory.path("state"), 0o755)
        chmod(directory.path("state"), 0o755)
        let daemon = try DaemonUnderTest(in: directory)
        try daemon.stop()
        #expect(
            daemon.process.errors.contains("chmod 700 \(directory.path("state")) keeps"))
        #expect(try directory.mode(of: "state") == 0o755)
        #expect(try directory.mode(of: "state/healthd.db") == 0o600)
    }

    @Test func aDirectoryOfOnesOwnGivesNoWarning() throws {
        let daemon = try DaemonUnderTest()
        try daemon.stop()
        #expect(!daemon.process.errors.contains("chmod"))
    }

    @Test func aMissingParentIsAnError() throws {
        let directory = try ScratchDirectory()
        let process = try ChildProcess([
            BuiltProgram.healthd.path, "--state-dir", directory.path("a/b"),
            "--socket", directory.path("s"),
        ])
        #expect(try process.wait() == .exit(69))
        #expect(process.errors.contains("cannot make the state directory \(directory.path("a/b"))"))
        #expect(process.errors.contains("No such file or directory"))
        #expect(!directory.holds("s"))
    }

    @Test func aFileInItsPlaceIsAnError() throws {
        let directory = try ScratchDirectory()
        try directory.write("mine", to: "state")
        let process = try DaemonUnderTest.process(in: directory)
        #expect(try process.wait() == .exit(69))
        #expect(process.errors.contains("is not a directory"))
        #expect(try String(contentsOfFile: directory.path("state"), encoding: .utf8) == "mine")
    }

    @Test func aSecondDaemonNamesTheHolderAndLeavesItAlone() throws {
        let daemon = try DaemonUnderTest()
        let second = try ChildProcess([
            BuiltProgram.healthd.path, "--state-dir", daemon.directory.path("state"),
            "--socket", daemon.directory.path("other"),
        ])
        #expect(try second.wait() == .exit(69))
        #expect(second.errors.contains("healthd with pid \(daemon.process.pid) holds"))
        #expect(!daemon.directory.holds("other"))
        #expect(try daemon.request("ping").end == "OK")
    }

    @Test func theLockOfADaemonThatWasKilledIsFree() throws {
        let daemon = try DaemonUnderTest()
        daemon.crash()
        #expect(try DaemonUnderTest(in: daemon.directory).request("ping").end == "OK")
    }
}
