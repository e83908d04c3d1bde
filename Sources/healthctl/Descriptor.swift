import CLinux
import Glibc

/// A file or socket that this process has open, closed with this value.
struct Descriptor: ~Copyable {
    /// Its number.
    let number: Int32

    /// Takes over a descriptor that is open.
    init(owning number: Int32) {
        self.number = number
    }

    /// Opens a file for reading.
    ///
    /// - Throws: The error of the system.
    init(reading path: String) throws(SystemError) {
        number = clinux_open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY, 0)
        guard number >= 0 else { throw SystemError() }
    }

    deinit {
        if number > STDERR_FILENO { close(number) }
    }
}

/// An error of the system, by its number.
struct SystemError: Error, Equatable {
    /// The number, as in errno.
    let code: Int32

    /// The error with this number, or the one that happened last.
    init(_ code: Int32 = errno) {
        self.code = code
    }

    /// What the system says about it.
    var text: String { String(cString: strerror(code)) }
}

/// Reads at most `count` octets; none at the end of the input.
///
/// - Throws: The error of the system; an interruption is tried again.
func readOctets(
    from descriptor: Int32, atMost count: Int = 65_536
) throws(SystemError) -> [UInt8] {
    var code: Int32 = 0
    let octets = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
        var result = read(descriptor, buffer.baseAddress, count)
        while result < 0, errno == EINTR { result = read(descriptor, buffer.baseAddress, count) }
        code = result < 0 ? errno : 0
        filled = max(result, 0)
    }
    guard code == 0 else { throw SystemError(code) }
    return octets
}

/// Writes all of the octets, waiting for as long as it takes.
///
/// - Throws: The error of the system; an interruption is tried again.
func writeOctets(_ octets: [UInt8], to descriptor: Int32) throws(SystemError) {
    var rest = octets[...]
    while !rest.isEmpty {
        let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
        if count >= 0 {
            rest = rest.dropFirst(count)
        } else if errno == EAGAIN {
            wait(for: descriptor, Int16(POLLOUT))
        } else if errno != EINTR {
            throw SystemError()
        }
    }
}

private func wait(for descriptor: Int32, _ events: Int16) {
    var entry = pollfd(fd: descriptor, events: events, revents: 0)
    poll(&entry, 1, -1)
}
