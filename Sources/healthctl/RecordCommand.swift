import ControlProtocol

/// `healthctl record`: writes what sensors send as a recording, until a signal ends it.
enum RecordCommand {
    /// The seconds between the daemon's signs of life, at most.
    private static let heartbeat = 15

    /// Writes the recording into the file that the argument names.
    ///
    /// - Throws: A usage failure, the daemon's, or one of the file.
    static func run(_ session: inout Session) throws(Failure) -> Int32 {
        let invocation = session.invocation
        guard !invocation.has(.btsnoop) || !invocation.has(.append) else {
            throw .usage("a capture is a new file each time: leave out --append")
        }
        let file = try RecordingFile(invocation.arguments[0], appends: invocation.has(.append))
        var client = RecordClient(
            try session.request(), file, isCapture: invocation.has(.btsnoop))
        var reply = try LiveReply(session, longestSilence: (3 * heartbeat + 10) * 1000)
        do throws(Failure) {
            _ = try reply.follow(&client)
            try client.finish()
            session.remark(client.account)
            return ExitCode.success
        } catch {
            try client.finish()
            if client.count > 0 { session.remark(client.account) }
            throw error
        }
    }
}

/// Writes the lines of a recording, or what stands for them in a capture, as they come.
struct RecordClient: ~Copyable {
    /// How many events were written.
    private(set) var count = 0
    private let request: Request
    private var file: RecordingFile
    private var lines: RecordingLines
    private var capture: RecordedCapture?
    private var gaps = RecordingGaps()
    private var pending: [UInt8] = []
    private var syncTime: Int?

    /// So many milliseconds lie between what was written and its being on disk, at most.
    private static let syncInterval = 1000

    /// A client that has written nothing.
    init(_ request: Request, _ file: consuming RecordingFile, isCapture: Bool) {
        self.request = request
        lines = RecordingLines(isContinued: file.isContinued)
        self.file = file
        capture = isCapture ? RecordedCapture() : nil
        pending = capture?.begin() ?? []
    }

    /// What it came to, for a person.
    var account: String {
        let parts = ["\(file.name): \(healthctl.count(count, "event"))", omission]
        return (parts.compactMap(\.self) + gaps.accounts).joined(separator: "; ")
    }

    private var omission: String? {
        switch capture {
        case .some(let capture): capture.account
        case .none: nil
        }
    }

    /// Brings everything to disk.
    ///
    /// - Throws: A failure of the file.
    mutating func finish() throws(Failure) {
        try writePending()
        try file.synchronize()
    }

    private mutating func writePending() throws(Failure) {
        let octets = pending
        pending = []
        try file.write(octets)
    }
}

extension RecordClient: LiveClient {
    var deadline: Int? { syncTime }

    var needsReader: Bool { file.isOutput }

    /// What came while there was no connection is gone, and said to be missing.
    mutating func request(_ greeting: [String: String]) -> Request { request }

    mutating func take(_ line: ReplyLine) -> Bool {
        switch line {
        case .object(let text):
            gaps.hear(at: Environment.now)
            pending += capture?.octets(of: text) ?? text + [UInt8(ascii: "\n")]
            count += 1
        case .remark(let text): take(remark: text)
        case .row, .end: break
        }
        return true
    }

    private mutating func take(remark text: ArraySlice<UInt8>) {
        if lines.isTitle(text), let gap = gaps.begin(at: Environment.now) {
            pending +=
                capture?.octets(ofNote: gap, at: Environment.now)
                ?? Array("# Notes: \(gap)\n".utf8)
        }
        if let time = cutTime(text) { gaps.cut(at: time) } else { gaps.hear(at: Environment.now) }
        guard lines.isNew(remark: text) else { return }
        pending += capture?.octets(of: text) ?? text + [UInt8(ascii: "\n")]
    }

    mutating func settle(at now: Int, until interruption: Int32) throws(Failure) -> Bool {
        if !pending.isEmpty, syncTime == nil { syncTime = now + Self.syncInterval }
        try writePending()
        guard let time = syncTime, now >= time else { return true }
        try file.synchronize()
        syncTime = nil
        return true
    }

    mutating func end(_ details: [String: String]) {}
}
