import CLinux
import ControlProtocol
import Glibc

/// A connection to the daemon, with requests going out and lines coming in.
struct Connection: ~Copyable {
    private let socket: Descriptor
    private var lines = LineBuffer()
    /// What the last line of the reply told, once it has come.
    private(set) var details: [String: String]?
    /// What the greeting told: the epoch and the anchor of the store, among others.
    private(set) var greeting: [String: String] = [:]

    /// How long the daemon may take for its first line.
    private static let patience = 10

    /// Connects to the socket of this path and reads the greeting.
    ///
    /// - Throws: A failure that says why it cannot be reached and what to do.
    static func opened(_ path: String) throws(Failure) -> Connection {
        var connection = Connection(socket: try connectedSocket(path, patience: patience))
        try connection.greet(path)
        setPatience(of: connection.number, seconds: 0)
        return connection
    }

    private init(socket: consuming Descriptor) {
        self.socket = socket
    }

    /// The descriptor, to wait for.
    var number: Int32 { socket.number }

    private mutating func greet(_ path: String) throws(Failure) {
        let line = try nextOctets().map { String(decoding: $0, as: UTF8.self) } ?? ""
        if case .failure(let code, _, let text)? = ReplyEnd(line) {
            throw Failure(text, exitCode: ProtocolError.exitCode(forReply: code))
        }
        guard line.hasPrefix("HEALTHD 1.") else {
            throw Failure(
                "\(path) does not answer as healthd does", exitCode: ExitCode.unavailable)
        }
        guard case .ok(let details)? = ReplyEnd("OK \(line.dropFirst("HEALTHD 1.0 ".count))") else {
            return
        }
        greeting = details
    }

    /// Sends a request.
    ///
    /// - Throws: A failure if the daemon is gone.
    mutating func send(_ request: Request) throws(Failure) {
        details = nil
        var rest = Array("\(request.line)\n".utf8)[...]
        while !rest.isEmpty { rest = rest.dropFirst(try send(rest, waiting: true)) }
    }

    /// Sends as much of the octets as the daemon takes.
    ///
    /// - Returns: How many it took.
    /// - Throws: A failure if the daemon is gone.
    func send(_ octets: ArraySlice<UInt8>, waiting: Bool) throws(Failure) -> Int {
        let flags = Int32(MSG_NOSIGNAL) | (waiting ? 0 : Int32(MSG_DONTWAIT))
        let count = octets.withUnsafeBytes {
            Glibc.send(socket.number, $0.baseAddress, $0.count, flags)
        }
        if count >= 0 { return count }
        guard errno == EAGAIN || errno == EINTR else { throw Unreachable.hangUp }
        return 0
    }

    /// The next line of the reply, waiting for it; nil at the end of a reply that succeeded.
    ///
    /// - Throws: The daemon's own failure, or that it is gone.
    mutating func nextLine() throws(Failure) -> ReplyLine? {
        guard details == nil else { return nil }
        guard let octets = try nextOctets() else { throw Unreachable.hangUp }
        return try taken(octets)
    }

    /// The next line of the reply that has arrived already; nil at the end or if none has.
    ///
    /// - Throws: The daemon's own failure.
    mutating func arrivedLine() throws(Failure) -> ReplyLine? {
        guard details == nil, let line = lines.next() else { return nil }
        return try taken(line.octets)
    }

    /// Takes in what has arrived.
    ///
    /// - Throws: A failure if the daemon is gone.
    mutating func receive() throws(Failure) {
        guard try receiveOctets() else { throw Unreachable.hangUp }
    }

    private mutating func taken(_ octets: ArraySlice<UInt8>) throws(Failure) -> ReplyLine? {
        let line = ReplyLine(octets)
        guard case .end(let end) = line else { return line }
        switch end {
        case .ok(let details):
            self.details = details
            return nil
        case .failure(let code, _, let text):
            throw Failure(text, exitCode: ProtocolError.exitCode(forReply: code))
        }
    }

    private mutating func nextOctets() throws(Failure) -> ArraySlice<UInt8>? {
        while true {
            if let line = lines.next() { return line.octets }
            guard try receiveOctets() else { return nil }
        }
    }

    /// False if the daemon has closed the connection.
    private mutating func receiveOctets() throws(Failure) -> Bool {
        do throws(SystemError) {
            let octets = try readOctets(from: socket.number)
            lines.append(octets)
            return !octets.isEmpty
        } catch {
            throw error.code == EAGAIN ? Unreachable.silence(Self.patience) : Unreachable.hangUp
        }
    }
}

/// A line of a reply, told by its first octet.
enum ReplyLine {
    /// A header, heartbeat or remark.
    case remark(ArraySlice<UInt8>)
    /// A JSON object.
    case object(ArraySlice<UInt8>)
    /// A row of a table.
    case row(ArraySlice<UInt8>)
    /// The end of the reply.
    case end(ReplyEnd)

    /// Any line of a reply; one of an unknown kind is a remark.
    init(_ line: ArraySlice<UInt8>) {
        let line = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
        switch line.first ?? UInt8(ascii: "#") {
        case UInt8(ascii: "{"): self = .object(line)
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"): self = .row(line)
        case UInt8(ascii: "O"), UInt8(ascii: "E"):
            self = ReplyEnd(String(decoding: line, as: UTF8.self)).map(Self.end) ?? .remark(line)
        default: self = .remark(line)
        }
    }
}

/// A socket that is connected, with a limit on how long it waits.
private func connectedSocket(_ path: String, patience: Int) throws(Failure) -> Descriptor {
    let descriptor = Descriptor(
        owning: socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0))
    guard descriptor.number >= 0 else { throw Unreachable.failure(path: path, SystemError()) }
    setPatience(of: descriptor.number, seconds: patience)
    guard var address = socketAddress(path) else {
        throw Unreachable.failure(path: path, SystemError(ENAMETOOLONG))
    }
    let result = withUnsafePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            connect(descriptor.number, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
        }
    }
    guard result == 0 else { throw Unreachable.failure(path: path, SystemError()) }
    return descriptor
}

private func setPatience(of socket: Int32, seconds: Int) {
    var time = timeval(tv_sec: seconds, tv_usec: 0)
    let size = socklen_t(MemoryLayout<timeval>.size)
    setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &time, size)
    setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &time, size)
}

/// Nil if the path has no room in an address.
private func socketAddress(_ path: String) -> sockaddr_un? {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let octets = Array(path.utf8)
    return withUnsafeMutableBytes(of: &address.sun_path) { place -> Bool in
        guard octets.count < place.count else { return false }
        place.copyBytes(from: octets)
        return true
    } ? address : nil
}
