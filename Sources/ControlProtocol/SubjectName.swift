/// Names of subjects.
package enum SubjectName {
    /// The most octets of a name.
    private static let longest = 64

    /// What a name must be like, in plain words.
    package static let rule =
        "a subject's name has 1 to \(longest) octets and no control characters"

    /// Whether a subject can be called so.
    package static func isValid(_ name: String) -> Bool {
        (1...longest).contains(name.utf8.count) && !name.utf8.contains { $0 < 0x20 }
    }

    /// The name, if it can be one.
    ///
    /// - Throws: `bad-value` if it cannot.
    package static func checked(_ name: String) throws(ProtocolError) -> String {
        guard isValid(name) else {
            throw ProtocolError(.badValue, rule).with("key", "subject")
        }
        return name
    }
}
