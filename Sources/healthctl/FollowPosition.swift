/// How far the feed was printed: up to an anchor, and some records of the seq behind it.
///
/// A seq is complete only once something of a greater seq or a heartbeat comes. What was printed of
/// an incomplete one is remembered, so that going on from the anchor repeats nothing.
struct FollowPosition: Equatable {
    /// The place up to which everything was printed; nil for the beginning of the feed.
    private(set) var anchor: Anchor?
    private var epoch = ""
    private var open: Int?
    private var printed: Set<String> = []

    /// The beginning of the feed.
    init() {}

    /// The place behind everything of an anchor.
    init(after anchor: Anchor) {
        self.anchor = anchor
        epoch = anchor.epoch
    }

    /// The position that a cursor file holds; nil for another text.
    init?(_ text: String) {
        let lines = text.split(separator: "\n").map { String($0) }
        guard let first = lines.first, lines.count <= 2 else { return nil }
        if first != "start" {
            guard let anchor = Anchor(first) else { return nil }
            self.init(after: anchor)
        } else {
            self.init()
        }
        guard lines.count == 2 else { return }
        let words = lines[1].split(separator: " ").map { String($0) }
        guard let open = words.first.flatMap({ Int($0) }), words.count > 1 else { return nil }
        (self.open, printed) = (open, Set(words.dropFirst()))
    }

    /// What a cursor file holds: the anchor, then what was printed of the seq behind it.
    var text: String {
        let rest = open.map { "\($0) \(printed.sorted().joined(separator: " "))\n" } ?? ""
        return "\(since)\n\(rest)"
    }

    /// What a request names to go on here.
    var since: String { anchor?.description ?? "start" }

    /// Tells which store answers; what names no store yet is then about this one.
    mutating func connect(toEpoch epoch: String) {
        if anchor == nil { self.epoch = epoch }
    }

    /// Takes in a record.
    ///
    /// - Returns: Whether it is to be printed; false if it was.
    mutating func take(seq: Int, id: String) -> Bool {
        guard seq > anchor?.seq ?? -1, seq >= open ?? seq else { return false }
        if let open, open < seq { complete(Anchor(epoch: epoch, seq: open)) }
        open = seq
        return printed.insert(id).inserted
    }

    /// Takes in that everything up to an anchor was sent.
    mutating func complete(_ anchor: Anchor) {
        guard anchor.seq >= self.anchor?.seq ?? 0 else { return }
        self.anchor = anchor
        epoch = anchor.epoch
        guard let open, open <= anchor.seq else { return }
        (self.open, printed) = (nil, [])
    }
}
