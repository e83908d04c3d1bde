/// How long to wait before the daemon is tried again, and whether its absence was told.
struct Outage {
    private var wait = shortest
    private var isTold = false

    /// Milliseconds before the first attempt.
    static let shortest = 200
    /// Milliseconds between attempts in the long run.
    static let longest = 5000

    /// No outage.
    init() {}

    /// Takes in that the daemon is gone.
    ///
    /// - Returns: Whether that is news.
    mutating func begin() -> Bool {
        defer { isTold = true }
        return !isTold
    }

    /// The milliseconds before the next attempt: twice as many each time.
    mutating func delay() -> Int {
        defer { wait = min(wait * 2, Self.longest) }
        return wait
    }

    /// Takes in that the daemon answers.
    ///
    /// - Returns: Whether that is news.
    mutating func end() -> Bool {
        defer { self = Outage() }
        return isTold
    }
}
