/// A configuration file taken apart: sections of keys, each with the line that it stands on.
///
/// `[section]` lines, `key = value` lines, blank lines, and remarks that begin with `#` or `;`.
struct ConfigurationFile {
    /// One `key = value`.
    struct Entry: Equatable {
        let section: String
        let key: String
        let value: String
        let line: Int
    }

    /// One `[section]`.
    struct Section: Equatable {
        let name: String
        let line: Int
    }

    /// The entries in the order of the file.
    let entries: [Entry]

    /// The sections in the order of the file, also those without any entry.
    let sections: [Section]

    /// The lines that have none of the forms.
    let errors: [ConfigurationError]

    /// Takes the text of a file apart.
    init(_ text: String) {
        var entries: [Entry] = []
        var sections: [Section] = []
        var errors: [ConfigurationError] = []
        var section: String?
        let lines = text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
        for (index, line) in lines.enumerated() {
            let content = line.trimmed
            if content.isEmpty || content.hasPrefix("#") || content.hasPrefix(";") { continue }
            do throws(ConfigurationError) {
                if content.hasPrefix("[") {
                    let name = try Self.section(content, index + 1)
                    sections.append(Section(name: name, line: index + 1))
                    section = name
                } else {
                    entries.append(try Self.entry(content, in: section, index + 1))
                }
            } catch {
                errors.append(error)
            }
        }
        self.entries = entries
        self.sections = sections
        self.errors = errors + Self.repetitions(in: entries)
    }

    /// The keys that stand in their section for the second time.
    private static func repetitions(in entries: [Entry]) -> [ConfigurationError] {
        var lines: [[String]: Int] = [:]
        return entries.compactMap { entry in
            let place = [entry.section, entry.key]
            guard entry.section != "access", let first = lines[place] else {
                lines[place] = entry.line
                return nil
            }
            return ConfigurationError(
                line: entry.line, "`\(entry.key)` was given on line \(first) already")
        }
    }

    private static func section(
        _ content: Substring, _ line: Int
    ) throws(ConfigurationError) -> String {
        guard content.hasSuffix("]"), content.count > 2 else {
            throw ConfigurationError(line: line, "a section is written as [name]")
        }
        return String(content.dropFirst().dropLast().trimmed)
    }

    private static func entry(
        _ content: Substring, in section: String?, _ line: Int
    ) throws(ConfigurationError) -> Entry {
        guard let equals = content.firstIndex(of: "=") else {
            throw ConfigurationError(line: line, "«\(content)» is not of the form key = value")
        }
        let key = content[..<equals].trimmed
        guard !key.isEmpty else { throw ConfigurationError(line: line, "= without a key") }
        guard let section else {
            throw ConfigurationError(line: line, "`\(key)` stands before the first [section]")
        }
        let value = content[content.index(after: equals)...].trimmed
        return Entry(section: section, key: String(key), value: String(value), line: line)
    }
}

/// What is wrong with a configuration file, and on which line.
package struct ConfigurationError: Error, Equatable, Sendable {
    /// The line, from 1; nil for the file as a whole.
    package let line: Int?
    /// What is wrong, and what to write instead.
    package let text: String

    /// An error with the given parts.
    init(line: Int?, _ text: String) {
        self.line = line
        self.text = text
    }
}

extension Substring {
    /// Without blanks, tabs and carriage returns at its ends.
    var trimmed: Substring {
        let isBlank: (Character) -> Bool = { $0 == " " || $0 == "\t" || $0 == "\r" || $0 == "\r\n" }
        let start = drop(while: isBlank)
        guard let last = start.lastIndex(where: { !isBlank($0) }) else { return "" }
        return start[...last]
    }
}
