/// Why a file cannot be read, or no further.
package struct CaptureDamage: Error, Equatable, Sendable {
    /// The reason in plain words; what the file is called stands before it.
    package let why: String

    /// A reason.
    init(_ why: String) {
        self.why = why
    }
}
