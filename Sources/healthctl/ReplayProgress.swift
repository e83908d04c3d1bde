/// Tells how far a replay or a conversion is, if it takes longer than a second.
///
/// A bar on a terminal, else a line a second.
struct ReplayProgress {
    private let name: String
    private let size: Int?
    private let isTerminal: Bool
    private var next: Int
    private var hasBar = false

    /// Milliseconds until it begins, and between two lines where there is no terminal.
    static let second = 1000
    /// Milliseconds between two states of the bar.
    static let step = 200

    /// The progress of a recording.
    ///
    /// - Parameters:
    ///   - name: What it is called.
    ///   - size: Its octets, if they are known.
    ///   - isTerminal: Whether a bar can be drawn.
    ///   - start: When it began, in milliseconds.
    init(name: String, size: Int?, isTerminal: Bool, start: Int) {
        self.name = name
        self.size = size
        self.isTerminal = isTerminal
        next = start + Self.second
    }

    /// What to write now.
    ///
    /// - Parameters:
    ///   - octets: How many were read.
    ///   - done: What the daemon tells.
    ///   - now: Milliseconds on the clock of `start`.
    /// - Returns: nil if it is too early for that.
    mutating func text(octets: Int, _ done: ReplayAccount.Progress, at now: Int) -> String? {
        text(
            octets: octets, at: now,
            "\(count(done.lines, "line")), \(grouped(done.stored)) stored")
    }

    /// The same, with other words for what was done.
    mutating func text(
        octets: Int, at now: Int, _ counts: @autoclosure () -> String
    ) -> String? {
        guard now >= next else { return nil }
        next = now + (isTerminal ? Self.step : Self.second)
        hasBar = isTerminal
        let share = size.flatMap { $0 > 0 ? min(octets * 100 / $0, 100) : nil }
        guard isTerminal else {
            return "\(name): \(share.map { "\($0) %, " } ?? "")\(counts())\n"
        }
        return "\r\u{1B}[K\(printable(shortName)) \(share.map(bar) ?? "")\(counts())"
    }

    /// What wipes the bar away, if there is one.
    mutating func end() -> String {
        defer { hasBar = false }
        return hasBar ? "\r\u{1B}[K" : ""
    }

    private func bar(_ share: Int) -> String {
        let full = share / 5
        let bar = String(repeating: "#", count: full) + String(repeating: "-", count: 20 - full)
        return "[\(bar)] \(share) %  "
    }

    private var shortName: String {
        let last = name.split(separator: "/").last.map { String($0) } ?? name
        return last.count <= 24 ? last : "…\(last.suffix(23))"
    }
}
