import Foundation

/// A program that runs beside the tests, with its output in files; it does not outlive this object.
package final class ChildProcess {
    /// How a process ended.
    package enum End: Equatable {
        /// By itself, with this code.
        case exit(Int32)
        /// By this signal.
        case signal(Int32)
    }

    /// Its number.
    package let pid: Int32
    /// Ends (reads as at its end) when the process does: nothing writes to it.
    package let endOfLife: Int32
    private let files: ScratchDirectory
    private let directory: ScratchDirectory?
    private var end: End?

    /// A PATH, and what the sanitizers of a build with them are told.
    private static let inherited = ProcessInfo.processInfo.environment
        .filter { ["TSAN_OPTIONS", "ASAN_OPTIONS"].contains($0.key) }
        .merging(["PATH": "/usr/sbin:/usr/bin:/sbin:/bin"]) { $1 }

    /// Starts a program.
    ///
    /// - Parameters:
    ///   - words: The path of the program and its arguments.
    ///   - environment: All of its environment, beside a PATH.
    ///   - input: A file for its standard input.
    ///   - directory: What it works in; stays until it has ended.
    /// - Throws: An error if it cannot be started.
    package init(
        _ words: [String], environment: [String: String] = [:], input: String = "/dev/null",
        in directory: ScratchDirectory? = nil
    ) throws {
        self.directory = directory
        files = try ScratchDirectory()
        var pair: [Int32] = [-1, -1]
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &pair) == 0 else {
            throw HarnessError.system("socketpair")
        }
        defer { close(pair[1]) }
        endOfLife = pair[0]
        let variables = Self.inherited.merging(environment) { $1 }
        pid = try spawn(
            words, variables.map { "\($0)=\($1)" },
            Descriptors(
                input: input, output: files.path("out"), error: files.path("err"),
                kept: pair[1]))
    }

    deinit {
        cut()
        close(endOfLife)
    }

    /// Ends it at once, if it has not ended.
    package func cut() {
        guard end == nil else { return }
        kill(pid, SIGKILL)
        waitpid(pid, nil, 0)
        end = .signal(SIGKILL)
    }

    /// What it has written to standard output.
    package var output: String { text("out") }
    /// What it has written to standard error.
    package var errors: String { text("err") }

    private func text(_ name: String) -> String {
        let data = FileManager.default.contents(atPath: files.path(name)) ?? Data()
        return String(decoding: data, as: UTF8.self)
    }

    /// Sends it a signal.
    package func send(_ signal: Int32) {
        kill(pid, signal)
    }

    /// Waits for its end.
    ///
    /// - Throws: An error if it goes on for longer than patience lasts.
    @discardableResult
    package func wait() throws -> End {
        if let end { return end }
        guard try isReadable(endOfLife, within: patience) else {
            throw HarnessError("process \(pid) does not end; it says: \(errors)")
        }
        var status: Int32 = 0
        guard waitpid(pid, &status, 0) == pid else { throw HarnessError.system("waitpid") }
        let signal = status & 0x7F
        let end = signal == 0 ? End.exit((status >> 8) & 0xFF) : End.signal(signal)
        self.end = end
        return end
    }
}

/// Waits until a descriptor can be read, at most some seconds.
package func isReadable(_ descriptor: Int32, within seconds: Double) throws -> Bool {
    var poller = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    let count = poll(&poller, 1, Int32(seconds * 1000))
    guard count >= 0 else { throw HarnessError.system("poll") }
    return count > 0
}

/// What a child has open.
private struct Descriptors {
    let input: String
    let output: String
    let error: String
    /// Open in the child as descriptor 3 for as long as it lives.
    let kept: Int32
}

private func spawn(
    _ words: [String], _ environment: [String], _ descriptors: Descriptors
) throws -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, descriptors.input, O_RDONLY, 0)
    let create = O_WRONLY | O_CREAT | O_APPEND
    posix_spawn_file_actions_addopen(&actions, 1, descriptors.output, create, 0o600)
    posix_spawn_file_actions_addopen(&actions, 2, descriptors.error, create, 0o600)
    posix_spawn_file_actions_adddup2(&actions, descriptors.kept, 3)
    // What others of this process have open without O_CLOEXEC would count as the child's.
    for descriptor in try openDescriptors() where descriptor > 3 {
        posix_spawn_file_actions_addclose(&actions, descriptor)
    }

    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // The threads that tests run on block signals, and children would inherit that.
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))

    var pid: pid_t = 0
    let code = withCStrings(words) { pointers in
        withCStrings(environment) { environment in
            posix_spawnp(&pid, words[0], &actions, &attributes, pointers, environment)
        }
    }
    guard code == 0 else { throw HarnessError("\(words): \(String(cString: strerror(code)))") }
    return pid
}

private func openDescriptors() throws -> [Int32] {
    try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap { Int32($0) }
}

private func withCStrings<Result>(
    _ texts: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
) -> Result {
    let copies = texts.map { strdup($0) }
    defer { copies.forEach { free($0) } }
    return body(copies + [nil])
}
