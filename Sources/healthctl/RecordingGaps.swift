import Measurements

/// The stretches of time in which nothing was recorded, because the daemon was away or cut us off.
struct RecordingGaps {
    private var heard: Instant?
    private var cutAt: Instant?
    private var gaps: [(from: Instant, until: Instant)] = []
    private var count = 0

    /// Gaps that the account names; it counts the others.
    private static let namedGaps = 10

    /// There is none.
    init() {}

    /// Takes in that everything up to this time has come.
    mutating func hear(at now: Instant) {
        if cutAt == nil { heard = now }
    }

    /// Takes in that the daemon passed nothing on from a time on.
    mutating func cut(at time: Instant) { cutAt = time }

    /// Takes in that a recording begins.
    ///
    /// - Returns: What is missing before it, for a person; nil if it is the first.
    mutating func begin(at now: Instant) -> String? {
        defer { (heard, cutAt) = (now, nil) }
        guard let from = cutAt ?? heard else { return nil }
        count += 1
        if gaps.count < Self.namedGaps { gaps.append((from, now)) }
        return Self.text(from, now)
    }

    /// What the account says of them.
    var accounts: [String] {
        let more = count - gaps.count
        return gaps.map { Self.text($0.from, $0.until) }
            + (more > 0 ? ["\(more) more of these"] : [])
    }

    private static func text(_ from: Instant, _ until: Instant) -> String {
        "nothing was recorded from \(from.text()) to \(until.text())"
    }
}

/// The time in the daemon's remark that it passed nothing on any more: `# cut t=…`.
func cutTime(_ remark: ArraySlice<UInt8>) -> Instant? {
    let prefix = "# cut t="
    guard remark.starts(with: prefix.utf8) else { return nil }
    return Instant(rfc3339: remark.dropFirst(prefix.utf8.count))
}
