/// In which order samples are asked for and printed, and how many.
struct SampleOrder: Equatable {
    /// The greatest number of samples; nil for all.
    let limit: Int?
    /// Whether the daemon sends the newest first.
    let isDescending: Bool
    /// Whether they are printed in the other order than they come in.
    let isTurned: Bool

    /// So many can be turned in memory.
    static let mostTurned = 1_000_000

    /// The order that the options ask for.
    ///
    /// - Parameters:
    ///   - text: The value of `-n`: `20` for the newest, `+20` for the oldest.
    ///   - newestFirst: Whether `-r` is given.
    ///   - continues: Whether `--after` is given.
    /// - Throws: A usage failure.
    init(limit text: String?, newestFirst: Bool, continues: Bool) throws(Failure) {
        limit = try text.map(Self.number)
        let wantsOldest = text?.hasPrefix("+") ?? !newestFirst
        isDescending = !wantsOldest
        isTurned = isDescending != newestFirst
        guard isTurned else { return }
        guard !continues else {
            throw .usage("--after goes on in the order of its page: use it with -n +N, or with -r")
        }
        guard let limit, limit <= Self.mostTurned else {
            throw .usage(
                "-n goes to \(grouped(Self.mostTurned)) where the order is turned in memory; "
                    + "\(newestFirst ? "leave -r away" : "use -r, or -S and -U")")
        }
    }

    private static func number(_ text: String) throws(Failure) -> Int {
        let digits = text.hasPrefix("+") ? text.dropFirst() : text[...]
        guard let number = Int(digits), number > 0, digits.first != "+" else {
            throw .usage("-n takes a number from 1 on, or +N for the oldest N, not `\(text)`")
        }
        return number
    }
}
