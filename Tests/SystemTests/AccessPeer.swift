import DaemonHarness
import Foundation

/// A client that runs as another user, by way of setpriv and nc.
final class AccessPeer {
    /// The user that nobody is.
    static let nobody: UInt32 = 65534
    /// Whether this user may become another one.
    static let isPermitted = geteuid() == 0

    /// Stays for as long as somebody may ask it.
    private let daemon: DaemonUnderTest
    private let process: ChildProcess
    private let pipe: Int32
    private var taken = 0

    /// Connects as a user who is in some groups; the group 0 may open the socket.
    init(_ daemon: DaemonUnderTest, uid: UInt32 = nobody, groups: [UInt32] = [0]) throws {
        self.daemon = daemon
        chmod(daemon.directory.path, 0o711)
        let directory = try ScratchDirectory()
        let path = directory.path("pipe")
        guard mkfifo(path, 0o600) == 0 else { throw HarnessError.system("mkfifo") }
        pipe = open(path, O_RDWR | O_CLOEXEC)
        let list = groups.map(String.init).joined(separator: ",")
        process = try ChildProcess(
            [
                "setpriv", "--reuid", "\(uid)", "--regid", "\(uid)", "--groups", list,
                "nc", "-U", daemon.socket,
            ], input: path, in: directory)
    }

    deinit {
        process.cut()
        close(pipe)
    }

    /// The next line.
    func line() throws -> String {
        try waitUntil { complete.count > taken }
        taken += 1
        return complete[taken - 1]
    }

    private var complete: [String] {
        process.output.split(separator: "\n", omittingEmptySubsequences: false)
            .dropLast().map(String.init)
    }

    /// Sends text.
    func send(_ text: String) {
        _ = Array(text.utf8).withUnsafeBytes { write(pipe, $0.baseAddress, $0.count) }
    }

    /// Sends one request line and reads its reply.
    func request(_ text: String) throws -> LineReply {
        send(text + "\n")
        var lines: [String] = []
        while true {
            let line = try line()
            if line.hasPrefix("HEALTHD ") { continue }
            if line.hasPrefix("O") || line.hasPrefix("E") {
                return LineReply(lines: lines, end: line)
            }
            lines.append(line)
        }
    }
}
