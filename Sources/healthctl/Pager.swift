import Glibc

/// A program that shows standard output page by page: `$HEALTHCTL_PAGER`, `$PAGER`, or less.
///
/// From its start on standard output is a pipe to it; it is waited for at the end. What fits on the screen
/// less prints as if it were not there.
struct Pager: ~Copyable {
    private let process: pid_t

    /// Starts one, unless there is none or none is wanted.
    init?() {
        guard let command = Self.command else { return nil }
        // The pipe hides the terminal from whoever asks for its width later.
        setenv("COLUMNS", "\(Environment.width)", 1)
        setenv("LESS", "FRSX", 0)
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return nil }
        _ = fcntl(ends[1], F_SETFD, FD_CLOEXEC)
        defer { ends.forEach { close($0) } }
        guard let process = Self.spawn(command, input: ends[0]) else { return nil }
        self.process = process
        dup2(ends[1], STDOUT_FILENO)
        // Ctrl-C is for the pager, which goes on; where it ends, writing fails.
        signal(SIGINT, SIG_IGN)
        signal(SIGPIPE, SIG_IGN)
    }

    /// Tells it that nothing more comes, and waits until the person has read it.
    consuming func finish() {
        close(STDOUT_FILENO)
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
    }

    /// What is to be run by the shell; nil where output goes out as it is.
    private static var command: String? {
        guard Environment.isTerminal(STDOUT_FILENO), Environment.isTerminal(STDIN_FILENO),
            Environment.variable("TERM") != "dumb"
        else { return nil }
        // A variable that is set and empty means that none is wanted.
        for name in ["HEALTHCTL_PAGER", "PAGER"] {
            guard let value = getenv(name).map({ String(cString: $0) }) else { continue }
            return value.isEmpty || value == "cat" ? nil : value
        }
        return access("/usr/bin/less", X_OK) == 0 ? "/usr/bin/less" : nil
    }

    private static func spawn(_ command: String, input: Int32) -> pid_t? {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
        posix_spawn_file_actions_addclose(&actions, input)
        let words = ["/bin/sh", "-c", command]
        var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        defer { arguments.forEach { free($0) } }
        var process: pid_t = 0
        return posix_spawn(&process, words[0], &actions, nil, &arguments, environ) == 0
            ? process : nil
    }
}

extension CommandVerb {
    /// Whether what it prints is read from beginning to end, and ends.
    var isPaged: Bool {
        switch self {
        case .samples, .stats, .series, .report, .plot, .latest, .changes, .explain, .types,
            .devices, .sources, .status, .why, .gaps, .access, .metrics, .help:
            true
        case .watch, .top, .doctor, .pair, .forget, .setClock, .replay, .import, .export, .convert,
            .record, .assign, .delete, .reprocess, .backup, .checkpoint, .simulate, .decode,
            .completion:
            false
        }
    }
}
