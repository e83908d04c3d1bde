import Glibc

/// Standard output of a command that goes on, which a signal ends also while nobody reads.
struct LiveOutput {
    private var buffer: [UInt8] = []

    /// A pipe that can be written to takes so much without making the writer wait.
    private static let piece = 4096

    /// Output that holds nothing back yet.
    init() {}

    /// Appends octets.
    mutating func write(_ octets: some Sequence<UInt8>) {
        buffer.append(contentsOf: octets)
    }

    /// Hands everything to the system.
    ///
    /// - Parameter interruption: The descriptor of the signals that end the waiting.
    /// - Returns: Whether everything was taken; what was not is gone.
    /// - Throws: A failure if standard output takes no more; a silent one if nobody reads it.
    mutating func flush(until interruption: Int32) throws(Failure) -> Bool {
        defer { buffer.removeAll(keepingCapacity: true) }
        var rest = buffer[...]
        while !rest.isEmpty {
            guard Self.isReady(or: interruption) else { return false }
            rest = rest.dropFirst(try Self.write(rest.prefix(Self.piece)))
        }
        return true
    }

    private static func isReady(or interruption: Int32) -> Bool {
        var entries = [
            pollfd(fd: STDOUT_FILENO, events: Int16(POLLOUT), revents: 0),
            pollfd(fd: interruption, events: Int16(POLLIN), revents: 0),
        ]
        while poll(&entries, 2, -1) < 0, errno == EINTR {}
        return entries[0].revents != 0
    }

    private static func write(_ octets: ArraySlice<UInt8>) throws(Failure) -> Int {
        let count = octets.withUnsafeBytes { Glibc.write(STDOUT_FILENO, $0.baseAddress, $0.count) }
        if count >= 0 { return count }
        let error = SystemError()
        guard error.code != EAGAIN, error.code != EINTR else { return 0 }
        throw StandardOutput.failure(error)
    }
}
