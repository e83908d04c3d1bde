internal import ControlProtocol

/// What a `replay` request asks for.
struct ReplayOptions {
    /// Whose the readings are to be; nil leaves it as it is.
    let subject: String?
    /// Whether nothing is to be kept.
    let isDryRun: Bool

    /// The most octets of a subject's name.
    private static let longestSubject = 64

    init(_ request: Request) throws(ProtocolError) {
        subject = request["subject"]
        if let subject, subject.isEmpty || subject.utf8.count > Self.longestSubject {
            throw ProtocolError(
                .badValue, "a subject's name has 1 to \(Self.longestSubject) octets"
            ).with("key", "subject")
        }
        if let subject, subject.utf8.contains(where: { $0 < 0x20 }) {
            throw ProtocolError(.badValue, "a subject's name holds no control characters")
                .with("key", "subject")
        }
        switch request["dry-run"] {
        case nil, "no": isDryRun = false
        case "yes": isDryRun = true
        case let value?:
            throw ProtocolError(.badValue, "`dry-run=` is yes or no, not `\(value)`")
                .with("key", "dry-run")
        }
    }
}
