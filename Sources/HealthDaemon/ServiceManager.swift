internal import Glibc

/// Tells the service manager how the daemon fares (sd_notify(3)): datagrams to $NOTIFY_SOCKET.
enum ServiceManager {
    /// Sends an assignment such as `READY=1`; does nothing without a service manager.
    static func notify(_ state: String) {
        guard let path = getenv("NOTIFY_SOCKET").map({ String(cString: $0) }), !path.isEmpty,
            var address = UnixAddress(path)
        else { return }
        let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        var octets = Array(state.utf8)
        let count = octets.count
        _ = address.withPointer { pointer, length in
            sendto(descriptor, &octets, count, Int32(MSG_NOSIGNAL), pointer, length)
        }
    }
}

extension ServiceManager {
    /// After how many ms without `WATCHDOG=1` this process is ended; nil if it is not watched.
    static var watchdogTimeout: Int64? {
        guard let timeout = number("WATCHDOG_USEC"), timeout > 0,
            number("WATCHDOG_PID").map({ $0 == Int64(getpid()) }) ?? true
        else { return nil }
        return timeout / 1000
    }

    /// Says that something begins or ends during which a loop may not turn for long.
    ///
    /// A large store is put in order for many minutes on a small computer, and to be killed in the middle
    /// of it would make it begin again. An hour is the limit.
    static func announceLongWork(_ isRunning: Bool) {
        guard let timeout = watchdogTimeout else { return }
        notify("WATCHDOG_USEC=\((isRunning ? 3_600_000 : timeout) * 1000)")
    }

    private static func number(_ name: String) -> Int64? {
        getenv(name).flatMap { Int64(String(cString: $0)) }
    }
}

/// The address of a socket in the file system, or of an abstract one where it begins with `@`.
struct UnixAddress {
    private var address = sockaddr_un()
    private let length: socklen_t

    /// The longest path that an address holds, in octets.
    static let longestPath = 107

    /// The address of a path; nil if it is empty or too long.
    init?(_ path: String) {
        let octets = Array(path.utf8)
        guard (1...Self.longestPath).contains(octets.count) else { return nil }
        let isAbstract = octets[0] == UInt8(ascii: "@")
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { target in
            target.copyBytes(from: octets)
            if isAbstract { target[0] = 0 }
        }
        let header = MemoryLayout<sockaddr_un>.size - MemoryLayout.size(ofValue: address.sun_path)
        length = socklen_t(header + octets.count + (isAbstract ? 0 : 1))
    }

    /// Calls `body` with the address as the socket functions take it.
    mutating func withPointer<Result>(
        _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
    ) -> Result {
        let length = length
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, length) }
        }
    }
}
