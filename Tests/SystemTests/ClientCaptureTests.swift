import DaemonHarness
import Foundation
import Testing

/// `healthctl record --btsnoop`: a capture that gives the readings that came.
@Suite struct ClientCaptureTests {
    private static let tshark = "/usr/bin/tshark"
    private let columns = "samples spo2 hr temp quality=all modality=all format=tsv"

    /// Starts a capture, and waits until it has begun.
    private func record(_ daemon: DaemonUnderTest, _ path: String) throws -> ChildProcess {
        let record = try ChildProcess(
            [BuiltProgram.healthctl.path, "record", "--btsnoop", path],
            environment: ["HEALTHD_SOCKET": daemon.socket], in: daemon.directory)
        try waitUntil { FileManager.default.contents(atPath: path)?.count == 16 }
        return record
    }

    /// Lets the nine readings of the recording come, and waits until the capture has them.
    private func fill(_ daemon: DaemonUnderTest, _ path: String) throws {
        try daemon.replay(QueryData.recording)
        try waitUntil {
            let convert = try daemon.healthctl(["convert", path])
            _ = try convert.wait()
            return convert.output.components(separatedBy: "\"event\":\"notify\"").count == 10
        }
    }

    /// Replays a capture into a daemon of its own.
    private func copy(_ path: String) throws -> DaemonUnderTest {
        let daemon = try DaemonUnderTest()
        let replay = try daemon.healthctl(["replay", "--strict", path])
        #expect(try replay.wait() == .exit(0), "\(replay.errors)")
        #expect(replay.output.contains("9 readings: 9 stored"), "\(replay.output)")
        return daemon
    }

    @Test func aCaptureReplaysAsTheSameReadings() throws {
        let daemon = try DaemonUnderTest()
        let path = daemon.directory.path("all.btsnoop")
        let record = try record(daemon, path)
        try fill(daemon, path)
        record.send(SIGTERM)
        #expect(try record.wait() == .exit(0))
        #expect(record.errors == "\(path): 11 events\n")
        let copy = try copy(path)
        #expect(try copy.request(columns).rows == daemon.request(columns).rows)
    }

    @Test func aKilledCaptureHoldsWhatCame() throws {
        let daemon = try DaemonUnderTest()
        let path = daemon.directory.path("all.btsnoop")
        let record = try record(daemon, path)
        try fill(daemon, path)
        record.cut()
        _ = try copy(path)
    }

    @Test func aCaptureIsANewFileEachTime() throws {
        let daemon = try DaemonUnderTest()
        let path = daemon.directory.path("all.btsnoop")
        let record = try daemon.healthctl(["record", "--btsnoop", "--append", path])
        #expect(try record.wait() == .exit(2))
        #expect(record.errors.contains("leave out --append"))
        #expect(FileManager.default.contents(atPath: path) == nil)
    }

    @Test(
        .enabled(
            if: FileManager.default.isExecutableFile(atPath: tshark), "tshark is not installed"))
    func wiresharkKnowsWhatEachValueIs() throws {
        let daemon = try DaemonUnderTest()
        let path = daemon.directory.path("all.btsnoop")
        let record = try record(daemon, path)
        try fill(daemon, path)
        record.send(SIGTERM)
        #expect(try record.wait() == .exit(0))
        let values = try fields(of: path, "btatt.opcode==0x1b", in: daemon)
        #expect(values.count == 9)
        #expect(Set(values).isSubset(of: ["0x2a5f", "0x2a1c", "0x2a1e"]), "\(values)")
        #expect(try fields(of: path, "_ws.malformed", in: daemon) == [])
    }

    /// The characteristics of the packets that a filter of Wireshark chooses.
    private func fields(
        of path: String, _ filter: String, in daemon: DaemonUnderTest
    ) throws -> [String] {
        let tshark = try ChildProcess(
            [Self.tshark, "-r", path, "-Y", filter, "-T", "fields", "-e", "btatt.uuid16"],
            environment: [:], in: daemon.directory)
        #expect(try tshark.wait() == .exit(0))
        return tshark.output.split(separator: "\n").map(String.init)
    }
}
