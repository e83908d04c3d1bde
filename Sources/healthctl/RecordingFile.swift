import CLinux
import Glibc

/// A recording that grows: a new file, one that is there already, or standard output.
struct RecordingFile: ~Copyable {
    /// What it is called in messages.
    let name: String
    /// Whether it is standard output.
    let isOutput: Bool
    /// Whether it holds a recording already.
    let isContinued: Bool
    private let descriptor: Descriptor
    private var unsynced: Bool

    /// Opens the file of this path, or standard output for `-`.
    ///
    /// A line that was cut at the end of a file is ended.
    ///
    /// - Parameters:
    ///   - path: The path.
    ///   - appends: Whether a file may be there already.
    /// - Throws: A failure if it cannot be opened, or is there against the rule.
    init(_ path: String, appends: Bool) throws(Failure) {
        let isOutput = path == "-"
        let descriptor = isOutput ? Descriptor(owning: STDOUT_FILENO) : Self.opened(path, appends)
        guard descriptor.number >= 0 else { throw Self.failure(path, SystemError()) }
        let last = isOutput ? nil : lastOctet(descriptor.number)
        if let last, last != UInt8(ascii: "\n") {
            try Self.write([UInt8(ascii: "\n")], to: descriptor, path)
        }
        name = isOutput ? "standard output" : path
        self.isOutput = isOutput
        isContinued = last != nil
        unsynced = false
        self.descriptor = descriptor
    }

    private static func opened(_ path: String, _ appends: Bool) -> Descriptor {
        let flags = O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NOCTTY | (appends ? 0 : O_EXCL)
        return Descriptor(owning: clinux_open(path, flags, 0o600))
    }

    /// Writes octets behind those before.
    ///
    /// - Throws: A failure with the reason of the system; a silent one if nobody reads a pipe.
    mutating func write(_ octets: [UInt8]) throws(Failure) {
        guard !octets.isEmpty else { return }
        unsynced = !isOutput
        try Self.write(octets, to: descriptor, name)
    }

    private static func write(
        _ octets: [UInt8], to descriptor: borrowing Descriptor, _ name: String
    ) throws(Failure) {
        do throws(SystemError) {
            try writeOctets(octets, to: descriptor.number)
        } catch {
            guard descriptor.number != STDOUT_FILENO else { throw StandardOutput.failure(error) }
            throw failure(name, error)
        }
    }

    /// Brings what was written to disk.
    ///
    /// - Throws: A failure with the reason of the system.
    mutating func synchronize() throws(Failure) {
        guard unsynced else { return }
        let result = fdatasync(descriptor.number)
        guard result == 0 || errno == EINVAL || errno == EROFS else {  // a pipe has no disk
            throw Self.failure(name, SystemError())
        }
        unsynced = false
    }

    private static func failure(_ path: String, _ error: SystemError) -> Failure {
        guard error.code != EEXIST else {
            return Failure(
                "\(path) is there already; --append goes on in it if it is a recording",
                exitCode: ExitCode.cannotCreate)
        }
        return Failure("cannot write \(path): \(error.text)", exitCode: ExitCode.inputOutput)
    }
}

/// Nil if there is none.
private func lastOctet(_ descriptor: Int32) -> UInt8? {
    var octet: UInt8 = 0
    let size = lseek(descriptor, 0, SEEK_END)
    return size > 0 && pread(descriptor, &octet, 1, size - 1) == 1 ? octet : nil
}
