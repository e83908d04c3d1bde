import Glibc

/// The file that keeps how far the feed was printed.
struct CursorFile {
    private let path: String
    private var saved: FollowPosition?
    private var time = Int.min / 2

    /// So many milliseconds lie between two writes, but for those that cannot wait.
    static let interval = 1000

    /// The file of this path, which need not be there.
    init(_ path: String) {
        self.path = path
    }

    /// The position that it holds; nil if it is missing or empty.
    ///
    /// - Throws: A failure if it cannot be read or holds something else.
    mutating func load() throws(Failure) -> FollowPosition? {
        let text = try read()
        guard !text.isEmpty else { return nil }
        guard let position = FollowPosition(text) else {
            throw Failure(
                "\(path) holds no anchor; name another file, or remove it to begin anew",
                exitCode: ExitCode.dataError)
        }
        saved = position
        return position
    }

    /// When a position is to be written; nil if it is there already.
    func deadline(_ position: FollowPosition) -> Int? {
        position == saved ? nil : time + Self.interval
    }

    /// Writes a position, if that is due.
    ///
    /// - Throws: A failure if it cannot be written.
    mutating func save(
        _ position: FollowPosition, at now: Int, isUrgent: Bool
    ) throws(Failure) {
        guard let due = deadline(position), isUrgent || now >= due else { return }
        var file = try FreshFile(replacing: path)
        try file.write(Array(position.text.utf8))
        try file.commit()
        (saved, time) = (position, now)
    }

    private func read() throws(Failure) -> String {
        do throws(SystemError) {
            let descriptor = try Descriptor(reading: path)
            var text: [UInt8] = []
            while case let piece = try readOctets(from: descriptor.number), !piece.isEmpty {
                text += piece
            }
            return String(decoding: text, as: UTF8.self)
        } catch {
            if error.code == ENOENT { return "" }
            throw Failure("cannot read \(path): \(error.text)", exitCode: ExitCode.noInput)
        }
    }
}
