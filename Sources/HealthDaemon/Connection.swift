internal import ControlProtocol
internal import Glibc

/// The number of a connection, never used twice in one run of the daemon.
typealias ConnectionID = Int

/// One client: its descriptor, what it sent and was not read yet, and what it has not taken yet.
///
/// Only the serving thread touches it.
final class Connection {
    /// What a connection is doing.
    enum State {
        /// Waiting for a request.
        case idle
        /// Waiting for the collector to say how the sensors fare, at most until a deadline.
        case inquiring(any RadioAnswer, until: MonotonicTime)
        /// Waiting for the writer to make visible what there is, at most until a deadline.
        case waiting(any Answer, until: MonotonicTime)
        /// A worker makes the next part of an answer.
        case answering
        /// The next part waits until the client has taken the last ones.
        case paused(any Answer)
        /// The answer goes on when there is something new, or a request comes.
        case following(any WaitingAnswer, heartbeat: MonotonicTime)
        /// The answer goes on when the writer has done its part.
        case writing(any WritingAnswer)
        /// An operator does something with a sensor.
        case operating(Conversation)
        /// A recording comes in.
        case replaying(ReplayProgress)
        /// Nothing more is read; what is left is sent and the connection closed.
        case closing
    }

    /// The most octets that wait to be taken: half of it is the longest part of an answer.
    static let outputLimit = 262_144
    /// The most octets that wait to be read: requests ahead of the one being answered.
    static let inputLimit = 65_536
    /// How long a line may stand half sent.
    static let lineTimeout: Int64 = 60_000
    /// How long a reply may take to begin: socat gives up after 0.5 s.
    static let firstOctetTimeout: Int64 = 250

    let id: ConnectionID
    let descriptor: Int32
    /// Who is at the other end.
    let peer: Peer
    var state = State.idle
    /// The tag of the request that is being answered.
    var tag: String?
    var input = InputBuffer()
    private(set) var output = OutputBuffer()
    /// Whether the client has said that it sends no more.
    private(set) var isInputEnded = false
    /// Whether the client is gone.
    private(set) var isGone = false
    /// The verb of the request that is being answered.
    var verb: String?
    /// Records of the feed that were told in the present reply.
    var records = 0
    /// Why a follow ends as soon as the worker that has it is back.
    var followEnd: ProtocolError?
    /// When the client is told next that it still follows.
    var nextHeartbeat: MonotonicTime?
    /// When the reply must have begun.
    var firstOctetDeadline: MonotonicTime?
    /// Whether the rest of a line that was too long is being thrown away.
    fileprivate var isDiscarding = false
    /// When the half-sent line is given up.
    var lineDeadline: MonotonicTime?

    init(_ id: ConnectionID, descriptor: Int32, peer: Peer) {
        self.id = id
        self.descriptor = descriptor
        self.peer = peer
    }

    deinit { close(descriptor) }

    /// What poll is to wait for; nothing at all for a client that is gone, which would wake it for ever.
    var poller: pollfd {
        var events: Int16 = 0
        if wantsInput { events |= Int16(POLLIN) }
        if !output.isEmpty { events |= Int16(POLLOUT) }
        let isSilent = isGone && events == 0
        return pollfd(fd: isSilent ? Int32(-1) : descriptor, events: events, revents: 0)
    }

    /// Whether there is room for more input, and use for it.
    private var wantsInput: Bool {
        guard !isInputEnded else { return false }
        switch state {
        case .closing: return false
        case .replaying(let progress): return progress.wantsInput && !output.isLarge
        case .idle, .inquiring, .waiting, .answering, .paused, .following, .writing, .operating:
            return input.count < Self.inputLimit
        }
    }

    /// Whether there is nothing left to do for it.
    var isFinished: Bool {
        if isGone { return !isReplaying }
        switch state {
        case .closing: return output.isEmpty
        case .idle: return isInputEnded && output.isEmpty && input.isEmpty
        case .inquiring, .waiting, .answering, .paused, .following, .writing, .operating,
            .replaying:
            return false
        }
    }

    /// Whether a reply has begun and not ended.
    var isBusy: Bool {
        switch state {
        case .idle, .closing: false
        case .inquiring, .waiting, .answering, .paused, .following, .writing, .operating,
            .replaying:
            true
        }
    }

    /// Whether a recording comes in.
    var isReplaying: Bool {
        if case .replaying = state { true } else { false }
    }

    /// Reads what is there, at most as much as a recording may have in work.
    func receive(into buffer: inout [UInt8]) {
        let count = read(descriptor, &buffer, buffer.count)
        if count > 0 {
            input.append(buffer[..<count])
        } else if count == 0 {
            isInputEnded = true
        } else if errno != EAGAIN && errno != EINTR {
            isInputEnded = true
            hangUp()
        }
    }

    /// Puts text behind what waits to be taken.
    func send(_ text: some Collection<UInt8>) {
        guard !isGone, !text.isEmpty else { return }
        firstOctetDeadline = nil
        output.append(text)
    }

    /// Puts a line behind what waits to be taken.
    func send(line: String) {
        send(Array("\(line)\n".utf8))
    }

    /// Sends what the client can take now.
    func flush() {
        while !output.isEmpty, !isGone {
            let count = output.send(to: descriptor)
            if count > 0 { continue }
            if errno != EAGAIN && errno != EINTR { hangUp() }
            return
        }
    }

    /// Notes that the client is gone; what it sent of a recording is still read.
    func hangUp() {
        isGone = true
        isInputEnded = isInputEnded || !isReplaying
        output.clear()
    }

    /// What the loop must not sleep past.
    var deadlines: [MonotonicTime] {
        var deadlines = [firstOctetDeadline, lineDeadline].compactMap { $0 }
        if case .inquiring(_, let until) = state { deadlines.append(until) }
        if case .waiting(_, let until) = state { deadlines.append(until) }
        if case .following(_, let heartbeat) = state { deadlines.append(heartbeat) }
        if case .operating(let conversation) = state { deadlines.append(conversation.heartbeat) }
        return deadlines
    }
}

extension Connection {
    /// What stands at the beginning of the input.
    enum NextLine {
        /// No whole line yet.
        case none
        /// A line without its LF.
        case line(ArraySlice<UInt8>)
        /// A line of more than `Request.longestLine` octets, told once.
        case tooLong
    }

    /// Takes the next request line; a last one needs no LF.
    func nextLine() -> NextLine {
        while let line = takeLine() {
            defer { isDiscarding = false }
            if isDiscarding { continue }
            return line.count > Request.longestLine ? .tooLong : .line(line)
        }
        lineDeadline = input.isEmpty ? nil : lineDeadline ?? .now.advanced(by: Self.lineTimeout)
        guard input.count > Request.longestLine else { return .none }
        input.clear()
        defer { isDiscarding = true }
        return isDiscarding ? .none : .tooLong
    }

    /// Whether the next request can begin: it is there, and the client takes what it asked for.
    var canStartRequest: Bool {
        guard case .idle = state, !isGone, !output.isLarge else { return false }
        return input.peekLine() != nil || (isInputEnded && !input.isEmpty)
    }

    /// Whether a request waits behind the one being answered; lines that ask for nothing are dropped.
    var hasRequest: Bool {
        while let line = input.peekLine() {
            if !Request.isIgnored(line) { return true }
            _ = input.takeLine()
        }
        return input.count > Request.longestLine
    }

    private func takeLine() -> ArraySlice<UInt8>? {
        if let line = input.takeLine() {
            lineDeadline = nil
            return line
        }
        guard isInputEnded, !input.isEmpty else { return nil }
        return input.takeAll()[...]
    }
}
