import ControlProtocol

/// Where in the feed a command begins.
struct FeedStart {
    /// The file that keeps the position, if one is named.
    private(set) var file: CursorFile?
    /// The position; nil for what happens from now on.
    let position: FollowPosition?
    /// The path of the file, if the position is from there.
    let source: String?

    /// What the options name: the file's position if it holds one, else `--since`.
    ///
    /// - Throws: A usage failure, or one of the file.
    init(_ invocation: Invocation) throws(Failure) {
        var file = invocation[.cursorFile].map { CursorFile($0) }
        let kept = try file?.load()
        let named = try invocation[.anchor].flatMap(Self.position)
        position = kept ?? named
        source = kept == nil ? nil : invocation[.cursorFile]
        self.file = file
    }

    private static func position(_ text: String) throws(Failure) -> FollowPosition? {
        switch text {
        case "now": return nil
        case "start": return FollowPosition()
        default:
            guard let anchor = Anchor(text) else {
                throw .usage(
                    "--since takes an anchor such as 957ceaa9162c3e88:12, start or now, "
                        + "not `\(text)`")
            }
            return FollowPosition(after: anchor)
        }
    }
}

extension Failure {
    /// For an anchor from a file that does not hold any more: what to do about the file.
    func advising(_ cursorFile: String?) -> Failure {
        guard exitCode == ExitCode.anchor, let cursorFile else { return self }
        return Failure("\(message); remove \(cursorFile) first", exitCode: exitCode)
    }
}

extension Invocation {
    /// The whole number from 1 on that an option names, if it is given.
    ///
    /// - Throws: A usage failure.
    func number(_ option: CommandOption) throws(Failure) -> Int? {
        guard let text = self[option] else { return nil }
        guard let number = Int(text), number > 0 else {
            throw .usage("--\(option.name) takes a number from 1 on, not `\(text)`")
        }
        return number
    }
}

extension Request {
    /// The same request with another verb and more options.
    func with(verb: String? = nil, _ more: [Option]) -> Request {
        Request(verb: verb ?? self.verb, arguments: arguments, options: options + more)
    }
}
