internal import Glibc

/// The socket that clients connect to; its name appears when it answers and goes when it ends.
final class SocketFile: Sendable {
    /// What to poll and accept on.
    let descriptor: Int32
    private let path: String
    private let inode: ino_t

    /// Connections that may wait to be accepted: more than all that are ever served.
    private static let backlog: Int32 = 256

    /// Listens at `path`, replacing a dead socket there but not a living one.
    ///
    /// It is bound under another name, made to listen, and renamed: whoever finds the name is answered.
    init(_ path: String) throws(SystemError) {
        if let fault = Self.fault(of: path) { throw SystemError(reason: fault) }
        try Self.refuseOccupied(path)
        let temporary = Self.temporary(path)
        unlink(temporary)
        let descriptor = try Self.bound(to: temporary)
        var status = stat()
        guard chmod(temporary, 0o660) == 0, listen(descriptor, Self.backlog) == 0,
            stat(temporary, &status) == 0, rename(temporary, path) == 0
        else {
            let error = SystemError("cannot listen at \(path)")
            unlink(temporary)
            close(descriptor)
            throw error
        }
        self.descriptor = descriptor
        self.path = path
        inode = status.st_ino
    }

    /// Takes the name away, unless somebody else has it now.
    deinit {
        var status = stat()
        if stat(path, &status) == 0, status.st_ino == inode { unlink(path) }
        close(descriptor)
    }

    /// What is wrong with a path, for a person; nil if a socket can have it.
    static func fault(of path: String) -> String? {
        guard UnixAddress(path) == nil else { return nil }
        return "the socket's path must have 1 to \(UnixAddress.longestPath) octets, not "
            + "\(path.utf8.count): \(path)"
    }

    /// The name that a socket has until it answers: one of the same length, since there is not always
    /// room for a longer one.
    private static func temporary(_ path: String) -> String {
        path.dropLast() + (path.hasSuffix("~") ? "#" : "~")
    }

    private static func refuseOccupied(_ path: String) throws(SystemError) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return }
        guard FileKind(status) == .socket else {
            throw SystemError(reason: "\(path) exists and is no socket; give another --socket")
        }
        guard var address = UnixAddress(path) else { return }
        let kind = Int32(
            SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        let probe = socket(AF_UNIX, kind, 0)
        defer { close(probe) }
        // Only a refusal says that nobody is there; a busy daemon does not accept at once.
        guard
            address.withPointer({ connect(probe, $0, $1) }) == 0
                || (errno != ECONNREFUSED && errno != ENOENT)
        else { return }
        throw SystemError(
            reason: "a daemon answers at \(path) already; stop it, or give another --socket")
    }

    private static func bound(to path: String) throws(SystemError) -> Int32 {
        guard var address = UnixAddress(path) else {
            preconditionFailure("the path was checked")
        }
        let descriptor = socket(
            AF_UNIX,
            Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
        guard descriptor >= 0 else { throw SystemError("cannot make a socket") }
        guard address.withPointer({ bind(descriptor, $0, $1) }) == 0 else {
            let error = SystemError("cannot make the socket \(path)")
            close(descriptor)
            throw error
        }
        return descriptor
    }
}
