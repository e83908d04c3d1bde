internal import ControlProtocol

/// What a `replay` request asks for.
struct ReplayOptions {
    /// Whose the readings are to be; nil leaves it as it is.
    let subject: String?
    /// Whether nothing is to be kept.
    let isDryRun: Bool

    init(_ request: Request) throws(ProtocolError) {
        subject = try request["subject"].map { (name) throws(ProtocolError) in
            try SubjectName.checked(name)
        }
        isDryRun = try YesNo.value(request, "dry-run")
    }
}
