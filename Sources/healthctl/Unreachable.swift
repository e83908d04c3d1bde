import Glibc

/// Why the daemon cannot be reached, and what to do about it.
enum Unreachable {
    /// The daemon went away before the end of its answer.
    static let hangUp = Failure(
        "healthd closed the connection before the end of its answer",
        exitCode: ExitCode.unavailable)

    /// The daemon does not say a word.
    static func silence(_ seconds: Int) -> Failure {
        Failure(
            "healthd does not answer within \(seconds) s; see `systemctl status healthd`",
            exitCode: ExitCode.unavailable)
    }

    /// No connection came about.
    static func failure(path: String, _ error: SystemError) -> Failure {
        let reason = error.code == EAGAIN ? "it takes no connection" : error.text
        return Failure(
            "cannot reach healthd at \(path): \(reason); \(advice(error.code))",
            exitCode: ExitCode.unavailable)
    }

    private static func advice(_ code: Int32) -> String {
        switch code {
        case ENOENT, ECONNREFUSED, ENOTDIR:
            "is healthd running? see `systemctl status healthd`, or name its socket with --socket"
        case EACCES, EPERM:
            "you are not in group healthd: `sudo adduser $USER healthd`, then log in again"
        case ENAMETOOLONG: "the path of a socket has at most 107 octets"
        default: "see `systemctl status healthd`"
        }
    }
}
