import Glibc

/// What a program that was run has said.
struct ProgramOutput {
    /// Its exit code; -1 if it was ended by a signal or took too long.
    let code: Int32
    /// What it wrote to standard output and standard error, at most `limit` octets.
    let text: String

    /// A megabyte: a log of many days has less.
    private static let limit = 1 << 20
    /// What is asked answers at once, or is in such a state that nobody waits for it, in ms.
    private static let patience = 5000

    /// Runs a program without input, and waits for its end.
    ///
    /// - Returns: nil if there is no such program.
    init?(_ words: [String]) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return nil }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        let reading = Descriptor(owning: ends[0])
        let pid = spawn(words, output: ends[1])
        close(ends[1])
        guard let pid else { return nil }
        let octets = Self.read(reading.number)
        if octets == nil { kill(pid, SIGKILL) }
        var status: Int32 = 0
        while waitpid(pid, &status, 0) < 0, errno == EINTR {}
        code = octets != nil && status & 0x7F == 0 ? status >> 8 & 0xFF : -1
        text = String(decoding: octets ?? [], as: UTF8.self)
    }

    /// All that comes until the end; nil if that takes too long.
    private static func read(_ descriptor: Int32) -> [UInt8]? {
        let end = Environment.milliseconds + patience
        var octets: [UInt8] = []
        while true {
            var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            let rest = end - Environment.milliseconds
            guard rest > 0, poll(&entry, 1, Int32(rest)) > 0 else { return nil }
            guard let piece = try? readOctets(from: descriptor), !piece.isEmpty else {
                return octets
            }
            octets += piece.prefix(limit - octets.count)
        }
    }
}

/// Starts a program; nil if there is none of this name.
private func spawn(_ words: [String], output: Int32) -> pid_t? {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
    posix_spawn_file_actions_adddup2(&actions, output, STDERR_FILENO)
    var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
    defer { arguments.forEach { free($0) } }
    var pid: pid_t = 0
    let code = posix_spawnp(&pid, words[0], &actions, nil, &arguments, environ)
    return code == 0 ? pid : nil
}
