import DaemonHarness
import Foundation
import Testing

/// `healthctl doctor` on a computer as it is, with a daemon and without one.
@Suite struct ClientDoctorTests {
    private func subjects(_ output: String) -> [Substring] {
        output.split(separator: "\n").filter { !$0.hasPrefix(" ") }
            .compactMap {
                $0.split(separator: " ", omittingEmptySubsequences: true).dropFirst().first
            }
    }

    @Test func withADaemonItLooksAtDaemonStoreAndHost() throws {
        let daemon = try DaemonUnderTest()
        let doctor = try daemon.healthctl(["doctor"])
        let seen = subjects(doctor.output)
        for subject in ["daemon", "socket", "access", "configuration", "store", "disk", "clock"] {
            #expect(seen.contains(Substring(subject)), "\(doctor.output)")
        }
        #expect(doctor.output.hasPrefix("ok    daemon         healthd/"))
        let fails = doctor.output.split(separator: "\n").contains { $0.hasPrefix("fail") }
        #expect(try doctor.wait() == .exit(fails ? 1 : 0))
    }

    @Test func withoutADaemonItFailsAndSaysWhatToDo() throws {
        let directory = try ScratchDirectory()
        let doctor = try ChildProcess([
            BuiltProgram.healthctl.path, "doctor", "-o", "json", "--socket", directory.path("s"),
        ])
        #expect(try doctor.wait() == .exit(1))
        let first = try #require(doctor.output.split(separator: "\n").first)
        #expect(first.hasPrefix(#"{"class":"check","check":"daemon","level":"fail","#))
        #expect(first.contains("is healthd running?"))
        #expect(!doctor.output.contains(#""check":"store""#))
    }

    @Test func theBundleHoldsEverythingButNamesAndReadings() throws {
        let daemon = try DaemonUnderTest()
        try daemon.replay(RecordingText.oximeter(seconds: 3))
        let device = try #require(try daemon.request("devices").data.first)
        let address = try #require(text("device", in: device))
        #expect(try daemon.request("assign device=\(address) subject=Annabella").isOK)
        let path = daemon.directory.path("report.txt")
        let doctor = try daemon.healthctl(["doctor", "--bundle", path])
        #expect(doctor.errors.contains("without names"))
        let report = try String(contentsOfFile: path, encoding: .utf8)
        for heading in ["versions", "doctor", "status", "devices", "why", "metrics", "gaps", "log"]
        {
            #expect(report.contains("\n== \(heading)") || report.hasPrefix("== \(heading)"))
        }
        #expect(!report.contains(address) && !report.contains("Annabella"))
        #expect(report.contains("\(address.prefix(8)):xx:xx:"))
        #expect(!report.contains("\"value\""))
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]
        #expect(mode as? Int == 0o600)
    }
}
