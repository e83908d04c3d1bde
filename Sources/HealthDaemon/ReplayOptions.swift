internal import ControlProtocol
internal import Samples

/// What a `replay` or `import` request asks for.
struct ReplayOptions {
    /// What comes in.
    let content: Content
    /// Whose the readings are to be; nil leaves it as it is.
    let subject: String?
    /// Whether nothing is to be kept.
    let isDryRun: Bool

    /// What comes in.
    enum Content: Equatable {
        /// Lines of a recording.
        case recording
        /// Samples of another program's file, and what their source is called where they do not say it.
        case samples(source: String)
    }

    init(_ request: Request) throws(ProtocolError) {
        content =
            request.verb == "import"
            ? .samples(source: try Self.source(request["device"])) : .recording
        subject = try request["subject"].map { (name) throws(ProtocolError) in
            try SubjectName.checked(name)
        }
        isDryRun = try YesNo.value(request, "dry-run")
    }

    private static func source(_ name: String?) throws(ProtocolError) -> String {
        guard let name else { return SourceDevice.Kind.imported.rawValue }
        guard SourceDevice.isName(name) else {
            throw ProtocolError(
                .badValue,
                "a source's name has 1 to \(SourceDevice.longestName) octets "
                    + "and no control characters"
            ).with("key", "device")
        }
        return name
    }
}
