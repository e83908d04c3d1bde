import CLinux
import Glibc
import Measurements
import Samples

/// What healthctl takes from the process around it.
enum Environment {
    /// The value of an environment variable; nil if it is not set or empty.
    static func variable(_ name: String) -> String? {
        guard let value = getenv(name), value.pointee != 0 else { return nil }
        return String(cString: value)
    }

    /// Whether a descriptor is a terminal.
    static func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }

    /// Whether somebody can be asked: question and answer both go over a terminal.
    static var canAsk: Bool { isTerminal(STDIN_FILENO) && isTerminal(STDERR_FILENO) }

    /// Asks what only a `yes` that is typed out answers.
    static func confirms(_ question: String) -> Bool {
        writeToStandardError(printable("\(question) Type yes: "))
        return readLine().map { $0.filter { !$0.isWhitespace } } == "yes"
    }

    /// The name of the zone that the user's settings ask for; nil if TZ names none.
    static var zone: String? {
        let setting = getenv("TZ").map { String(cString: $0) }
        return Zone.hostName(environment: setting, localtimeLink: link("/etc/localtime"))
    }

    /// Milliseconds of a clock that never steps.
    static var milliseconds: Int {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return time.tv_sec * 1000 + time.tv_nsec / 1_000_000
    }

    /// How many characters a line of the terminal has; 80 if nobody says.
    static var width: Int {
        var size = winsize()
        if ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 {
            return min(Int(size.ws_col), greatestWidth)
        }
        return min(variable("COLUMNS").flatMap { Int($0) } ?? 80, greatestWidth)
    }

    /// Wider lines than any screen has.
    private static let greatestWidth = 1000

    /// Whether the user's settings ask for UTF-8.
    static var isUTF8: Bool {
        let name = variable("LC_ALL") ?? variable("LC_CTYPE") ?? variable("LANG") ?? ""
        let letters = name.lowercased()
        return letters.hasSuffix("utf-8") || letters.hasSuffix("utf8")
    }

    /// How many lines the terminal has; 24 if nobody says.
    static var height: Int {
        var size = winsize()
        let isKnown = ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_row > 0
        return isKnown ? Int(size.ws_row) : 24
    }

    /// The wall clock.
    static var now: Instant {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Instant(milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
    }

    /// Takes the places of closed standard descriptors, so that no socket is mistaken for one.
    ///
    /// Reading and writing still fail there, as on a closed descriptor.
    static func reserveStandardDescriptors() {
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
            _ = clinux_open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY, 0)
        }
    }

    private static func link(_ path: String) -> String? {
        let target = [UInt8](unsafeUninitializedCapacity: Int(PATH_MAX)) { buffer, count in
            let length = buffer.withMemoryRebound(to: CChar.self) {
                $0.baseAddress.map { readlink(path, $0, Int(PATH_MAX)) } ?? -1
            }
            count = max(length, 0)
        }
        return target.isEmpty ? nil : String(decoding: target, as: UTF8.self)
    }
}
