import ControlProtocol
import Glibc
import Samples

/// What a command works with: the command line, the output and the way to the daemon.
struct Session {
    /// The command line.
    let invocation: Invocation
    /// The form of the output.
    let format: OutputFormat
    /// Whether tables are coloured.
    let isColored: Bool
    /// Standard output.
    var output = StandardOutput()

    /// A session for a command line.
    ///
    /// - Throws: A usage failure for an output or a colour that there is not.
    init(_ invocation: Invocation) throws(Failure) {
        self.invocation = invocation
        format = try invocation.format
        isColored = try Self.isColored(invocation[.color])
    }

    /// Whether remarks and progress are unwanted.
    var isQuiet: Bool { invocation.has(.quiet) }

    /// Tells the user something that is no data, on standard error.
    func remark(_ text: String) {
        guard !isQuiet else { return }
        writeToStandardError("\(printable(text))\n")
    }

    /// Connects to the daemon.
    ///
    /// - Throws: A failure that says why it cannot be reached and what to do.
    func connect() throws(Failure) -> Connection {
        try Connection.opened(socketPath)
    }

    /// The request of the command.
    ///
    /// - Parameters:
    ///   - arguments: The words without a key.
    ///   - more: Further options.
    /// - Returns: Its verb with the options that the daemon sees, and the zone.
    /// - Throws: A usage failure for options that exclude each other.
    func request(
        arguments: [String] = [], _ more: [Request.Option] = []
    ) throws(Failure) -> Request {
        guard let command = invocation.command else {
            preconditionFailure("a request without a command")
        }
        var options: [Request.Option] = []
        for option in command.options {
            guard let key = option.key, let value = invocation[option] else { continue }
            options.append(Request.Option(key: key, value: value))
        }
        if command.options.contains(.zone) {
            options.append(Request.Option(key: "tz", value: try zone()))
        }
        return Request(
            verb: command.verb.rawValue, arguments: arguments, options: options + more)
    }

    private func zone() throws(Failure) -> String {
        let isUTC = invocation.has(.utc)
        if let zone = invocation[.zone] {
            guard !isUTC else { throw .usage("--tz and --utc exclude each other") }
            return zone
        }
        if isUTC { return "UTC" }
        if let zone = Environment.zone { return zone }
        remark("warning: TZ names no time zone, times are in UTC; --tz names one")
        return "UTC"
    }

    /// The zone of times that name none.
    ///
    /// - Throws: A usage failure for a zone that there is not.
    func knownZone() throws(Failure) -> Zone {
        let name = try zone()
        guard let zone = Zone(named: name) else {
            throw .usage("there is no time zone `\(name)`")
        }
        return zone
    }

    /// Where the daemon is looked for.
    var socketPath: String {
        invocation[.socket] ?? Environment.variable("HEALTHD_SOCKET") ?? CommandOption.defaultSocket
    }

    private static func isColored(_ wish: String?) throws(Failure) -> Bool {
        switch wish ?? "auto" {
        case "always": return true
        case "never": return false
        case "auto":
            return Environment.isTerminal(STDOUT_FILENO)
                && Environment.variable("NO_COLOR") == nil
                && Environment.variable("TERM") != "dumb"
        case let word: throw .usage("--color is auto, always or never, not `\(word)`")
        }
    }
}
