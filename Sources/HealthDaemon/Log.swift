internal import Glibc

/// Lines for the operator on standard error, with the journal's level where it reads them.
enum Log {
    /// Who must act.
    enum Level: Int {
        /// The operator, now.
        case failure = 3
        /// The operator, some day.
        case warning = 4
        /// Nobody; worth knowing.
        case notice = 5
        /// Nobody; normal.
        case info = 6
        /// Developers; the journal keeps it, a terminal is spared.
        case detail = 7
    }

    private static let isJournal = getenv("JOURNAL_STREAM") != nil

    /// Writes one line; line ends in it become blanks.
    static func write(_ level: Level, _ text: String) {
        guard isJournal || level != .detail else { return }
        let line = text.split(separator: "\n").joined(separator: " ")
        var octets = Array(
            (isJournal ? "<\(level.rawValue)>\(line)\n" : "healthd: \(line)\n").utf8)
        _ = Glibc.write(2, &octets, octets.count)
    }
}
