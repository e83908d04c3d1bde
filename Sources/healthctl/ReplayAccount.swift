import ControlProtocol
import JSON

/// What a replay came to, gathered from the lines of the reply.
struct ReplayAccount {
    /// What the daemon has read and stored so far.
    private(set) var progress = Progress()
    /// How many remarks on lines came one by one.
    private(set) var told = 0
    /// The closing object.
    private(set) var result: JSONValue?
    /// What the input is called.
    let name: String

    /// What the daemon has done so far.
    struct Progress: Equatable {
        /// Lines read.
        var lines = 0
        /// Readings stored.
        var stored = 0
    }

    /// An account of the recording of this name.
    init(name: String) {
        self.name = name
    }

    /// Takes in a remark: `# lines=… stored=…` or anything else.
    mutating func take(remark line: ArraySlice<UInt8>) {
        let text = String(decoding: line.dropFirst(), as: UTF8.self)
        guard case .ok(let words)? = ReplyEnd("OK\(text)") else { return }
        progress.lines = words["lines"].flatMap { Int($0) } ?? progress.lines
        progress.stored = words["stored"].flatMap { Int($0) } ?? progress.stored
    }

    /// Takes in an object.
    ///
    /// - Returns: What is to be said about a line; nil for other objects.
    mutating func take(_ object: JSONValue) -> String? {
        switch object["class"]?.string {
        case "damaged":
            told += 1
            return "\(name):\(object.text("line")): \(object.text("why"))"
        case "replay", "import": result = object
        default: break
        }
        return nil
    }

    /// How many lines are damaged.
    var damaged: Int { result.map { $0["skippedBecause"]?["damaged"]?.integer ?? 0 } ?? told }

    /// How many damaged lines were counted only.
    var untold: Int { max(damaged - told, 0) }

    /// How many samples of an import came, are new and were known.
    var samples: String {
        let duplicate = number("duplicate") == "0" ? "" : ", \(number("duplicate")) duplicate"
        return "\(things("readings", "sample")): \(number("stored"))"
            + (result?["dryRun"]?.bool ?? false ? " new" : " stored") + duplicate
    }

    /// What of an import was skipped, and why; nil for nothing.
    var skipped: String? { part("skipped", because: "skippedBecause") }

    /// The account in one line.
    func text(isDryRun: Bool) -> String {
        let stored = "\(number("stored")) \(isDryRun ? "new" : "stored")"
        let duplicate = number("duplicate") == "0" ? "" : ", \(number("duplicate")) duplicate"
        let readings = "\(things("readings", "reading")): \(stored)\(duplicate)"
        let parts = ["\(things("lines", "line")), \(readings)"] + leftovers
        return name + (isDryRun ? " (dry run): " : ": ") + parts.joined(separator: "; ")
    }

    private var leftovers: [String] {
        let skipped = part("skipped", because: "skippedBecause")
        let undecodable = part("undecodable", because: "undecodableBecause")
        return [skipped, undecodable].compactMap(\.self) + [things("samples", "sample")]
    }

    /// `3 skipped (1 damaged, 2 unknown characteristic)`; nil for none.
    private func part(_ key: String, because reasons: String) -> String? {
        guard number(key) != "0" else { return nil }
        let members = result?[reasons]?.members ?? []
        let because = members.map {
            "\($0.value.integer.map(grouped) ?? "?") \(words(ofName: $0.key))"
        }
        let list = because.isEmpty ? "" : " (\(because.joined(separator: ", ")))"
        return "\(number(key)) \(key)\(list)"
    }

    private func number(_ key: String) -> String {
        grouped(result?[key]?.integer ?? 0)
    }

    private func things(_ key: String, _ one: String) -> String {
        count(result?[key]?.integer ?? 0, one)
    }
}
