import DaemonHarness
import Foundation
import Testing

/// The unit that is installed, as far as it can be judged without running it.
@Suite struct UnitFileTests {
    private static let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../systemd/healthd.service").standardizedFileURL.path
    private static let judge = "/usr/bin/systemd-analyze"

    private var lines: [String] {
        let octets = FileManager.default.contents(atPath: Self.path) ?? Data()
        return String(decoding: octets, as: UTF8.self).components(separatedBy: "\n")
    }

    @Test(
        .enabled(
            if: FileManager.default.isExecutableFile(atPath: judge), "systemd is not installed"))
    func theSandboxIsClosed() throws {
        // The exposure is at most 0.8 of 10; the option has it without the point.
        let analysis = try ChildProcess(
            [Self.judge, "security", "--offline=yes", "--threshold=8", Self.path])
        #expect(try analysis.wait() == .exit(0), "\(analysis.output)")
    }

    @Test func bluetoothdIsWantedAndNotRequired() {
        #expect(lines.contains("Wants=bluetooth.service"))
        #expect(lines.contains { $0.hasPrefix("After=bluetooth.service") })
        #expect(!lines.contains { $0.hasPrefix("Requires=") || $0.hasPrefix("BindsTo=") })
    }

    @Test func clientsCanBeToldApart() {
        // In a user namespace every client would have the number 65534.
        #expect(lines.contains("PrivateUsers=no"))
    }

    @Test func onlyProgramsOfItsUserReachTheStore() {
        #expect(lines.contains("StateDirectoryMode=0700") && lines.contains("UMask=0077"))
    }

    @Test func theLimitsAreThere() {
        for key in ["WatchdogSec", "MemoryMax", "TasksMax", "TimeoutStopSec", "StartLimitBurst"] {
            #expect(lines.contains { $0.hasPrefix("\(key)=") }, "\(key)")
        }
    }
}
