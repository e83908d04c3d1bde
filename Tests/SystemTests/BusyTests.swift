import DaemonHarness
import Foundation
import Testing

/// Another program has the store open, which nobody should do and somebody will.
@Suite struct BusyTests {
    /// Holds the store with an SQL statement until it is let go.
    private final class Intruder {
        private let process: ChildProcess
        private let pipe: Int32

        init(_ daemon: DaemonUnderTest, _ statements: [String]) throws {
            let directory = try ScratchDirectory()
            let pipe = directory.path("pipe")
            guard mkfifo(pipe, 0o600) == 0 else { throw HarnessError.system("mkfifo") }
            self.pipe = open(pipe, O_RDWR | O_CLOEXEC)
            let program = """
                import sqlite3, sys
                store = sqlite3.connect(sys.argv[1], isolation_level=None)
                for statement in sys.argv[2:]: store.execute(statement).fetchall()
                open(sys.argv[1] + ".held", "w").close()
                sys.stdin.readline()
                """
            let path = daemon.directory.path("state/healthd.db")
            process = try ChildProcess(
                ["python3", "-c", program, path] + statements, input: pipe, in: directory)
            try waitUntil { daemon.directory.holds("state/healthd.db.held") }
        }

        func letGo() throws {
            write(pipe, "\n", 1)
            try process.wait()
        }

        deinit { close(pipe) }
    }

    @Test func whileAnotherWritesItIsSaidAndQueriesGoOn() throws {
        let daemon = try DaemonUnderTest()
        #expect(try daemon.replay(RecordingText.oximeter(seconds: 5)).isOK)
        let intruder = try Intruder(
            daemon, ["BEGIN IMMEDIATE", "UPDATE meta SET value = value WHERE key = 'synced'"])
        let reply = try daemon.replay(RecordingText.oximeter(seconds: 10))
        #expect(reply.failure == "409 busy")
        #expect(try daemon.request("samples spo2")["n"] == "5")
        #expect(try daemon.request("latest").data.count == 2)
        try intruder.letGo()
        let next = try daemon.replay(RecordingText.oximeter(seconds: 10))
        #expect(next.isOK)
        #expect(next.count("stored") == 5)
        #expect(try daemon.request("samples spo2")["n"] == "10")
    }

    @Test func aReaderOutsideHoldsNothingUp() throws {
        let daemon = try DaemonUnderTest()
        #expect(try daemon.replay(RecordingText.oximeter(seconds: 5)).isOK)
        let intruder = try Intruder(daemon, ["BEGIN", "SELECT count(*) FROM reading"])
        #expect(try daemon.replay(RecordingText.oximeter(seconds: 50)).isOK)
        #expect(try daemon.request("delete 3").isOK)
        #expect(try daemon.request("checkpoint").isOK)
        #expect(try daemon.request("samples spo2")["n"] == "49")
        try intruder.letGo()
        #expect(try daemon.request("checkpoint").isOK)
        let log = try FileManager.default.attributesOfItem(
            atPath: daemon.directory.path("state/healthd.db-wal"))
        #expect(log[.size] as? Int == 0)
    }
}
