import Glibc

/// Standard output, which carries data only, written in large pieces.
struct StandardOutput {
    private var buffer: [UInt8] = []

    /// Output that holds nothing back yet.
    init() {}

    /// Appends octets, and hands what has gathered to the system when it is much.
    ///
    /// - Throws: A failure if standard output takes no more.
    mutating func write(_ octets: some Collection<UInt8>) throws(Failure) {
        buffer.append(contentsOf: octets)
        if buffer.count >= 65_536 { try flush() }
    }

    /// Appends a large piece of octets, which goes to the system as it is if nothing is before it.
    ///
    /// - Throws: A failure if standard output takes no more.
    mutating func write(piece octets: [UInt8]) throws(Failure) {
        guard buffer.isEmpty, octets.count >= 16_384 else { return try write(octets) }
        try Self.send(octets)
    }

    /// Appends a text.
    ///
    /// - Throws: A failure if standard output takes no more.
    mutating func write(_ text: String) throws(Failure) {
        try write(text.utf8)
    }

    /// Appends a line without its end.
    ///
    /// - Throws: A failure if standard output takes no more.
    mutating func writeLine(_ octets: some Collection<UInt8>) throws(Failure) {
        buffer.append(contentsOf: octets)
        try write(CollectionOfOne(UInt8(ascii: "\n")))
    }

    /// Hands everything to the system.
    ///
    /// - Throws: A failure if standard output takes no more; a silent one if nobody reads it.
    mutating func flush() throws(Failure) {
        defer { buffer.removeAll(keepingCapacity: true) }
        try Self.send(buffer)
    }

    private static func send(_ octets: [UInt8]) throws(Failure) {
        do throws(SystemError) {
            try writeOctets(octets, to: STDOUT_FILENO)
        } catch {
            throw failure(error)
        }
    }

    /// Why standard output takes no more; silent if nobody reads it.
    static func failure(_ error: SystemError) -> Failure {
        guard error.code != EPIPE else { return Failure("", exitCode: ExitCode.brokenPipe) }
        return Failure(
            "cannot write to standard output: \(error.text)", exitCode: ExitCode.inputOutput)
    }
}

/// Writes to standard error at once; where that fails there is nobody to tell.
func writeToStandardError(_ text: String) {
    do throws(SystemError) {
        try writeOctets(Array(text.utf8), to: STDERR_FILENO)
    } catch {}
}
