internal import CLinux
internal import Glibc

/// A call of the operating system that failed, in words and with its errno.
package struct SystemError: Error, Sendable, CustomStringConvertible {
    /// The errno, or 0 if the failure is not the system's.
    package let code: Int32
    /// What failed, and why.
    package let description: String

    /// The failure of what was just tried, with the reason that errno gives.
    init(_ what: String) {
        code = errno
        description = "\(what): \(String(cString: strerror(code)))"
    }

    /// A failure with its own reason.
    init(reason: String) {
        code = 0
        description = reason
    }
}

/// What a name in the file system stands for, by the bits of inode(7).
struct FileKind: Equatable {
    private let bits: mode_t

    /// The kind of the file with this status.
    init(_ status: stat) {
        self.init(bits: status.st_mode & 0o170_000)
    }

    private init(bits: mode_t) {
        self.bits = bits
    }

    static let socket = FileKind(bits: 0o140_000)
    static let directory = FileKind(bits: 0o040_000)
}

/// Files of a few lines.
enum SmallFile {
    /// A file as text without its last line end, cut behind `limit`; nil if it cannot be read.
    static func text(at path: String) -> String? {
        guard let octets = contents(at: path) else { return nil }
        let text = String(decoding: octets, as: UTF8.self)
        return text.hasSuffix("\n") ? String(text.dropLast()) : text
    }

    /// What a symbolic link points to; nil if it is none.
    static func linkTarget(of path: String) -> String? {
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = buffer.withUnsafeMutableBytes {
            $0.withMemoryRebound(to: CChar.self) {
                $0.baseAddress.map { start in readlink(path, start, 4096) } ?? -1
            }
        }
        return count > 0 ? String(decoding: buffer[..<count], as: UTF8.self) : nil
    }

    /// The octets of a file, of one longer than `limit` only more than those; nil if it cannot be read.
    static func contents(at path: String) -> [UInt8]? {
        let descriptor = clinux_open(path, O_RDONLY | O_CLOEXEC, 0)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var octets: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while octets.count <= limit {
            let count = read(descriptor, &buffer, buffer.count)
            guard count > 0 else { return count == 0 ? octets : nil }
            octets += buffer[..<count]
        }
        return octets
    }

    /// So many octets are enough: configuration and the files of /proc are far smaller.
    static let limit = 65_536
}

/// A thread that can be waited for.
struct JoinableThread {
    private let thread: pthread_t

    /// What the new thread runs, in a box that crosses the C interface.
    private final class Body: Sendable {
        private let name: String
        private let work: @Sendable () -> Void

        init(_ name: String, _ work: @escaping @Sendable () -> Void) {
            self.name = name
            self.work = work
        }

        func run() {
            _ = clinux_name_thread(name)
            work()
        }
    }

    /// Starts a thread; its name, of at most 15 octets, shows in ps and gdb.
    init(_ name: String, _ run: @escaping @Sendable () -> Void) throws(SystemError) {
        var thread = pthread_t()
        let body = Unmanaged.passRetained(Body(name, run))
        let code = pthread_create(
            &thread, nil,
            { argument in
                if let argument {
                    Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run()
                }
                return nil
            }, body.toOpaque())
        guard code == 0 else {
            body.release()
            throw SystemError(reason: "cannot start a thread: \(String(cString: strerror(code)))")
        }
        self.thread = thread
    }

    /// Waits for the thread's end.
    func join() {
        pthread_join(thread, nil)
    }
}
