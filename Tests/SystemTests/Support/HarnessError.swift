import Glibc

/// Why a test could not go on: what was tried, and how it failed.
package struct HarnessError: Error, CustomStringConvertible {
    /// The whole of it in plain words.
    package let description: String

    /// A failure in plain words.
    package init(_ description: String) {
        self.description = description
    }

    /// The failure of a call of the operating system, with what errno says.
    package static func system(_ what: String) -> HarnessError {
        HarnessError("\(what): \(String(cString: strerror(errno)))")
    }
}

/// How long anything may take before a test gives it up, in seconds.
///
/// A daemon that works answers in milliseconds; a loaded machine is given a long time.
package let patience: Double = 120

/// Whether everything is built with a sanitizer, which makes it slower, greedier and restless.
package let isSanitized = getenv("TSAN_OPTIONS") != nil || getenv("ASAN_OPTIONS") != nil

/// Asks again and again until something that another process does has happened.
///
/// - Throws: An error if it does not happen for longer than patience lasts.
package func waitUntil(_ isTrue: () throws -> Bool) throws {
    let deadline = ContinuousClock.now + .seconds(patience)
    while try !isTrue() {
        guard ContinuousClock.now < deadline else {
            throw HarnessError("what was waited for did not happen")
        }
        usleep(500)  // leaves the cores to what is waited for
    }
}
