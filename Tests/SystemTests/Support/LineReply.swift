import Foundation

/// A reply of the daemon.
package struct LineReply {
    /// The lines before the last, remarks among them but for `# working`, which tells only that it
    /// takes a while.
    package let lines: [String]
    /// The last line: `OK …` or `ERR …`.
    package let end: String

    /// A reply of these lines.
    package init(lines: [String], end: String) {
        self.lines = lines.filter { $0 != "# working" }
        self.end = end
    }

    /// The lines that carry data.
    package var data: [String] { lines.filter { !$0.hasPrefix("#") } }

    /// The first remark.
    package var header: String? {
        lines.first { $0.hasPrefix("#") }
    }

    /// Whether the request succeeded.
    package var isOK: Bool { end == "OK" || end.hasPrefix("OK ") }

    /// The code and symbol of a failure, as they stand in its last line; `OK` where it succeeded.
    package var failure: String {
        isOK ? "OK" : end.split(separator: " ").dropFirst().prefix(2).joined(separator: " ")
    }

    /// What people are told of a failure.
    package var text: String {
        end.range(of: " : ").map { String(end[$0.upperBound...]) } ?? ""
    }

    /// The value of a key of the last line, where it holds no blank.
    package subscript(key: String) -> String? {
        let prefix = "\(key)="
        let word = end.split(separator: " ").first { $0.hasPrefix(prefix) }
        return word.map { String($0.dropFirst(prefix.count)) }
    }

    /// The rows of a table, by columns.
    package var rows: [[String]] {
        data.map { $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init) }
    }

    /// One column of a table.
    package func column(_ name: String) -> [String] {
        let names = [
            "start", "end", "type", "value", "unit", "device", "subject", "site", "modality",
            "quality", "timeQuality", "source", "id", "seq",
        ]
        guard let place = names.firstIndex(of: name) else { return [] }
        return rows.map { $0.count > place ? $0[place] : "" }
    }

    /// A number in the account of a replay, or in whatever the first object is.
    package func count(_ key: String) -> Int? {
        guard let object = data.last(where: { $0.hasPrefix("{") }),
            let found = object.range(of: "\"\(key)\":")
        else { return nil }
        return Int(object[found.upperBound...].prefix { $0.isNumber })
    }
}
