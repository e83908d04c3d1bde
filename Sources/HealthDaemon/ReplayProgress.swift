internal import ControlProtocol
internal import JSON

/// How far a recording is that comes in on a connection.
struct ReplayProgress {
    /// Pieces that may be on their way to the store at once: one is stored while one is read.
    private static let piecesAtOnce = 2
    /// The least time between two remarks on the progress.
    private static let remarkInterval: Int64 = 1000

    let session: ReplaySession
    let isDryRun: Bool
    let tag: String?
    private let content: ReplayOptions.Content
    private(set) var tally = ReplayTally()
    private(set) var lines = 0
    private(set) var ending: ReplayPiece.Ending?
    /// Whether the session is with a worker.
    var isParsing = false
    /// Pieces that the writer has not stored yet.
    private var piecesStoring = 0
    /// Whether the writer was told that all has come.
    var isFinishing = false
    private var nextRemark = MonotonicTime.now.advanced(by: remarkInterval)

    init(_ session: ReplaySession, _ options: ReplayOptions, tag: String?) {
        self.session = session
        isDryRun = options.isDryRun
        content = options.content
        self.tag = tag
    }

    /// Whether the next piece can go to a worker.
    var canParse: Bool {
        !isParsing && ending == nil && piecesStoring < Self.piecesAtOnce
    }

    /// Whether the connection may read ahead.
    var wantsInput: Bool { canParse }

    /// Whether all is stored and the writer can be told so.
    var isComplete: Bool { ending != nil && !isParsing && piecesStoring == 0 && !isFinishing }

    /// Notes a piece that a worker has read.
    mutating func note(_ piece: ReplayPiece) {
        isParsing = false
        lines += piece.lines
        tally += piece.tally
        ending = piece.ending
        if !piece.intakes.isEmpty { piecesStoring += 1 }
    }

    /// Notes a piece that the writer has stored.
    mutating func noteStored(_ part: ReplayTally) {
        piecesStoring -= 1
        tally += part
    }

    /// Takes back what was stored and then lost.
    mutating func takeBack(_ lost: ReplayTally) { tally.takeBack(lost) }

    /// A remark on the progress, at most once a second; nil if it is too early.
    mutating func remark() -> String? {
        guard MonotonicTime.now >= nextRemark else { return nil }
        nextRemark = MonotonicTime.now.advanced(by: Self.remarkInterval)
        return "# lines=\(lines) stored=\(tally.stored)"
    }

    /// The account of the whole.
    func account() -> [UInt8] {
        var json = JSONWriter()
        json.object { json in
            json.member("class", content == .recording ? "replay" : "import")
            json.member("lines", lines)
            json.member("readings", tally.readings)
            json.member("stored", tally.stored)
            json.member("duplicate", tally.duplicate)
            json.member("skipped", tally.skipped.values.reduce(0, +))
            if content == .recording {
                json.member("undecodable", tally.undecodable.values.reduce(0, +))
            }
            json.member("samples", tally.samples)
            if isDryRun { json.member("dryRun", true) }
            Self.write(tally.skipped, as: "skippedBecause", to: &json)
            Self.write(tally.undecodable, as: "undecodableBecause", to: &json)
        }
        json.endLine()
        return json.octets
    }

    private static func write(
        _ counts: [String: Int], as key: StaticString, to json: inout JSONWriter
    ) {
        guard !counts.isEmpty else { return }
        json.object(key) { json in
            for (reason, count) in counts.sorted(by: { $0.key < $1.key }) {
                json.member(reason, count)
            }
        }
    }
}
