import Foundation

/// A healthd that was built with the tests, with a store and a socket of its own.
package final class DaemonUnderTest {
    /// What it keeps its state and its socket in.
    package let directory: ScratchDirectory
    /// Its process.
    package let process: ChildProcess
    /// Where its socket is.
    package var socket: String { directory.path("s") }
    private let manager: NotifySocket

    /// Starts it, and waits until it says that it is ready.
    ///
    /// - Parameters:
    ///   - directory: A directory that an earlier one has left.
    ///   - zone: The zone of sensors' clocks.
    ///   - bus: The address of the bus with bluetoothd; nil to read no sensors.
    ///   - arguments: More arguments.
    /// - Throws: An error with what it said, if it does not become ready.
    package init(
        in directory: ScratchDirectory? = nil, zone: String = "UTC", bus: String? = nil,
        arguments: [String] = []
    ) throws {
        let directory = try directory ?? ScratchDirectory()
        self.directory = directory
        manager = try NotifySocket(in: directory)
        var environment = ["TZ": zone, "NOTIFY_SOCKET": manager.path]
        environment["DBUS_SYSTEM_BUS_ADDRESS"] = bus
        process = try Self.process(
            in: directory, (bus == nil ? [] : ["--source", "bluez"]) + arguments,
            environment: environment)
        guard try manager.next(from: process) == "READY=1" else {
            throw HarnessError("healthd does not become ready: \(process.errors)")
        }
    }

    /// Starts a healthd in a directory without waiting for anything.
    package static func process(
        in directory: ScratchDirectory, _ arguments: [String] = [],
        environment: [String: String] = ["TZ": "UTC"]
    ) throws -> ChildProcess {
        let places = ["--state-dir", directory.path("state"), "--socket", directory.path("s")]
        return try ChildProcess(
            [BuiltProgram.healthd.path, "--source", "none"] + places + arguments,
            environment: environment, in: directory)
    }

    deinit { process.cut() }

    /// A new connection.
    package func connect() throws -> LineClient {
        try LineClient(path: socket, keeping: self)
    }

    /// The reply to one request on a connection of its own.
    package func request(_ line: String) throws -> LineReply {
        try connect().request(line)
    }

    /// Replays lines of a recording on a connection of its own.
    @discardableResult
    package func replay(_ recording: String, options: String = "") throws -> LineReply {
        try connect().replay(recording, options: options)
    }

    /// Tells it to end, and waits until it has.
    @discardableResult
    package func stop() throws -> ChildProcess.End {
        process.send(SIGTERM)
        return try process.wait()
    }

    /// Ends it at once, without a chance to save anything.
    package func crash() {
        process.cut()
    }

    /// The next message to the service manager; nil if it ends without one.
    package func nextNotification() throws -> String? {
        try manager.next(from: process)
    }

    /// Runs healthctl against it in a folder, and waits for its end.
    package func healthctl(
        _ arguments: [String], zone: String = "UTC", folder: String = "/"
    ) throws -> ChildProcess {
        let client = try ChildProcess(
            ["env", "--chdir", folder, BuiltProgram.healthctl.path] + arguments,
            environment: ["TZ": zone, "HEALTHD_SOCKET": socket])
        try client.wait()
        return client
    }
}

extension DaemonUnderTest {
    /// How many descriptors it has open beside those of its store, which each of the threads that
    /// answer opens when it is first asked, for good; a sanitizer has pipes to its symbolizer.
    package var openDescriptors: Int {
        get throws {
            let all = "/proc/\(process.pid)/fd"
            return try FileManager.default.contentsOfDirectory(atPath: all).count {
                let target = try? FileManager.default.destinationOfSymbolicLink(
                    atPath: "\(all)/\($0)")
                guard let target, !isSanitized || !target.hasPrefix("pipe:") else { return false }
                return !target.contains("/healthd.db")
            }
        }
    }

    /// The memory that it holds, in KiB.
    ///
    /// Nothing under a sanitizer, which keeps what was freed and what threads did: it is not the daemon
    /// that grows.
    package var residentMemory: Int {
        get throws {
            guard !isSanitized else { return 0 }
            let status = try String(contentsOfFile: "/proc/\(process.pid)/status", encoding: .utf8)
            let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
            let digits = line?.filter(\.isNumber) ?? ""
            guard let size = Int(digits) else { throw HarnessError("no VmRSS in \(status)") }
            return size
        }
    }
}
