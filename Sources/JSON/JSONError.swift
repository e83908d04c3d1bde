/// Why octets are not the JSON text that was expected.
package struct JSONError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The reason in plain words.
    package let reason: String
    /// How many octets stand before the place where reading stopped.
    package let offset: Int

    /// An error with the given parts.
    package init(reason: String, offset: Int) {
        self.reason = reason
        self.offset = offset
    }

    /// Reason and place, as in `unexpected character at offset 12`.
    package var description: String { "\(reason) at offset \(offset)" }
}

/// An object's member is of another type than it has to be.
package struct JSONTypeMismatch: Error, Sendable {
    /// What it has to be, as in `a whole number`.
    package let expected: StaticString
}
