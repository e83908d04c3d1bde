import Foundation

/// A client of the line protocol that can also misbehave.
package final class LineClient {
    /// The line that the connection began with.
    package private(set) var greeting = ""
    private var descriptor: Int32
    private var received: [UInt8] = []
    private var start = 0
    /// Keeps the daemon alive for as long as somebody may ask it.
    private let server: AnyObject?

    /// Connects to a socket; with `greeted`, reads the greeting.
    package init(path: String, keeping server: AnyObject? = nil, greeted: Bool = true) throws {
        self.server = server
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw HarnessError.system("socket") }
        guard try withSocketAddress(path, { connect(descriptor, $0, $1) }) == 0 else {
            throw HarnessError.system("connect \(path)")
        }
        limitWaiting()
        if greeted { greeting = try line() ?? "" }
    }

    deinit { hangUp() }

    private func limitWaiting() {
        var limit = timeval(tv_sec: Int(patience), tv_usec: 0)
        let size = socklen_t(MemoryLayout<timeval>.size)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, size)
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, size)
    }

    /// Closes the connection at once.
    package func hangUp() {
        guard descriptor >= 0 else { return }
        close(descriptor)
        descriptor = -1
    }

    /// Says that no more requests come.
    package func endInput() {
        shutdown(descriptor, Int32(SHUT_WR))
    }

    /// Sends octets as they are.
    package func send(_ octets: some Collection<UInt8>) throws {
        var rest = Array(octets)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                Foundation.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { throw HarnessError.system("send") }
            rest = rest.dropFirst(count)
        }
    }

    /// Sends text as it is.
    package func send(_ text: String) throws {
        try send(text.utf8)
    }

    /// The next line without its LF; nil at the end.
    package func line() throws -> String? {
        while true {
            if let end = received[start...].firstIndex(of: UInt8(ascii: "\n")) {
                defer { start = end + 1 }
                return String(decoding: received[start..<end], as: UTF8.self)
            }
            received.removeFirst(start)
            start = 0
            guard try receive() else { return nil }
        }
    }

    /// Reads some octets; false at the end, also where the other side broke the connection.
    private func receive() throws -> Bool {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        if count < 0, errno == ECONNRESET { return false }
        guard count >= 0 else { throw HarnessError.system("recv") }
        received += buffer[..<count]
        return count > 0
    }
}

extension LineClient {
    /// The next reply: all lines up to its end.
    package func reply() throws -> LineReply {
        var lines: [String] = []
        while let line = try line() {
            if line.hasPrefix("O") || line.hasPrefix("E") {
                return LineReply(lines: lines, end: line)
            }
            lines.append(line)
        }
        throw HarnessError("the connection ended inside a reply, after \(lines)")
    }

    /// Sends one request line and reads its reply.
    package func request(_ line: String) throws -> LineReply {
        try send(line + "\n")
        return try reply()
    }

    /// Replays lines of a recording, and reads the reply.
    package func replay(_ recording: String, options: String = "") throws -> LineReply {
        try send("replay \(options)\n\(recording)\n.\n")
        return try reply()
    }

    /// Every line until the daemon ends the connection.
    package func linesToTheEnd() throws -> [String] {
        var lines: [String] = []
        while let line = try line() { lines.append(line) }
        return lines
    }
}
