internal import JSON

/// A device in the words of a debugger: `name:Apple Watch, manufacturer:Apple Inc., model:Watch`.
struct HealthDevice: Equatable {
    /// What is known of it, in the order of `keys`.
    let fields: [String?]

    /// The most octets of one field.
    private static let longestField = 128

    /// The device that a text describes, from which the first part is cut off.
    init(_ text: Substring) {
        var found: [Substring: String] = [:]
        let text = text.last == ">" ? text.dropLast() : text
        for part in text.split(separator: ", ") {
            let pair = part.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            guard pair.count == 2, pair[1].utf8.count <= Self.longestField else { continue }
            found[pair[0]] = String(pair[1])
        }
        fields = Self.keys.map { found["\($0)"[...]] }
    }

    /// Writes the line that tells it of a source.
    func write(_ source: String, to json: inout JSONWriter) {
        json.object { json in
            json.member("class", "device")
            json.member("device", source)
            for (key, field) in zip(Self.keys, fields) {
                guard let field else { continue }
                json.member(key, field)
            }
        }
        json.endLine()
    }

    private static let keys: [StaticString] = [
        "name", "manufacturer", "model", "hardware", "firmware", "software",
    ]
}
