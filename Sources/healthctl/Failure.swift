/// Why healthctl gives up: what it says on standard error, and its exit code.
struct Failure: Error, Equatable {
    /// The reason for a person, without the name of the program; empty says nothing.
    let message: String
    /// What the process ends with.
    let exitCode: Int32

    /// A failure with the given parts.
    init(_ message: String, exitCode: Int32) {
        self.message = message
        self.exitCode = exitCode
    }

    /// The command line itself is wrong.
    static func usage(_ message: String) -> Failure {
        Failure(message, exitCode: ExitCode.usage)
    }

    /// Whether the daemon may well answer a little later.
    var isPassing: Bool {
        exitCode == ExitCode.unavailable || exitCode == ExitCode.temporary
    }
}

/// What healthctl ends with, beside the codes of `ProtocolError` (sysexits.h).
enum ExitCode {
    /// All went well, also where there was nothing to show.
    static let success: Int32 = 0
    /// `doctor` has found something that fails.
    static let failed: Int32 = 1
    /// The command line is wrong.
    static let usage: Int32 = 2
    /// The anchor is of another store, or what lies behind it is gone.
    static let anchor: Int32 = 3
    /// A value is older than `--max-age`.
    static let stale: Int32 = 4
    /// There is nothing to show, and `--fail-empty` asks to say so.
    static let empty: Int32 = 5
    /// The input is not what it should be.
    static let dataError: Int32 = 65
    /// A file is missing or cannot be read.
    static let noInput: Int32 = 66
    /// The daemon cannot be reached.
    static let unavailable: Int32 = 69
    /// The daemon breaks its own rules.
    static let software: Int32 = 70
    /// A file is there that would be overwritten.
    static let cannotCreate: Int32 = 73
    /// Reading or writing failed.
    static let inputOutput: Int32 = 74
    /// The daemon cannot do it now.
    static let temporary: Int32 = 75
    /// Nobody reads standard output any more: what a shell reports for SIGPIPE.
    static let brokenPipe: Int32 = 141

    /// A signal came: what a shell reports for it, 130 for SIGINT.
    static func signal(_ number: Int32) -> Int32 { 128 + number }
}
