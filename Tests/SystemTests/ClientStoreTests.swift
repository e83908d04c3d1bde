import DaemonHarness
import Foundation
import Testing

/// The commands of healthctl that change and copy what a daemon keeps.
@Suite struct ClientStoreTests {
    private func daemonWithData() throws -> DaemonUnderTest {
        let daemon = try DaemonUnderTest()
        try daemon.replay(QueryData.recording)
        return daemon
    }

    private func readings(_ daemon: DaemonUnderTest) throws -> [String] {
        try daemon.request("changes since=start quality=all modality=all").data
    }

    @Test func withoutATerminalNothingIsDeletedUnasked() throws {
        let daemon = try daemonWithData()
        let before = try readings(daemon)
        #expect(try daemon.healthctl(["delete", "spo2"]).wait() == .exit(2))
        let dry = try daemon.healthctl(["delete", "temp", "--dry-run"])
        #expect(dry.output.hasPrefix("would delete 3 readings with 3 samples"))
        #expect(try readings(daemon) == before)
    }

    @Test func whatIsDeletedIsGoneAndCounted() throws {
        let daemon = try daemonWithData()
        let delete = try daemon.healthctl(["delete", "--yes", "spo2", "--where", "value<90"])
        #expect(
            delete.output
                == "deleted 1 reading with 2 samples (oxygenSaturation 1, heartRate 1)\n")
        #expect(try daemon.request("samples spo2 where=value<90").data.isEmpty)
        let again = try daemon.healthctl(["delete", "--yes", "spo2", "--where", "value<90"])
        #expect(again.errors == "there is nothing to delete\n")
    }

    @Test func aDeviceIsAssignedToAPerson() throws {
        let daemon = try daemonWithData()
        let assign = try daemon.healthctl(["assign", QueryData.thermometer, "anna"])
        #expect(try assign.wait() == .exit(0), "\(assign.errors)")
        let subjects = try daemon.request("samples temp format=tsv").column("subject")
        #expect(Set(subjects) == ["anna"])
    }

    @Test(arguments: [
        ("explain 1.0", "octets"), ("explain 1.0 -o json", "\"class\":\"explain\""),
        ("access", "oxygenSaturation"), ("metrics", "stored"), ("metrics -o json", "\"seq\":9"),
    ])
    func theAnswerIsPrinted(_ command: String, _ part: String) throws {
        let client = try daemonWithData().healthctl(
            command.split(separator: " ").map(String.init))
        #expect(try client.wait() == .exit(0), "\(client.errors)")
        #expect(client.output.contains(part))
    }

    @Test func aCheckpointTellsWhatIsOnDisk() throws {
        let client = try daemonWithData().healthctl(["checkpoint"])
        #expect(client.errors == "everything up to seq 9 is on disk\n")
    }

    @Test func aBackupIsAWholeStore() throws {
        let daemon = try daemonWithData()
        let path = daemon.directory.path("copy.db")
        let backup = try daemon.healthctl(["backup", path])
        #expect(try backup.wait() == .exit(0), "\(backup.errors)")
        #expect(try daemon.directory.mode(of: "copy.db") == 0o600)
        #expect(!daemon.directory.holds("copy.db.new"))
        let check = try ChildProcess(["sqlite3", path, "PRAGMA integrity_check"])
        #expect(try check.wait() == .exit(0))
        #expect(check.output == "ok\n")
    }
}
