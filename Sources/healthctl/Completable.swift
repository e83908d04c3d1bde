import Samples

/// What may stand in a place of the command line, as far as its form in the help tells.
///
/// `auto|always|never` are words, `FILE` and `PATH` are files, `TYPE` is a type of samples and `COMMAND`
/// a command; of the rest only a person knows.
struct Completable: Equatable, Sendable {
    /// The words, one of which may stand there.
    let words: [String]
    /// Whether the name of a file may stand there.
    let takesFiles: Bool

    /// What a form such as `FILE…` or `start|end` allows.
    init(form: String) {
        let alternatives = form.split { "|[]… ,".contains($0) }.map { String($0) }
        takesFiles = !Set(alternatives).isDisjoint(with: ["FILE", "PATH"])
        words = alternatives.flatMap { Self.words($0) }
    }

    private static func words(_ alternative: String) -> [String] {
        switch alternative {
        case "TYPE": SampleType.allCases.flatMap { $0.aliases.prefix(1) }
        case "COMMAND": CommandVerb.allCases.map(\.rawValue)
        default: isWord(alternative) ? [alternative] : []
        }
    }

    /// Whether it is meant literally, and not the name of something.
    private static func isWord(_ text: String) -> Bool {
        text.allSatisfy { "abcdefghijklmnopqrstuvwxyz-".contains($0) }
    }
}

extension CommandOption {
    /// What may be its value; nil if it takes none.
    var value: Completable? { form.map { Completable(form: $0) } }

    /// How it can be written: `-S`, `--since`.
    var spellings: [String] { (letter.map { ["-\($0)"] } ?? []) + ["--\(name)"] }
}
