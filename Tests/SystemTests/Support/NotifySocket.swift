import Foundation

/// The service manager's side of sd_notify(3): a datagram socket that takes `READY=1` in.
package final class NotifySocket {
    /// Where the daemon is to send to.
    package let path: String
    private let descriptor: Int32

    /// Binds a socket in a directory.
    package init(in directory: ScratchDirectory) throws {
        path = directory.path("notify")
        unlink(path)
        descriptor = socket(
            AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw HarnessError.system("socket") }
        guard try withSocketAddress(path, { bind(descriptor, $0, $1) }) == 0 else {
            throw HarnessError.system("bind \(path)")
        }
    }

    deinit { close(descriptor) }

    /// The next message; nil if a process ends without one.
    ///
    /// - Throws: An error if neither happens for longer than patience lasts.
    package func next(from process: ChildProcess) throws -> String? {
        var pollers = [
            pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: process.endOfLife, events: Int16(POLLIN), revents: 0),
        ]
        guard poll(&pollers, 2, Int32(patience * 1000)) > 0 else {
            throw HarnessError("no message came; the daemon says: \(process.errors)")
        }
        guard pollers[0].revents != 0 else { return nil }
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        guard count >= 0 else { throw HarnessError.system("recv") }
        return String(decoding: buffer[..<count], as: UTF8.self)
    }
}

/// Calls `body` with the address of a socket in the file system.
func withSocketAddress<Result>(
    _ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) throws -> Result
) throws -> Result {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let capacity = MemoryLayout.size(ofValue: address.sun_path)
    guard path.utf8.count < capacity else { throw HarnessError("\(path) is too long") }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    return try withUnsafePointer(to: &address) { pointer in
        try pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            try body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
        }
    }
}
