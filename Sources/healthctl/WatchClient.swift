import ControlProtocol
import JSON

/// Prints what follows, and keeps how far that was.
struct WatchClient: ~Copyable {
    private let request: Request
    private let limit: Int?
    private let printer: FeedPrinter
    private var file: CursorFile?
    private var output = LiveOutput()
    private var parser = JSONParser()
    private var position: FollowPosition?
    /// How far standard output took it, which is what may be kept.
    private var written: FollowPosition?
    /// Whether the daemon knows the position: one that it refuses is not kept.
    private var isKnown = false
    private var isCut = false
    private var isUrgent = false
    private var count = 0

    /// A client that has seen nothing, which ends after `limit` records.
    init(_ request: Request, _ start: FeedStart, limit: Int?, _ printer: FeedPrinter) {
        self.request = request
        self.limit = limit
        self.printer = printer
        file = start.file
        position = start.position
    }

    /// The anchor to go on from; nil if no daemon has answered.
    var since: String? { written?.since }

    /// Prints what was held back, and keeps the position.
    ///
    /// - Parameter interruption: The descriptor of the signals that end the waiting.
    /// - Throws: A failure of the output or the cursor file.
    mutating func finish(until interruption: Int32) throws(Failure) {
        isUrgent = true
        _ = try settle(at: Environment.milliseconds, until: interruption)
        try save(at: Environment.milliseconds)
    }

    private mutating func save(at now: Int) throws(Failure) {
        guard let written else { return }
        try file?.save(written, at: now, isUrgent: isUrgent)
        isUrgent = false
    }
}

extension WatchClient: LiveClient {
    var deadline: Int? {
        guard let written else { return nil }
        return file?.deadline(written)
    }

    var needsReader: Bool { true }

    /// What was printed decides, not `--since`; from now on means from the greeting's anchor on.
    mutating func request(_ greeting: [String: String]) -> Request {
        if position == nil, let now = greeting["anchor"].flatMap({ Anchor($0) }) {
            position = FollowPosition(after: now)
            begin()
        }
        position?.connect(toEpoch: greeting["epoch"] ?? "")
        return request.with([Request.Option(key: "since", value: position?.since ?? "now")])
    }

    mutating func take(_ line: ReplyLine) throws(Failure) -> Bool {
        begin()
        switch line {
        case .object(let text): try take(text)
        case .remark(let text): take(remark: text)
        case .row, .end: break
        }
        return count < limit ?? .max
    }

    private mutating func begin() {
        if !isKnown { output.write(printer.heading) }
        isKnown = true
    }

    private mutating func take(_ text: ArraySlice<UInt8>) throws(Failure) {
        let record = try object(text, with: &parser)
        guard let seq = record["seq"]?.integer else { return }
        guard position?.take(seq: seq, id: record.text("id")) ?? true else { return }
        output.write(printer.line(text, record))
        count += 1
    }

    private mutating func take(remark text: ArraySlice<UInt8>) {
        guard let anchor = heartbeat(text) else { return }
        position?.complete(anchor)
        isUrgent = true
    }

    mutating func settle(at now: Int, until interruption: Int32) throws(Failure) -> Bool {
        if !isCut {
            isCut = true
            guard try output.flush(until: interruption) else { return false }
            isCut = false
            if isKnown { written = position }
        }
        try save(at: now)
        return !isCut
    }

    mutating func end(_ details: [String: String]) {
        begin()
        if let anchor = details["anchor"].flatMap({ Anchor($0) }) { position?.complete(anchor) }
    }
}
