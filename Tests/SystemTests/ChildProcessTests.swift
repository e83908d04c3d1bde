import DaemonHarness
import Foundation
import Testing

@Suite struct ChildProcessTests {
    @Test func aDaemonHasNothingOpenOfItsTester() throws {
        let opened = (0..<40).map { _ in open("/dev/null", O_RDONLY) }
        defer { for descriptor in opened { close(descriptor) } }
        let daemon = try DaemonUnderTest()
        let descriptors = "/proc/\(daemon.process.pid)/fd"
        let targets = try FileManager.default.contentsOfDirectory(atPath: descriptors).map {
            try FileManager.default.destinationOfSymbolicLink(atPath: "\(descriptors)/\($0)")
        }
        // Its own standard input is the only one.
        #expect(targets.count { $0 == "/dev/null" } == 1)
    }
}
