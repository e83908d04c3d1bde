import CLinux
import Glibc

/// A file that takes its name only once it is whole and on disk.
///
/// Until then it is called `<name>.new`; without `commit` it vanishes with this value.
struct FreshFile: ~Copyable {
    private let path: String
    private let descriptor: Descriptor
    private var isCommitted = false

    /// Makes the file, which only its owner may read.
    ///
    /// - Throws: A failure with the reason of the system.
    init(replacing path: String) throws(Failure) {
        let temporary = path + ".new"
        unlink(temporary)
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
        let descriptor = Descriptor(owning: clinux_open(temporary, flags, 0o600))
        guard descriptor.number >= 0 else { throw Self.failure(temporary, SystemError()) }
        self.path = path
        self.descriptor = descriptor
    }

    deinit {
        if !isCommitted { unlink(path + ".new") }
    }

    /// Writes octets behind those before.
    ///
    /// - Throws: A failure with the reason of the system.
    func write(_ octets: [UInt8]) throws(Failure) {
        do throws(SystemError) {
            try writeOctets(octets, to: descriptor.number)
        } catch {
            throw Self.failure(path, error)
        }
    }

    /// Brings it to disk and gives it its name, in the place of a file that had it.
    ///
    /// - Throws: A failure with the reason of the system.
    mutating func commit() throws(Failure) {
        guard fsync(descriptor.number) == 0, rename(path + ".new", path) == 0 else {
            throw Self.failure(path, SystemError())
        }
        isCommitted = true
        let folder = Descriptor(owning: clinux_open(Self.folder(path), O_RDONLY | O_CLOEXEC, 0))
        if folder.number >= 0 { fsync(folder.number) }
    }

    private static func folder(_ path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    private static func failure(_ path: String, _ error: SystemError) -> Failure {
        Failure("cannot write \(path): \(error.text)", exitCode: ExitCode.inputOutput)
    }
}
