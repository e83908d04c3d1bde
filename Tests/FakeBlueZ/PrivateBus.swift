import DaemonHarness
import Foundation

/// A dbus-daemon of its own, whose address is the system bus of a daemon under test.
package final class PrivateBus {
    /// What clients connect to; it stays the same when the bus is restarted.
    package var address: String { "unix:path=\(path)" }
    /// The path of its socket.
    package var path: String { directory.path("bus") }
    private let directory: ScratchDirectory
    private var process: ChildProcess

    /// Starts a bus that lets everybody do everything.
    ///
    /// - Parameters:
    ///   - policy: Rules that come after the permissive ones, such as `<deny …/>`.
    ///   - limits: Limits of the bus by their names.
    /// - Throws: An error if it cannot be started.
    package init(policy: String = "", limits: [String: Int] = [:]) throws {
        directory = try ScratchDirectory()
        try directory.write(
            Self.configuration(directory.path("bus"), policy, limits), to: "bus.conf")
        process = try Self.process(in: directory)
    }

    /// Ends the bus at once: everybody's connection is gone.
    package func kill() {
        process.cut()
    }

    /// Starts it anew after `kill`, with nobody on it.
    package func start() throws {
        process = try Self.process(in: directory)
    }

    /// Lets it neither read nor write until `thaw`.
    package func freeze() {
        process.send(SIGSTOP)
    }

    /// Lets it go on.
    package func thaw() {
        process.send(SIGCONT)
    }

    private static func process(in directory: ScratchDirectory) throws -> ChildProcess {
        let process = try ChildProcess([
            "dbus-daemon", "--nofork", "--nopidfile", "--nosyslog", "--print-address",
            "--config-file=\(directory.path("bus.conf"))",
        ])
        try waitUntil { process.output.contains("\n") }
        return process
    }

    private static func configuration(
        _ path: String, _ policy: String, _ limits: [String: Int]
    ) -> String {
        """
        <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
          "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
        <busconfig>
          <listen>unix:path=\(path)</listen>
          <auth>EXTERNAL</auth>
          <policy context="default">
            <allow send_destination="*" eavesdrop="true"/>
            <allow receive_sender="*" eavesdrop="true"/>
            <allow own="*"/>
            <allow user="*"/>
          </policy>
          <policy context="mandatory">\(policy)</policy>
          \(limits.map { "<limit name=\"\($0)\">\($1)</limit>" }.joined(separator: "\n  "))
        </busconfig>
        """
    }
}
