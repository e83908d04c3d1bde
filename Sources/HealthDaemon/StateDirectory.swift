internal import CLinux
internal import Glibc

/// The directory that holds the store, and the lock that keeps a second daemon out of it.
struct StateDirectory: ~Copyable {
    /// Where it is.
    let path: String
    private let lock: Int32

    /// The store's file.
    var storePath: String { path + "/healthd.db" }

    /// Makes the directory where it is missing, and takes its lock.
    ///
    /// The lock is a file of its own: SQLite's locks would vanish if healthd.db itself were opened
    /// and closed beside it.
    init(_ path: String) throws(SystemError) {
        try Self.make(path)
        let file = path + "/lock"
        let descriptor = clinux_open(file, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw SystemError("cannot open \(file)") }
        guard clinux_lock(descriptor) == 0 else {
            close(descriptor)
            let holder = SmallFile.text(at: file) ?? ""
            let name = holder.isEmpty ? "another process" : "healthd with pid \(holder)"
            throw SystemError(
                reason: "\(path) is in use: \(name) holds \(file); "
                    + "stop it, or give this one another --state-dir")
        }
        Self.note(descriptor)
        self.path = path
        lock = descriptor
    }

    deinit { close(lock) }

    private static func make(_ path: String) throws(SystemError) {
        if mkdir(path, 0o700) == 0 { return }
        guard errno == EEXIST else {
            throw SystemError("cannot make the state directory \(path)")
        }
        var status = stat()
        guard stat(path, &status) == 0, FileKind(status) == .directory else {
            throw SystemError(reason: "\(path) is not a directory")
        }
        if status.st_mode & 0o077 != 0 {
            Log.write(
                .warning,
                "other users may look into \(path): chmod 700 \(path) keeps the readings private")
        }
    }

    private static func note(_ descriptor: Int32) {
        var text = Array("\(getpid())\n".utf8)
        _ = ftruncate(descriptor, 0)
        _ = write(descriptor, &text, text.count)
    }
}
